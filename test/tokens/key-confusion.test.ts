import { type JsonWebKey, sign } from "node:crypto";
import { describe, it } from "@jest/globals";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { startKeyServer } from "../support/key-server.ts";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import {
  type Claims,
  compactToken,
  hmacSigner,
  makeKey,
  type SigningKey,
  signToken,
  usualClaims,
} from "../support/tokens.ts";
import { AUDIENCE, expectRefusal, NOW, SUB } from "./lab.ts";

/** Where our list of algorithms stands before jose, and what none of its keys may open. */
interface Confusion {
  readonly what: string;
  readonly because: RegExp;
  /** The keys of the provider. */
  readonly keys: readonly JsonWebKey[];
  readonly token: (claims: Claims) => string;
}

const rsa = makeKey("RS256", "rsa");
const ec = makeKey("ES256", "ec");
const second = makeKey("ES256", "second");
const pem = rsa.publicKey.export({ type: "spki", format: "pem" });
const octets = { kty: "oct", alg: "HS256", kid: "oct", k: Buffer.alloc(32).toString("base64url") };

const by =
  (key: SigningKey, header: Claims = {}) =>
  (claims: Claims) =>
    signToken(key, claims, header);
const withSecret = (kid: string, secret: string | Buffer) => (claims: Claims) =>
  compactToken({ alg: "HS256", kid }, claims, hmacSigner(secret));

const refused = /^alg is not/;
const none = /no applicable key/;
const several = /multiple matching keys/;
const forged = /verification/;

const confusions: readonly Confusion[] = [
  ...[pem, String(rsa.publicJwk.n), ""].map((secret) => ({
    what: `a public key as the secret ${secret}`,
    because: refused,
    keys: [rsa.publicJwk],
    token: withSecret("rsa", secret),
  })),
  {
    what: "a secret that stands in the JWKS",
    because: refused,
    keys: [octets],
    token: withSecret("oct", Buffer.alloc(32)),
  },
  {
    what: "RS512, well signed",
    because: refused,
    keys: [{ ...rsa.publicJwk, alg: "RS512" }],
    token: (claims) =>
      compactToken({ alg: "RS512", kid: "rsa" }, claims, (input) =>
        sign("sha512", input, rsa.privateKey),
      ),
  },
  { what: "a set without keys", because: none, keys: [], token: by(ec) },
  ...["unknown", "", "EC", "rsa", "../../../../dev/null"].map((kid) => ({
    what: `the key id ${kid}`,
    because: none,
    keys: [ec.publicJwk, rsa.publicJwk],
    token: by(ec, { kid }),
  })),
  {
    what: "no key id where two keys fit",
    because: several,
    keys: [ec.publicJwk, second.publicJwk],
    token: by(ec, { kid: undefined }),
  },
  {
    what: "a key id that two keys have",
    because: several,
    keys: [ec.publicJwk, { ...second.publicJwk, kid: "ec" }],
    token: by(ec),
  },
  {
    what: "a stranger's signature under a good key id",
    because: forged,
    keys: [ec.publicJwk],
    token: by(second, { kid: "ec" }),
  },
];

const provider = opened(startKeyServer, ({ close }) => close());

describe("a token", () => {
  it("is refused where it and the provider's keys do not fit", () =>
    holdsForAll(confusions, async ({ keys, token, because }) => {
      provider.publish(...keys);
      const issuer = provider.origin;
      const verifier = createTokenVerifier({ issuer, audience: AUDIENCE, clock: () => NOW });
      const claims = { ...usualClaims(issuer, AUDIENCE, NOW), sub: SUB };
      await expectRefusal(verifier, `Bearer ${token(claims)}`, because);
    }));
});
