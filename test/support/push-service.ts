import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  randomBytes,
  randomUUID,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

/** The certificate of localhost, and its key. */
const pem = readFileSync(join(import.meta.dirname, "localhost.pem"), "utf8");

/** What a push service was sent. */
export interface Pushed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A push service (RFC 8030) on this machine. The first segment of an endpoint says how it answers. */
export interface PushService {
  readonly origin: string;
  readonly pushed: readonly Pushed[];
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const authorities = getCACertificates("default");
  setDefaultCACertificates([...authorities, pem]);
  const pushed: Pushed[] = [];
  const server = https.createServer({ cert: pem, key: pem }, async (request, response) => {
    const body = await buffer(request);
    const { url: path = "" } = request;
    pushed.push({ path, headers: { ...request.headers } as Pushed["headers"], body });
    const [, what = ""] = path.split("/");
    if (what === "hang") return;
    if (what === "redirect") response.setHeader("location", `${origin}/201/redirected`);
    if (what === "429") response.setHeader("retry-after", "1000");
    response.writeHead(what === "redirect" ? 307 : Number(what)).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pushed,
    async close() {
      setDefaultCACertificates(authorities);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A browser with keys of its own, as PushManager makes them, or with these. */
export function makeBrowser(privateKey?: Buffer, auth = randomBytes(16)) {
  const pair = createECDH("prime256v1");
  if (privateKey) pair.setPrivateKey(privateKey);
  else pair.generateKeys();
  const own = pair.getPublicKey();

  /** RFC 8291 and RFC 8188, by RFC 5869 written out: nothing of it is the service's code. */
  function decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const recordBytes = body.readUInt32BE(16);
    const keyBytes = body.readUInt8(20);
    const sender = body.subarray(21, 21 + keyBytes);
    const record = body.subarray(21 + keyBytes);
    if (record.length > recordBytes) throw new Error("more than one record");

    const hmac = (key: Buffer, ...parts: readonly Buffer[]) =>
      createHmac("sha256", key).update(Buffer.concat(parts)).digest();
    const one = Buffer.from([1]);
    const zero = Buffer.from([0]);
    const keyInfo = [Buffer.from("WebPush: info"), zero, own, sender, one];
    const ikm = hmac(hmac(auth, pair.computeSecret(sender)), ...keyInfo);
    const prk = hmac(salt, ikm);
    const key = hmac(prk, Buffer.from("Content-Encoding: aes128gcm"), zero, one).subarray(0, 16);
    const nonce = hmac(prk, Buffer.from("Content-Encoding: nonce"), zero, one).subarray(0, 12);

    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end < 0 || padded.subarray(end + 1).some((it) => it !== 0))
      throw new Error("no last record");
    return padded.subarray(0, end).toString("utf8");
  }

  return {
    keys: { p256dh: own.toString("base64url"), auth: auth.toString("base64url") },
    decrypt,
  };
}
export type Browser = ReturnType<typeof makeBrowser>;

/** The claims of the token of a push, which this key has signed (RFC 8292). */
export function vapidOf(authorization: string | undefined, publicKey: string) {
  const [, token = "", key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? "") ?? [];
  if (key !== publicKey) throw new Error(`another key: ${key}`);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) };
  const isValid = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isValid) throw new Error("the signature is not valid");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  return { ...read(header), ...read(payload) };
}

/** The body of POST /push-subscriptions, at a push service that nobody asks. */
export const newSubscription = (endpoint = `https://push.example.net/${randomUUID()}`) => ({
  endpoint,
  ...makeBrowser().keys,
});
