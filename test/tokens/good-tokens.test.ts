import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTokenVerifier, type TokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import {
  type Algorithm,
  type Claims,
  makeKey,
  type SigningKey,
  signToken,
  usualClaims,
} from "../support/tokens.ts";
import { AUDIENCE, CALLER, type Lab, labs, NOW, NOW_SECONDS, SUB, tokenOf } from "./lab.ts";

const algorithms: readonly Algorithm[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

describe.each(algorithms)("a token signed by %s", (alg) => {
  const key = makeKey(alg, "one");
  const other = makeKey(alg, "two");
  let provider: KeyServer;
  let verifier: TokenVerifier;
  beforeAll(async () => {
    provider = await startKeyServer();
  });
  afterAll(() => provider.close());

  function publish(...keys: readonly SigningKey["publicJwk"][]): void {
    provider.publish(...keys);
    verifier = createTokenVerifier({
      issuer: provider.origin,
      audience: AUDIENCE,
      jwksUrl: `${provider.origin}/jwks`,
      clock: () => NOW,
    });
  }

  async function expectAccepted(header: Claims = {}): Promise<void> {
    const claims = { ...usualClaims(provider.origin, AUDIENCE, NOW), sub: SUB };
    const authorization = `Bearer ${signToken(key, claims, header)}`;
    await expect(verifier.verify(authorization)).resolves.toEqual(CALLER);
  }

  it("is accepted with the only key", async () => {
    publish(key.publicJwk);
    await expectAccepted();
  });

  it("is accepted without a kid where one key fits", async () => {
    publish(key.publicJwk, { ...other.publicJwk, use: "enc" });
    await expectAccepted({ kid: undefined });
  });

  it("is accepted by its kid where several keys fit", async () => {
    publish(other.publicJwk, key.publicJwk);
    await expectAccepted();
  });

  it("is accepted with a key that names neither algorithm nor use", async () => {
    publish({ ...key.publicJwk, alg: undefined, use: undefined });
    await expectAccepted();
  });

  it("is accepted with a key whose operations include verify", async () => {
    publish({ ...key.publicJwk, use: undefined, key_ops: ["verify"] });
    await expectAccepted();
  });

  it("is accepted beside keys of unknown kinds", async () => {
    publish({ kty: "AKP", kid: "one", alg: "ML-DSA-44" }, { kty: "new" }, key.publicJwk);
    await expectAccepted();
  });
});

describe.each(Object.entries(labs))("a token verified with %s", (_keys, open) => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await open();
  });
  afterAll(() => lab.close());

  const verify = (claims: Claims, header: Claims = {}) =>
    lab.verifier.verify(
      `Bearer ${tokenOf(lab, { ...lab.claims, ...claims }, { ...lab.header, ...header })}`,
    );

  it.each([undefined, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "Application/JWT"])(
    "may have typ %s",
    async (typ) => {
      await expect(verify({}, { typ })).resolves.toEqual(CALLER);
    },
  );

  it("may have unknown header parameters", async () => {
    await expect(verify({}, { x5t: "abc", cty: "json", x: { y: 1 } })).resolves.toBeDefined();
  });

  it.each([[[AUDIENCE]], [["library", AUDIENCE]]])("may be for %j", async (aud) => {
    await expect(verify({ aud })).resolves.toEqual(CALLER);
  });

  it.each<[string, Claims]>([
    ["exp less than the tolerance ago", { exp: NOW_SECONDS - 4.999 }],
    ["exp far away", { exp: 253_402_300_799 }],
    ["nbf now", { nbf: NOW_SECONDS }],
    ["nbf ahead by the tolerance", { nbf: NOW_SECONDS + 5 }],
    ["iat ahead by the tolerance", { iat: NOW_SECONDS + 5 }],
    ["no iat", { iat: undefined }],
    ["typ Bearer among its claims", { typ: "Bearer" }],
    ["token_use access", { token_use: "access" }],
    ["claims that contain colons and quotation marks", { name: '":"\\', app: [{ a: { b: ":" } }] }],
  ])("may have %s", async (_what, claims) => {
    await expect(verify(claims)).resolves.toMatchObject({ sub: SUB });
  });

  it("may come with the scheme in any case and several spaces", async () => {
    for (const scheme of ["bearer", "BEARER", "bEaReR", "Bearer   "]) {
      await expect(lab.verifier.verify(`${scheme} ${tokenOf(lab)}`)).resolves.toBeDefined();
    }
  });

  it("may have 8 kB", async () => {
    const token = tokenOf(lab, { ...lab.claims, x: "x".repeat(5_700) });
    expect(token.length).toBeGreaterThan(7_800);
    expect(token.length).toBeLessThanOrEqual(8_192);
    await expect(lab.verifier.verify(`Bearer ${token}`)).resolves.toEqual(CALLER);
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearerabc",
    "DPoP abc",
    "abc.abc.abc",
  ])("is missing from %j, which is not an error of the token's", async (authorization) => {
    await expect(lab.verifier.verify(authorization)).rejects.toMatchObject({
      name: "Problem",
      status: 401,
      message: "Authentication required",
      headers: { "WWW-Authenticate": "Bearer" },
      details: undefined,
    });
  });
});
