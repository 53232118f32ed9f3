import { afterAll, describe, expect, it } from "@jest/globals";
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from "jose";
import { developmentToken } from "../../../src/development/access-token.ts";
import { people } from "../../../src/development/people.ts";
import { readJson } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { webApp } from "../../support/web-app.ts";

const { maria, omar } = people;
const service = await startIdentityService();

afterAll(service.stop);

/** The claims of an access token, verified with the published documents only. */
async function verified(token: string): Promise<JWTPayload & { readonly lifetime: number }> {
  const discovery = await fetch(`${service.issuer}/.well-known/openid-configuration`);
  const metadata = await readJson<{ issuer: string; jwks_uri: string }>(discovery);
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri)), {
    issuer: metadata.issuer,
    audience: "parking-api",
    typ: "at+jwt",
    algorithms: ["RS256"],
  });
  return { ...payload, lifetime: Number(payload.exp) - Number(payload.iat) };
}

const mariaForAnHour = {
  sub: maria.id,
  email: maria.email,
  email_verified: true,
  lifetime: 3600,
};

describe("access tokens", () => {
  it("say who a demo person is, for an hour", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(maria.email);
    expect(await verified(token)).toMatchObject(mariaForAnHour);
  });

  it("are for this API when no scope is requested", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(omar.email, {
      scope: undefined,
    });
    expect((await verified(token)).sub).toBe(omar.id);
  });

  it("have none of an ID token's claims, with any scope", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(omar.email, {
      nonce: "n",
    });
    expect(Object.keys(decodeJwt(token)).sort().join(" ")).toBe(
      "aud client_id email email_verified exp iat iss jti sub",
    );
  });

  it("can be made without the service", async () => {
    const { dataDir, origin } = service;
    const token = await developmentToken(maria.email, { dataDir, origin });
    expect(await verified(token)).toMatchObject(mariaForAnHour);
    await expect(developmentToken("maria", { dataDir, origin })).rejects.toThrow(/"maria" is not/);
  });
});

describe("a new e-mail address", () => {
  it("makes a new person, the same one each time and in either case", async () => {
    const { access_token: first } = await webApp(service.issuer).tokensOf(
      "New.Person@home.example",
    );
    const claims = await verified(first);
    expect(claims.sub).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(claims).toMatchObject({ email: "new.person@home.example", email_verified: true });

    const again = await startIdentityService(service);
    const { access_token: second } = await webApp(again.issuer).tokensOf("new.person@home.example");
    await again.stop();
    expect(decodeJwt(second).sub).toBe(claims.sub);
  });
});
