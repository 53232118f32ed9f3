import { describe, expect, it } from "@jest/globals";
import { createTokenVerifier, type TokenVerifier } from "../../src/tokens/verifier.ts";
import { startKeyServer } from "../support/key-server.ts";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import {
  type Algorithm,
  type Claims,
  makeKey,
  type SigningKey,
  signToken,
  usualClaims,
} from "../support/tokens.ts";
import { AUDIENCE, CALLER, labs, NOW, NOW_SECONDS, SUB, tokenOf } from "./lab.ts";

const algorithms: readonly Algorithm[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

describe.each(algorithms)("a token signed by %s", (alg) => {
  const key = makeKey(alg, "one");
  const other = makeKey(alg, "two");
  const provider = opened(startKeyServer, ({ close }) => close());
  let verifier: TokenVerifier;

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
    await expectAccepted({ kid: undefined });
  });

  it("is accepted by its kid where several keys fit, beside keys of unknown kinds", async () => {
    publish(other.publicJwk, { kty: "AKP", kid: "one" }, { kty: "new" }, key.publicJwk);
    await expectAccepted();
  });

  it("is accepted with a key that names neither algorithm nor use", async () => {
    publish({ ...key.publicJwk, alg: undefined, use: undefined });
    await expectAccepted();
  });
});

describe.each(Object.entries(labs))("a token verified with %s", (_keys, open) => {
  const lab = opened(open, (one) => one.close());

  const verify = (claims: Claims, header: Claims = {}) =>
    lab.verifier.verify(
      `Bearer ${tokenOf(lab, { ...lab.claims, ...claims }, { ...lab.header, ...header })}`,
    );

  it("may have what says nothing else", () =>
    holdsForAll<Claims>(
      [
        { typ: undefined },
        ...["JWT", "jwt", "at+jwt", "application/at+jwt", "Application/JWT"].map((typ) => ({
          typ,
        })),
        { x5t: "abc", cty: "json", x: { y: 1 } },
      ],
      async (header) => expect(await verify({}, header)).toEqual(CALLER),
    ));

  it("may have these claims", () =>
    holdsForAll<Claims>(
      [
        { aud: [AUDIENCE] },
        { aud: ["library", AUDIENCE] },
        { exp: NOW_SECONDS - 4.999 },
        { exp: 253_402_300_799 },
        { nbf: NOW_SECONDS + 5 },
        { iat: undefined },
        { iat: NOW_SECONDS + 5 },
        { typ: "Bearer" },
        { token_use: "access" },
        { name: '":"\\', app: [{ a: { b: ":" } }] },
      ],
      async (claims) => expect(await verify(claims)).toMatchObject({ sub: SUB }),
    ));

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

  it("is missing from other credentials, which is not an error of the token's", () =>
    holdsForAll(
      [undefined, "", "Bearer", "Bearer ", "Basic YTpi", "Bearerabc", "DPoP abc", "abc.abc.abc"],
      (authorization) =>
        expect(lab.verifier.verify(authorization)).rejects.toMatchObject({
          name: "Problem",
          status: 401,
          message: "Authentication required",
          headers: { "WWW-Authenticate": "Bearer" },
          details: undefined,
        }),
    ));
});
