import { afterAll, describe, expect, it } from "@jest/globals";
import { locationOf, readJson } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { webApp } from "../../support/web-app.ts";

const service = await startIdentityService();

afterAll(service.stop);

const underOtherName = (address: string): string => address.replace("127.0.0.1", "localhost");

describe("the identity provider", () => {
  it.each(["/", "/identity-card", "/api/identity"])("does not answer %s", async (path) => {
    const response = await fetch(service.origin + path);
    expect(await response.text()).toBe(`elsewhere: ${path}`);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each(["/identity", "/identity/", "/identity/nowhere"])("has nothing at %s", async (path) => {
    const response = await fetch(service.origin + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("There is no such page.");
  });

  it("publishes the issuer's addresses under every host name", async () => {
    const url = underOtherName(`${service.issuer}/.well-known/openid-configuration`);
    const { issuer, ...addresses } = await readJson<Record<string, string>>(await fetch(url));
    expect(issuer).toBe(`${service.origin}/identity`);
    for (const name of ["authorization", "token", "end_session"]) {
      expect(addresses[`${name}_endpoint`]).toMatch(`${issuer}/`);
    }
    expect(addresses.jwks_uri).toBe(`${issuer}/jwks`);
  });

  it("redirects a browser from another host name to its own", async () => {
    const response = await webApp(underOtherName(service.issuer)).authorize();
    expect(locationOf(response).href).toBe(response.url.replace("localhost", "127.0.0.1"));
  });

  it.each([
    "Forwarded: for=203.0.113.7",
    "X-Forwarded-For: 203.0.113.7",
    "x-forwarded-proto: https",
    "X-Forwarded-Anything: ",
    "X-Real-IP: 203.0.113.7",
    "Via: 1.1 proxy",
  ])("serves nobody through a proxy, which %s shows", async (header) => {
    const [name = "", value = ""] = header.split(": ");
    const init = { headers: { [name]: value } };
    for (const path of [
      "/auth",
      "/token",
      "/interaction/x",
      "/jwks",
      "/.well-known/openid-configuration",
    ]) {
      const method = path === "/token" ? "POST" : "GET";
      const response = await fetch(service.issuer + path, { method, redirect: "manual", ...init });
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).toContain("does not serve through a proxy");
    }
  });

  it("offers what the API and a public client can use, and nothing else", async () => {
    const response = await fetch(`${service.issuer}/.well-known/openid-configuration`);
    const metadata = await readJson<object>(response);
    expect(Object.keys(metadata).join()).not.toMatch(/dpop|userinfo|pushed|device|introspection/);
    expect(metadata).toMatchObject({
      scopes_supported: ["openid", "offline_access", "email"],
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
    });
  });

  it("does not separate a pop-up from the page that opened it", async () => {
    const response = await webApp(service.issuer).authorize();
    expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
  });
});
