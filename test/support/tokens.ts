import {
  constants,
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from "node:crypto";
import { startKeyServer } from "./key-server.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** Signs the first two parts of a token. */
export type Signer = (input: Buffer) => Buffer;

export type Algorithm = "RS256" | "PS256" | "ES256" | "EdDSA" | "Ed25519";

/** Signs with node:crypto, so that jose does not check its own work. */
export function signerOf(alg: Algorithm, key: KeyObject): Signer {
  switch (alg) {
    case "RS256":
      return (input) => sign("sha256", input, key);
    case "PS256": {
      const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
      const padding = constants.RSA_PKCS1_PSS_PADDING;
      return (input) => sign("sha256", input, { key, padding, saltLength });
    }
    case "ES256":
      return (input) => sign("sha256", input, { key, dsaEncoding: "ieee-p1363" });
    default:
      return (input) => sign(null, input, key);
  }
}

export const hmacSigner =
  (secret: string | Buffer, digest = "sha256"): Signer =>
  (input) =>
    createHmac(digest, secret).update(input).digest();

export interface SigningKey {
  readonly alg: Algorithm;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JsonWebKey;
}

export function makeKey(alg: Algorithm, kid: string, modulusLength = 2048): SigningKey {
  const pair = makeKeyPair(alg, modulusLength);
  const publicJwk = { ...pair.publicKey.export({ format: "jwk" }), alg, kid, use: "sig" };
  return { alg, kid, ...pair, publicJwk };
}

function makeKeyPair(alg: Algorithm, modulusLength: number) {
  switch (alg) {
    case "RS256":
    case "PS256":
      return generateKeyPairSync("rsa", { modulusLength });
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    default:
      return generateKeyPairSync("ed25519");
  }
}

/** A part of a token: an object as its JSON, text and bytes as they are. */
export type Part = string | Buffer | Claims;

export const encodePart = (part: Part): string =>
  (Buffer.isBuffer(part)
    ? part
    : Buffer.from(typeof part === "string" ? part : JSON.stringify(part))
  ).toString("base64url");

/** Puts a token together, well-formed or not. */
export function compactToken(header: Part, payload: Part, signer: Signer): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${encodePart(signer(Buffer.from(input)))}`;
}

/** Signs as a key's owner would. A header parameter or claim set to undefined is left out. */
export const signToken = (key: SigningKey, payload: Part, header: Claims = {}): string =>
  compactToken(
    { alg: key.alg, kid: key.kid, typ: "at+jwt", ...header },
    payload,
    signerOf(key.alg, key.privateKey),
  );

/** The claims of every valid access token, at a time in milliseconds. */
export function usualClaims(issuer: string, audience: string, now: number): Claims {
  const seconds = Math.floor(now / 1_000);
  return { iss: issuer, aud: audience, iat: seconds, exp: seconds + 3_600 };
}

export interface TestIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Signs an access token for a person; a claim set to undefined is left out. */
  token(claims: { sub: string; email?: string; [claim: string]: unknown }): Promise<string>;
  close(): Promise<void>;
}

/** A real issuer on a loopback port, with discovery and JWKS. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const audience = "parking";
  const key = makeKey("ES256", "test-issuer");
  const { origin: issuer, close } = await startKeyServer(key.publicJwk);
  return {
    issuer,
    audience,
    token: async (claims) =>
      signToken(key, { ...usualClaims(issuer, audience, Date.now()), ...claims }),
    close,
  };
}
