import { afterAll, describe, expect, it } from "@jest/globals";
import { people } from "../../../src/development/people.ts";
import { locationOf } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { webApp } from "../../support/web-app.ts";

const { maria } = people;
const service = await startIdentityService();

afterAll(service.stop);

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
});

describe("a code", () => {
  it("is for this API only", async () => {
    const response = await webApp(service.issuer).authorize({ resource: "https://other.example" });
    expect(locationOf(response).searchParams.get("error")).toBe("invalid_target");
  });
});

describe("the redirect URI", () => {
  it.each([
    "http://localhost:5173/callback",
    "http://127.0.0.1:8080/",
    "http://[::1]:3001/callback",
    "http://localhost/",
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
    "http://[::2]:5173/",
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
