import { expect, it } from "@jest/globals";
import { mappedSubject } from "../../src/tokens/identity.ts";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { startKeyServer } from "../support/key-server.ts";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import { type Claims, makeKey, signToken } from "../support/tokens.ts";
import { AUDIENCE, expectRefusal, NOW, NOW_SECONDS, SUB } from "./lab.ts";

const key = makeKey("RS256", "provider");
const provider = opened(
  () => startKeyServer(key.publicJwk),
  (it) => it.close(),
);

const email = "ann@example.org";

interface Case {
  readonly subIsUuid: boolean;
  /** What such a token has, besides `iss` and times, that another rule than ours might refuse. */
  readonly claims: Claims & { readonly sub: string };
  readonly caller: object;
}

/** Tokens with the claims that the providers of docs/identity-providers.md issue. */
const cases: Readonly<Record<string, Case>> = {
  Keycloak: {
    subIsUuid: true,
    claims: {
      auth_time: NOW_SECONDS,
      aud: [AUDIENCE, "account"],
      sub: SUB,
      typ: "Bearer",
      azp: "web",
      "allowed-origins": ["https://parking.example.org"],
      realm_access: { roles: ["offline_access", "default-roles-building"] },
      scope: "openid email profile",
      email_verified: true,
      email,
    },
    caller: { sub: SUB, email, email_verified: true },
  },
  Auth0: {
    subIsUuid: false,
    claims: {
      email,
      email_verified: true,
      sub: "auth0|507f1f77bcf86cd799439011",
      aud: [AUDIENCE, "https://tenant.eu.auth0.com/userinfo"],
      azp: "my_client_id",
    },
    caller: { email, email_verified: true },
  },
  "Supabase Auth": {
    subIsUuid: true,
    claims: {
      aud: AUDIENCE,
      sub: SUB,
      email,
      user_metadata: { email, email_verified: true, sub: SUB },
      role: "authenticated",
      amr: [{ method: "password", timestamp: NOW_SECONDS }],
      email_confirmed_at: "2026-11-20T16:30:00.123456+00:00",
    },
    caller: { sub: SUB, email, email_confirmed_at: "2026-11-20T16:30:00.123Z" },
  },
  "Microsoft Entra ID": {
    subIsUuid: false,
    claims: {
      nbf: NOW_SECONDS,
      aud: AUDIENCE,
      email,
      oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
      scp: "access",
      sub: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
      ver: "2.0",
    },
    caller: { email },
  },
};

it("access tokens of known providers are accepted as the documentation sets up, and ID tokens refused", () =>
  holdsForAll(Object.entries(cases), async ([, { subIsUuid, claims, caller }]) => {
    const issuer = provider.origin;
    const verifier = createTokenVerifier({
      issuer,
      audience: AUDIENCE,
      clock: () => NOW,
      subIsUuid,
    });
    const bearer = (more: Claims = {}) => {
      const times = { iat: NOW_SECONDS, exp: NOW_SECONDS + 300 };
      const token = signToken(key, { iss: issuer, ...times, ...claims, ...more }, { typ: "JWT" });
      return `Bearer ${token}`;
    };
    expect(await verifier.verify(bearer())).toEqual({
      sub: subIsUuid ? claims.sub : mappedSubject(issuer, claims.sub),
      iat: NOW_SECONDS,
      ...caller,
    });
    await expectRefusal(verifier, bearer({ nonce: "n-0S6" }), /^an access token has no nonce$/);
  }));
