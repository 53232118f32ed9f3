import { afterAll, describe, expect, it } from "@jest/globals";
import { createRemoteJWKSet, decodeJwt, type JWTVerifyResult, jwtVerify } from "jose";
import { developmentAudience, developmentToken } from "../../src/development/access-token.ts";
import { people } from "../../src/development/people.ts";
import { locationOf, readJson } from "../support/browser.ts";
import { startIdentityService } from "../support/identity-service.ts";
import { webApp } from "../support/web-app.ts";

const { maria, omar } = people;
const service = await startIdentityService();

afterAll(service.stop);

/** Judges an access token by what the provider publishes, and by nothing else. */
async function verified(token: string): Promise<JWTVerifyResult> {
  const discovery = await fetch(`${service.issuer}/.well-known/openid-configuration`);
  const metadata = await readJson<{ issuer: string; jwks_uri: string }>(discovery);
  return jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri)), {
    issuer: metadata.issuer,
    audience: developmentAudience,
    typ: "at+jwt",
    algorithms: ["RS256"],
  });
}

const lifetimeOf = ({ payload }: JWTVerifyResult) => Number(payload.exp) - Number(payload.iat);

describe("access tokens", () => {
  it("say who a demo person is, for an hour", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(maria.email);
    const result = await verified(token);
    expect(result.payload).toMatchObject({
      sub: maria.id,
      email: maria.email,
      email_verified: true,
    });
    expect(lifetimeOf(result)).toBe(3600);
  });

  it("are for this API when nothing is asked for at all", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(omar.email, {
      scope: undefined,
    });
    expect((await verified(token)).payload.sub).toBe(omar.id);
  });

  it("have none of an ID token's claims, whatever is asked for", async () => {
    const { access_token: token } = await webApp(service.issuer).tokensOf(omar.email, {
      nonce: "n",
    });
    expect(Object.keys(decodeJwt(token)).sort()).toEqual([
      "aud",
      "client_id",
      "email",
      "email_verified",
      "exp",
      "iat",
      "iss",
      "jti",
      "sub",
    ]);
  });

  it("come with an ID token that has the e-mail address too", async () => {
    const { id_token: token } = await webApp(service.issuer).tokensOf(maria.email, {
      nonce: "n-1",
    });
    expect(decodeJwt(token)).toMatchObject({ sub: maria.id, email: maria.email, nonce: "n-1" });
  });

  it("are made without the service, too", async () => {
    const { dataDir, origin } = service;
    const options = { dataDir, origin, audience: developmentAudience, people: [maria] };
    const result = await verified(await developmentToken({ ...options, email: maria.email }));
    expect(result.payload).toMatchObject({
      sub: maria.id,
      email: maria.email,
      email_verified: true,
    });
    expect(lifetimeOf(result)).toBe(3600);
    await expect(developmentToken({ ...options, email: "maria" })).rejects.toThrow(
      /"maria" is not/,
    );
  });
});

describe("a new e-mail address", () => {
  it("makes a new person, the same one each time and in either case", async () => {
    const { access_token: first } = await webApp(service.issuer).tokensOf(
      "New.Person@home.example",
    );
    const { payload } = await verified(first);
    expect(payload.sub).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(payload).toMatchObject({ email: "new.person@home.example", email_verified: true });

    const again = await startIdentityService(service);
    const { access_token: second } = await webApp(again.issuer).tokensOf("new.person@home.example");
    await again.stop();
    expect(decodeJwt(second).sub).toBe(payload.sub);
  });

  it("makes a person of its own", async () => {
    const { access_token: one } = await webApp(service.issuer).tokensOf("one@home.example");
    const { access_token: two } = await webApp(service.issuer).tokensOf("two@home.example");
    expect(decodeJwt(one).sub).not.toBe(decodeJwt(two).sub);
  });
});

describe("the proof key", () => {
  it.each([
    ["none", { code_challenge: undefined, code_challenge_method: undefined }],
    ["a plain one", { code_challenge_method: "plain" }],
    ["one of no method", { code_challenge_method: undefined }],
  ])("may not be %s", async (_name, changes) => {
    const app = webApp(service.issuer);
    const { searchParams } = locationOf(await app.authorize(changes));
    expect(searchParams.get("error")).toBe("invalid_request");
    expect(searchParams.get("error_description")).toMatch(/PKCE|code_challenge_method/);
  });

  it("has to fit", async () => {
    const app = webApp(service.issuer);
    const { searchParams } = await app.signIn(maria.email);
    const response = await app.exchange(searchParams.get("code"), {
      code_verifier: "a".repeat(43),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_grant" });
  });
});

describe("the way back", () => {
  it.each([
    "http://localhost:5173/callback",
    "http://127.0.0.1:8080/",
    "http://localhost:4200/any/path?and=query",
  ])("may lead to a web app on this machine: %s", async (redirectUri) => {
    const address = await webApp(service.issuer, redirectUri).signIn(maria.email);
    expect(address.href.startsWith(redirectUri)).toBe(true);
    expect(address.searchParams.get("code")).toBeTruthy();
  });

  it("may lead to Swagger UI", async () => {
    const app = webApp(service.issuer, `${service.origin}/docs/oauth2-redirect.html`);
    expect(locationOf(await app.authorize()).pathname).toMatch(/^\/identity\/interaction\//);
  });

  it.each([
    "https://evil.example/callback",
    "http://localhost.evil.example/",
    "http://localhost@evil.example/",
    "https://localhost:5173/callback",
    "http://localhost:5173/#fragment",
    "javascript:alert(1)",
  ])("may lead nowhere else: %s", async (redirectUri) => {
    const response = await webApp(service.issuer, redirectUri).authorize();
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
    expect(await response.text()).toContain("redirect_uri");
  });
});
