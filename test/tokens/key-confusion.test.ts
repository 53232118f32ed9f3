import { generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import {
  type Algorithm,
  type Claims,
  compactToken,
  hmacSigner,
  makeKey,
  type Signer,
  type SigningKey,
  signerOf,
  signToken,
  usualClaims,
} from "../support/tokens.ts";
import { AUDIENCE, expectRefusal, NOW, SUB } from "./lab.ts";

const rsa = makeKey("RS256", "rsa");
const ec = makeKey("ES256", "ec");
const ed = makeKey("EdDSA", "ed");
const stranger = makeKey("ES256", "ec");

/** Verifies a token with these keys only. */
interface Confusion {
  readonly what: string;
  readonly keys: readonly JsonWebKey[];
  readonly token: (claims: Claims) => string;
  readonly because: RegExp;
}

let provider: KeyServer;
beforeAll(async () => {
  provider = await startKeyServer();
});
afterAll(() => provider.close());

function describeConfusions(confusions: readonly Confusion[]): void {
  for (const { what, keys, token, because } of confusions) {
    it(`refuses ${what}`, async () => {
      provider.publish(...keys);
      const issuer = provider.origin;
      const verifier = createTokenVerifier({ issuer, audience: AUDIENCE, clock: () => NOW });
      const claims = { ...usualClaims(issuer, AUDIENCE, NOW), sub: SUB };
      await expectRefusal(verifier, `Bearer ${token(claims)}`, because);
    });
  }
}

/** A JWK with some members changed or removed (undefined). */
const jwk = (key: SigningKey, changes: Record<string, unknown> = {}): JsonWebKey => ({
  ...key.publicJwk,
  ...changes,
});

const signedWith =
  (key: SigningKey, header: Claims = {}) =>
  (claims: Claims) =>
    signToken(key, claims, header);

describe("a public key used as a secret", () => {
  const asSecret = (what: string, secret: string | Buffer): Confusion => ({
    what,
    keys: [rsa.publicJwk],
    token: (claims) => compactToken({ alg: "HS256", kid: "rsa" }, claims, hmacSigner(secret)),
    because: /^alg is not/,
  });
  const pem = rsa.publicKey.export({ type: "spki", format: "pem" });
  const octets = { kty: "oct", kid: "oct", k: Buffer.alloc(32).toString("base64url") };
  describeConfusions([
    asSecret("HS256 with the PEM", pem),
    asSecret("HS256 with the PEM without its line feed", String(pem).trim()),
    asSecret("HS256 with PKCS 1", rsa.publicKey.export({ type: "pkcs1", format: "pem" })),
    asSecret("HS256 with the DER", rsa.publicKey.export({ type: "spki", format: "der" })),
    asSecret("HS256 with the JWK", JSON.stringify(rsa.publicJwk)),
    asSecret("HS256 with the modulus", String(rsa.publicJwk.n)),
    asSecret("HS256 with nothing", ""),
    {
      what: "HS256 with a secret that stands in the JWKS",
      keys: [{ ...octets, alg: "HS256" }],
      token: (claims) =>
        compactToken({ alg: "HS256", kid: "oct" }, claims, hmacSigner(Buffer.alloc(32))),
      because: /^alg is not/,
    },
    {
      what: "ES256 where the key is a secret",
      keys: [{ ...octets, kid: "ec" }],
      token: signedWith(ec),
      because: /no applicable key/,
    },
  ]);
});

describe("an algorithm with a key of another kind", () => {
  const wrongKind = (alg: Algorithm, key: SigningKey): Confusion => ({
    what: `${alg} with a key of ${key.alg}`,
    keys: [jwk(key, { alg: undefined })],
    token: signedWith(key, { alg }),
    because: /no applicable key/,
  });
  const otherCurve = (alg: Algorithm, crv: string, publicKey: JsonWebKey): Confusion => ({
    what: `${alg} with a key on ${crv}`,
    keys: [{ ...publicKey, kid: "ec" }],
    token: signedWith(ec, { alg }),
    because: /no applicable key/,
  });
  const ecJwk = (namedCurve: string) =>
    generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" });
  describeConfusions([
    wrongKind("RS256", ec),
    wrongKind("RS256", ed),
    wrongKind("PS256", ec),
    wrongKind("PS256", ed),
    wrongKind("ES256", rsa),
    wrongKind("ES256", ed),
    wrongKind("EdDSA", rsa),
    wrongKind("EdDSA", ec),
    wrongKind("Ed25519", rsa),
    wrongKind("Ed25519", ec),
    otherCurve("ES256", "P-384", ecJwk("P-384")),
    otherCurve("ES256", "P-521", ecJwk("P-521")),
    otherCurve("ES256", "secp256k1", ecJwk("secp256k1")),
    otherCurve("EdDSA", "Ed448", generateKeyPairSync("ed448").publicKey.export({ format: "jwk" })),
    otherCurve(
      "EdDSA",
      "X25519",
      generateKeyPairSync("x25519").publicKey.export({ format: "jwk" }),
    ),
  ]);
});

describe("an algorithm with a key meant for another", () => {
  const rsaSigner =
    (digest: string): Signer =>
    (input) =>
      sign(digest, input, rsa.privateKey);
  const pssSigner = signerOf("PS256", rsa.privateKey);
  describeConfusions([
    {
      what: "PS256 with a key of RS256",
      keys: [rsa.publicJwk],
      token: (claims) => compactToken({ alg: "PS256", kid: "rsa" }, claims, pssSigner),
      because: /no applicable key/,
    },
    {
      what: "RS256 with a key of PS256",
      keys: [jwk(rsa, { alg: "PS256" })],
      token: signedWith(rsa),
      because: /no applicable key/,
    },
    {
      what: "RS256 with a key of RSA-OAEP",
      keys: [jwk(rsa, { alg: "RSA-OAEP" })],
      token: signedWith(rsa),
      because: /no applicable key/,
    },
    {
      what: "RS512, well signed",
      keys: [jwk(rsa, { alg: "RS512" })],
      token: (claims) => compactToken({ alg: "RS512", kid: "rsa" }, claims, rsaSigner("sha512")),
      because: /^alg is not/,
    },
    {
      what: "a signature of PS256 under RS256",
      keys: [jwk(rsa, { alg: undefined })],
      token: (claims) => compactToken({ alg: "RS256", kid: "rsa" }, claims, pssSigner),
      because: /verification/,
    },
    {
      what: "a signature of SHA-1 under RS256",
      keys: [rsa.publicJwk],
      token: (claims) => compactToken({ alg: "RS256", kid: "rsa" }, claims, rsaSigner("sha1")),
      because: /verification/,
    },
    {
      what: "an ES256 signature in DER",
      keys: [ec.publicJwk],
      token: (claims) =>
        compactToken({ alg: "ES256", kid: "ec" }, claims, (input) =>
          sign("sha256", input, ec.privateKey),
        ),
      because: /verification/,
    },
  ]);
});

describe("a key that cannot verify", () => {
  const unusable = (
    what: string,
    key: SigningKey,
    keys: JsonWebKey[],
    because: RegExp,
  ): Confusion => ({
    what,
    keys,
    token: signedWith(key),
    because,
  });
  const none = /no applicable key/;
  const weak = (bits: number): Confusion => {
    const key = makeKey("RS256", "weak", bits);
    return unusable(`an RSA key of ${bits} bits`, key, [key.publicJwk], /2048 bits/);
  };
  describeConfusions([
    weak(1024),
    weak(2040),
    unusable("a key to encrypt", ec, [jwk(ec, { use: "enc" })], none),
    unusable("a key of unknown use", ec, [jwk(ec, { use: "tls" })], none),
    unusable("a key to sign only", ec, [jwk(ec, { key_ops: ["sign"] })], none),
    unusable("a key to do nothing", ec, [jwk(ec, { key_ops: [] })], none),
    unusable("a key with odd operations", ec, [jwk(ec, { key_ops: "verify" })], none),
    unusable("a key without a type", ec, [jwk(ec, { kty: undefined })], none),
    unusable(
      "a private key",
      ec,
      [{ ...ec.privateKey.export({ format: "jwk" }), kid: "ec" }],
      /public/,
    ),
    unusable("an RSA key without its modulus", rsa, [jwk(rsa, { n: undefined })], /./),
    unusable("a point that is not on the curve", ec, [jwk(ec, { x: ec.publicJwk.y })], /./),
    unusable("a set without keys", ec, [], none),
  ]);
});

describe("a key id", () => {
  const badId = (kid: string): Confusion => ({
    what: `kid ${JSON.stringify(kid)}`,
    keys: [ec.publicJwk, rsa.publicJwk],
    token: signedWith(ec, { kid }),
    because: /no applicable key/,
  });
  const second = makeKey("ES256", "second");
  describeConfusions([
    badId("unknown"),
    badId(""),
    badId("EC"),
    badId("ec "),
    badId("rsa"),
    badId("__proto__"),
    badId("../../../../dev/null"),
    badId("x' UNION SELECT 'ec"),
    {
      what: "no kid where two keys fit",
      keys: [ec.publicJwk, second.publicJwk],
      token: signedWith(ec, { kid: undefined }),
      because: /multiple matching keys/,
    },
    {
      what: "a kid that two keys have",
      keys: [ec.publicJwk, jwk(second, { kid: "ec" })],
      token: signedWith(ec),
      because: /multiple matching keys/,
    },
    {
      what: "a kid where the key has none",
      keys: [jwk(ec, { kid: undefined })],
      token: signedWith(ec),
      because: /no applicable key/,
    },
    {
      what: "the right kid and a stranger's signature",
      keys: [ec.publicJwk],
      token: signedWith(stranger),
      because: /verification/,
    },
  ]);
});
