import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTokenVerifier, type TokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import { holdsForAll } from "../support/table.ts";
import {
  type Algorithm,
  type Claims,
  compactToken,
  hmacSigner,
  makeKey,
  signToken,
  usualClaims,
} from "../support/tokens.ts";
import { AUDIENCE, CALLER, expectRefusal, NOW, SECRET, SUB } from "./lab.ts";

const algorithms: readonly Algorithm[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
const keys = algorithms.map((alg) => makeKey(alg, alg));

let provider: KeyServer;
let verifier: TokenVerifier;
let claims: Claims;

beforeAll(async () => {
  provider = await startKeyServer(...keys.map((key) => key.publicJwk));
  const issuer = provider.origin;
  const jwksUrl = `${issuer}/jwks`;
  const settings = { issuer, audience: AUDIENCE, clock: () => NOW };
  verifier = createTokenVerifier({ ...settings, jwksUrl, secret: SECRET });
  claims = { ...usualClaims(issuer, AUDIENCE, NOW), sub: SUB };
});
afterAll(() => provider.close());

const bearer = (alg: string, secret: string | Buffer, digest = "sha256"): string =>
  `Bearer ${compactToken({ alg }, claims, hmacSigner(secret, digest))}`;

describe("with a shared secret", () => {
  it("accepts HS256 with it", async () => {
    await expect(verifier.verify(bearer("HS256", SECRET))).resolves.toEqual(CALLER);
  });

  it("accepts a kid", async () => {
    const token = compactToken({ alg: "HS256", kid: "1" }, claims, hmacSigner(SECRET));
    await expect(verifier.verify(`Bearer ${token}`)).resolves.toEqual(CALLER);
  });

  it("refuses HS256 with another secret", () =>
    holdsForAll(
      ["", SECRET.slice(0, 32), `${SECRET} and more`, SECRET.toUpperCase(), btoa(SECRET)],
      (secret) => expectRefusal(verifier, bearer("HS256", secret), /verification/),
    ));

  it("refuses every other algorithm, with the secret or with a key of the provider", () =>
    holdsForAll(
      [bearer("HS384", SECRET, "sha384"), ...keys.map((key) => `Bearer ${signToken(key, claims)}`)],
      (authorization) => expectRefusal(verifier, authorization, /^alg is not/),
    ));

  it("fetches no public keys", () => {
    expect(provider.requests).toEqual([]);
  });
});
