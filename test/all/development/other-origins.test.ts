import { once } from "node:events";
import { get } from "node:http";
import { afterAll, describe, expect, it } from "@jest/globals";
import { startIdentityService } from "../../support/identity-service.ts";

const service = await startIdentityService();

afterAll(service.stop);

describe("a service that other machines can reach", () => {
  it.each(["/docs/oauth2-redirect.html", "/graphiql"])("lets its own %s in", async (path) => {
    const host = "192.0.2.1:3000";
    const page = `http://${host}${path}`;
    const other = await startIdentityService({ host });
    const query = new URLSearchParams({
      client_id: "parking-docs",
      response_type: "code",
      redirect_uri: page,
    });
    const authorization = get(`${other.address}/identity/auth?${query}`, { headers: { host } });
    const [back] = await once(authorization, "response");
    const answer = await fetch(`${other.address}/identity/token`, {
      method: "POST",
      headers: { origin: `http://${host}` },
      body: query,
    });
    await other.stop();
    expect(back.headers.location).toMatch(`${page}?`);
    expect(answer.headers.get("access-control-allow-origin")).toBe(`http://${host}`);
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
