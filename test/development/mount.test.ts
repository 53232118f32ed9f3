import { afterAll, describe, expect, it, jest } from "@jest/globals";
import { people } from "../../src/development/people.ts";
import { locationOf, readJson } from "../support/browser.ts";
import { startIdentityService } from "../support/identity-service.ts";
import { webApp } from "../support/web-app.ts";

const service = await startIdentityService();

afterAll(service.stop);

const underOtherName = (address: string): string => address.replace("127.0.0.1", "localhost");

describe("the identity provider", () => {
  it.each(["/", "/identity-card", "/api/identity"])("leaves %s alone", async (path) => {
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

  it("gives out the issuer's addresses, whatever it is called by", async () => {
    const url = underOtherName(`${service.issuer}/.well-known/openid-configuration`);
    const { issuer, ...addresses } = await readJson<Record<string, string>>(await fetch(url));
    expect(issuer).toBe(`${service.origin}/identity`);
    for (const name of ["authorization", "token", "end_session"]) {
      expect(addresses[`${name}_endpoint`]).toMatch(`${issuer}/`);
    }
    expect(addresses.jwks_uri).toBe(`${issuer}/jwks`);
  });

  it("sends a browser that calls it by another name to its own", async () => {
    const response = await webApp(underOtherName(service.issuer)).authorize();
    expect(locationOf(response).href).toBe(response.url.replace("localhost", "127.0.0.1"));
  });

  it("does not part a pop-up from the page that opened it", async () => {
    const response = await webApp(service.issuer).authorize();
    expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
  });

  it("prints nothing", async () => {
    const methods = ["log", "info", "warn", "error"] as const;
    const spies = methods.map((method) => jest.spyOn(console, method).mockImplementation(() => {}));
    const quiet = await startIdentityService();
    const app = webApp(quiet.issuer);
    await app.tokensOf(people.maria.email);
    await app.browser.get(`${quiet.issuer}/session/end`);
    await app.browser.get(`${quiet.issuer}/session/end/success`);
    await app.authorize({ client_id: "unknown" });
    await quiet.stop();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});

describe("requests of other origins", () => {
  const ask = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(service.issuer + path, { ...init, headers: { ...init.headers, origin } });
  const allowedBy = (response: Response) => response.headers.get("access-control-allow-origin");
  const webAppOrigin = "http://localhost:5173";

  it("are announced to the token endpoint", async () => {
    const response = await ask("/token", webAppOrigin, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST" },
    });
    expect(response.status).toBe(204);
    expect(allowedBy(response)).toBe(webAppOrigin);
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  });

  it.each(["/.well-known/openid-configuration", "/jwks"])("may read %s", async (path) => {
    expect(allowedBy(await ask(path, webAppOrigin))).toBe(webAppOrigin);
  });

  it("are answered at the token endpoint where the web app is on this machine", async () => {
    const init = { method: "POST", body: new URLSearchParams({ client_id: "parking-docs" }) };
    expect(allowedBy(await ask("/token", webAppOrigin, init))).toBe(webAppOrigin);
    expect(allowedBy(await ask("/token", service.origin, init))).toBe(service.origin);
    expect(allowedBy(await ask("/token", "https://evil.example", init))).toBeNull();
  });
});
