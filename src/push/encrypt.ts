import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The keys of a browser, in base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Marks the end of the last record, and here of the only one. */
const LAST = Buffer.from([2]);

/** Push services need not take a larger body (RFC 8030, 7.2). */
const RECORD_BYTES = 4_096;

/** Names the key after the shared secret (RFC 8188). */
const named = (name: string): Buffer => Buffer.from(`Content-Encoding: ${name}\0`);

const derived = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/**
 * The body of a push that only this browser can read: RFC 8291, in the coding aes128gcm of RFC
 * 8188. One record has all of it.
 * @throws Error if the browser's key is not a point of the curve
 */
export function encrypt(text: string, { p256dh, auth }: BrowserKeys): Buffer {
  const browser = Buffer.from(p256dh, "base64url");
  const pair = createECDH("prime256v1");
  const own = pair.generateKeys();
  const salt = randomBytes(16);

  const about = Buffer.concat([Buffer.from("WebPush: info\0"), browser, own]);
  const shared = derived(pair.computeSecret(browser), Buffer.from(auth, "base64url"), about, 32);
  const key = derived(shared, salt, named("aes128gcm"), KEY_BYTES);
  const nonce = derived(shared, salt, named("nonce"), NONCE_BYTES);

  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  const header = Buffer.concat([salt, size, Buffer.from([own.length]), own]);
  const plain = Buffer.from(text);
  if (header.length + plain.length + LAST.length + TAG_BYTES > RECORD_BYTES)
    throw new Error("a push must not be longer than 4096 bytes");
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const record = [cipher.update(plain), cipher.update(LAST), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header, ...record]);
}
