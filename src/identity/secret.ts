import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** What is made of IDENTITY_SECRET: a key of its own for each purpose. */
export interface Secret {
  /** A signature of these texts for a purpose. */
  sign(purpose: string, ...texts: readonly string[]): Buffer;
  isSigned(signature: Buffer, purpose: string, ...texts: readonly string[]): boolean;
  /** Encrypts a text, which only the same name opens. */
  seal(text: string, name: string): Buffer;
  /** @throws Error where the secret or the name is another */
  open(sealed: Buffer, name: string): string;
  /** A key for a purpose. */
  keyFor(purpose: string): Buffer;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function secretOf(secret: string): Secret {
  const keyFor = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "", `parking identity ${purpose}`, 32));
  const sealing = keyFor("seal");
  const sign: Secret["sign"] = (purpose, ...texts) =>
    createHmac("sha256", keyFor(purpose)).update(JSON.stringify(texts)).digest();
  return {
    sign,
    isSigned(signature, purpose, ...texts) {
      const right = sign(purpose, ...texts);
      return signature.length === right.length && timingSafeEqual(signature, right);
    },
    seal(text, name) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, name) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
      return decipher.update(body, undefined, "utf8") + decipher.final("utf8");
    },
    keyFor,
  };
}
