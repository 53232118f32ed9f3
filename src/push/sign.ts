import { createECDH } from "node:crypto";
import { importJWK, SignJWT } from "jose";

/** A key pair of P-256 that identifies the building to push services, in base64url. */
export interface PushKey {
  readonly public_key: string;
  readonly private_key: string;
}

export function makePushKey(): PushKey {
  const pair = createECDH("prime256v1");
  const public_key = pair.generateKeys("base64url");
  // Without its leading zeros, which a key must have.
  const private_key = pair.getPrivateKey().toString("hex").padStart(64, "0");
  return { public_key, private_key: Buffer.from(private_key, "hex").toString("base64url") };
}

/** The header that tells a push service who sends: VAPID (RFC 8292). */
export async function authorizationFor(
  endpoint: string,
  { public_key, private_key }: PushKey,
  contact: string,
): Promise<string> {
  const point = Buffer.from(public_key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: private_key,
  };
  const token = await new SignJWT()
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(new URL(endpoint).origin)
    .setSubject(contact)
    .setExpirationTime("12 hours")
    .sign(await importJWK(jwk, "ES256"));
  return `vapid t=${token}, k=${public_key}`;
}
