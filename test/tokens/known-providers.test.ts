import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mappedSubject } from "../../src/tokens/identity.ts";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import { type Claims, makeKey, signToken } from "../support/tokens.ts";
import { AUDIENCE, expectRefusal, NOW, NOW_SECONDS, SUB } from "./lab.ts";

const key = makeKey("RS256", "provider");
let provider: KeyServer;
beforeAll(async () => {
  provider = await startKeyServer(key.publicJwk);
});
afterAll(() => provider.close());

const email = "ann@example.org";
const times = { iat: NOW_SECONDS, exp: NOW_SECONDS + 300 };

interface Case {
  readonly provider: string;
  readonly subIsUuid: boolean;
  readonly header?: Claims;
  /** All that such a token contains, besides `iss`. */
  readonly claims: Claims & { readonly sub: string };
  readonly caller: object;
}

/** Tokens with the claims that the providers of docs/identity-providers.md issue. */
const cases: readonly Case[] = [
  {
    provider: "Keycloak",
    subIsUuid: true,
    header: { typ: "JWT" },
    claims: {
      ...times,
      auth_time: NOW_SECONDS,
      jti: "onrtac:8a1f4c3b-7c2d-4a55-9f43-0c9be1a6f6aa",
      aud: [AUDIENCE, "account"],
      sub: SUB,
      typ: "Bearer",
      azp: "web",
      sid: "4f9e7f8e-4f2f-4a50-8a5c-1d3a3f8e6f10",
      acr: "1",
      "allowed-origins": ["https://parking.example.org"],
      realm_access: { roles: ["offline_access", "default-roles-building"] },
      resource_access: { account: { roles: ["view-profile"] } },
      scope: "openid email profile",
      email_verified: true,
      preferred_username: "ann",
      email,
    },
    caller: { sub: SUB, email, email_verified: true },
  },
  {
    provider: "Auth0",
    subIsUuid: false,
    header: { typ: "JWT" },
    claims: {
      ...times,
      email,
      email_verified: true,
      sub: "auth0|507f1f77bcf86cd799439011",
      aud: [AUDIENCE, "https://tenant.eu.auth0.com/userinfo"],
      scope: "openid profile email",
      azp: "my_client_id",
    },
    caller: { email, email_verified: true },
  },
  {
    provider: "Supabase Auth",
    subIsUuid: true,
    header: { typ: "JWT" },
    claims: {
      ...times,
      aud: AUDIENCE,
      sub: SUB,
      email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { email, email_verified: true, phone_verified: false, sub: SUB },
      role: "authenticated",
      aal: "aal1",
      amr: [{ method: "password", timestamp: NOW_SECONDS }],
      session_id: "4b938a09-5372-4177-a314-cfa292099ea2",
      is_anonymous: false,
      email_confirmed_at: "2026-11-20T16:30:00.123456+00:00",
    },
    caller: { sub: SUB, email, email_confirmed_at: "2026-11-20T16:30:00.123Z" },
  },
  {
    provider: "Microsoft Entra ID",
    subIsUuid: false,
    header: { typ: "JWT" },
    claims: {
      ...times,
      nbf: NOW_SECONDS,
      aud: AUDIENCE,
      aio: "AXQAi/8TAAAA",
      azp: "f7f1a0a5-9c0f-4d2a-9f0b-2d6f5d0a9b11",
      azpacr: "0",
      email,
      name: "Ann",
      oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
      preferred_username: "ann@example.org",
      rh: "0.AXoA",
      scp: "access",
      sub: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
      tid: "49960de0-d184-4e0d-9c88-1f0d0d0e6e0e",
      uti: "V6-SGQJ1mUe",
      ver: "2.0",
    },
    caller: { email },
  },
];

describe.each(cases)("an access token of $provider", ({ subIsUuid, header, claims, caller }) => {
  const verify = (more: Claims = {}) => {
    const settings = { issuer: provider.origin, audience: AUDIENCE, clock: () => NOW };
    const token = signToken(key, { iss: provider.origin, ...claims, ...more }, header);
    return { verifier: createTokenVerifier({ ...settings, subIsUuid }), bearer: `Bearer ${token}` };
  };

  it("is accepted with the settings that the documentation gives", async () => {
    const { verifier, bearer } = verify();

    expect(await verifier.verify(bearer)).toEqual({
      sub: subIsUuid ? claims.sub : mappedSubject(provider.origin, claims.sub),
      iat: NOW_SECONDS,
      ...caller,
    });
  });

  it("is refused with the claims of an ID token", async () => {
    const { verifier, bearer } = verify({ nonce: "n-0S6_WzA2Mj" });

    await expectRefusal(verifier, bearer, /^an access token has no nonce$/);
  });
});
