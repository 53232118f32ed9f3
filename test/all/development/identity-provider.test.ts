import { createHash } from "node:crypto";
import { once } from "node:events";
import { get } from "node:http";
import { afterAll, describe, expect, it } from "@jest/globals";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { type Person, people } from "../../../src/development/people.ts";
import { formOf, locationOf, readJson } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { holdsForAll } from "../../support/table.ts";
import { type Tokens, webApp } from "../../support/web-app.ts";

// What it shares with the sign-in by mail, test/identity tries there.
const { maria } = people;
const service = await startIdentityService();
afterAll(service.stop);

const underOtherName = (address: string): string => address.replace("127.0.0.1", "localhost");

describe("access tokens", () => {
  it.each([undefined, "openid email"])(
    "say who a demo person is, for an hour, and nothing of an ID token: scope %s",
    async (scope) => {
      const app = webApp(service.issuer);
      const { access_token } = await app.tokensOf(maria.email, { scope, nonce: "n" });
      const keys = createRemoteJWKSet(new URL(`${service.issuer}/jwks`));
      const { payload } = await jwtVerify(access_token, keys, {
        issuer: service.issuer,
        audience: "parking-api",
        typ: "at+jwt",
        algorithms: ["RS256"],
      });
      const { sub, email, email_verified, exp = 0, iat = 0 } = payload;
      expect({ sub, email, email_verified, lifetime: exp - iat }).toEqual({
        sub: maria.id,
        email: maria.email,
        email_verified: true,
        lifetime: 3600,
      });
      expect(Object.keys(payload).toSorted().join(" ")).toBe(
        "aud client_id email email_verified exp iat iss jti sub",
      );
    },
  );

  it("are of a new person for a new address, the same one each time and in either case", async () => {
    const tokenOf = async (issuer: string, email: string) =>
      decodeJwt((await webApp(issuer).tokensOf(email)).access_token);
    const first = await tokenOf(service.issuer, "New.Person@home.example");
    expect(first.sub).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(first).toMatchObject({ email: "new.person@home.example", email_verified: true });

    const again = await startIdentityService(service);
    const second = await tokenOf(again.issuer, "new.person@home.example");
    await again.stop();
    expect(second.sub).toBe(first.sub);
  });
});

describe("the redirect URI", () => {
  it("may lead to a web app on this machine", () =>
    holdsForAll(
      [
        "http://localhost:5173/callback",
        "http://127.0.0.1:8080/",
        "http://[::1]:3001/callback",
        "http://localhost/",
        "http://localhost:4200/any/path?and=query",
      ],
      async (redirectUri) => {
        const address = await webApp(service.issuer, redirectUri).signIn(maria.email);
        expect(address.href.startsWith(redirectUri)).toBe(true);
        expect(address.searchParams.get("code")).toBeTruthy();
      },
    ));

  it("may lead to Swagger UI", async () => {
    const app = webApp(service.issuer, `${service.origin}/docs/oauth2-redirect.html`);
    expect(locationOf(await app.authorize()).pathname).toMatch(/^\/identity\/interaction\//);
  });

  it("may lead nowhere else", () =>
    holdsForAll(
      [
        "https://evil.example/callback",
        "http://localhost.evil.example/",
        "http://localhost@evil.example/",
        "http://[::2]:5173/",
        "https://localhost:5173/callback",
        "http://localhost:5173/#fragment",
        "javascript:alert(1)",
      ],
      async (redirectUri) => {
        const response = await webApp(service.issuer, redirectUri).authorize();
        expect(response.status).toBe(400);
        expect(response.headers.get("location")).toBeNull();
        expect(await response.text()).toContain("redirect_uri");
      },
    ));
});

describe("the identity provider", () => {
  it.each(["/", "/identity-card", "/api/identity"])("does not answer %s", async (path) => {
    const response = await fetch(service.origin + path);
    expect(await response.text()).toBe(`elsewhere: ${path}`);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("has nothing at other addresses below its own", async () => {
    const response = await fetch(`${service.issuer}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("There is no such page.");
  });

  it("has one name, to which it redirects a browser from another", async () => {
    const url = underOtherName(`${service.issuer}/.well-known/openid-configuration`);
    const { issuer, token_endpoint } = await readJson<Record<string, string>>(await fetch(url));
    expect([issuer, token_endpoint]).toEqual([service.issuer, `${service.issuer}/token`]);
    const response = await webApp(underOtherName(service.issuer)).authorize();
    expect(locationOf(response).href).toBe(response.url.replace("localhost", "127.0.0.1"));
  });

  it("serves nobody through a proxy, which one of these headers shows", () =>
    holdsForAll(
      [
        "Forwarded: for=203.0.113.7",
        "X-Forwarded-For: 203.0.113.7",
        "x-forwarded-proto: https",
        "X-Forwarded-Anything: ",
        "X-Real-IP: 203.0.113.7",
        "Via: 1.1 proxy",
      ],
      async (header) => {
        const [name = "", value = ""] = header.split(": ");
        for (const path of ["/auth", "/token", "/interaction/x", "/jwks"]) {
          const response = await fetch(service.issuer + path, {
            method: path === "/token" ? "POST" : "GET",
            redirect: "manual",
            headers: { [name]: value },
          });
          expect([path, response.status]).toEqual([path, 403]);
          expect(await response.text()).toContain("does not serve through a proxy");
        }
      },
    ));

  it("does not separate a pop-up from the page that opened it", async () => {
    const response = await webApp(service.issuer).authorize();
    expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
  });

  it("is read by web apps of this machine, and by no others", async () => {
    const init = { method: "POST", body: new URLSearchParams({ client_id: "parking-docs" }) };
    const allowed = async (origin: string) => {
      const answer = await fetch(`${service.issuer}/token`, { ...init, headers: { origin } });
      return answer.headers.get("access-control-allow-origin");
    };
    for (const origin of ["http://localhost:5173", service.origin])
      expect(await allowed(origin)).toBe(origin);
    expect(await allowed("https://evil.example")).toBeNull();
  });

  it.each(["/docs/oauth2-redirect.html", "/graphiql"])(
    "lets in %s of a service that other machines can reach",
    async (path) => {
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
    },
  );
});

describe("the session", () => {
  it("renews silently, until it is ended", async () => {
    const app = webApp(service.issuer);
    await app.signIn(maria.email);
    const renewed = locationOf(await app.authorize({ prompt: "none" })).searchParams;
    const tokens = await readJson<Tokens>(await app.exchange(renewed.get("code")));
    expect(decodeJwt(tokens.access_token).sub).toBe(maria.id);

    const goodbye = "http://localhost:5173/goodbye";
    const end = `${service.issuer}/session/end?client_id=parking-docs`;
    const page = await app.browser.get(`${end}&post_logout_redirect_uri=${goodbye}`);
    const { action, fields } = formOf(await page.text());
    const ended = await app.browser.post(action, { ...fields, logout: "yes" });
    expect(locationOf(ended).href).toBe(goodbye);

    const refused = locationOf(await app.authorize({ prompt: "none" })).searchParams;
    expect(refused.get("error")).toBe("login_required");
  });

  it("ends by a script that the page's policy allows, and with our own page", async () => {
    const { browser } = webApp(service.issuer);
    const page = await browser.get(`${service.issuer}/session/end?client_id=parking-docs`);
    const text = await page.text();
    const script = /<script>(.*)<\/script>/s.exec(text)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'sha256-${hash}'`);
    const { action, fields } = formOf(text);
    const ended = locationOf(await browser.post(action, fields));
    expect(await (await browser.get(ended)).text()).toContain("<h1>Signed out</h1>");
  });
});

describe("the sign-in page", () => {
  const hostile = `"><script>alert('1')</script>&`;
  async function openPage(issuer: string): Promise<Response> {
    const app = webApp(issuer);
    return app.browser.get(locationOf(await app.authorize()));
  }

  it("lists the people with their apartments and accounts", async () => {
    const markup = await (await openPage(service.issuer)).text();
    for (const { email, fullName, apartmentNumber, account } of Object.values(people)) {
      expect(markup).toMatch(
        new RegExp(`value="${email}">\\s.*${fullName}.*\\s.*${apartmentNumber}<.*\\s.*${account}<`),
      );
    }
  });

  it("may use its style, and may send its form only to the service and to plain http", async () => {
    const response = await openPage(service.issuer);
    const style = /<style>(.*)<\/style>/s.exec(await response.text())?.[1] ?? "";
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).toContain("form-action 'self' http:;");
  });

  it("says what is wrong with an address, and escapes it", async () => {
    const app = webApp(service.issuer);
    const question = locationOf(await app.authorize());
    const response = await app.browser.post(question, { email: hostile });
    const markup = await response.text();
    expect(response.status).toBe(400);
    expect(markup).toContain("This is not an e-mail address.");
    expect(markup).toContain(
      `value="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"`,
    );
    expect(markup).not.toContain("<script");
  });

  it("escapes the names of people", async () => {
    const odd: Person = { ...maria, fullName: hostile };
    const other = await startIdentityService({ residents: [odd] });
    const markup = await (await openPage(other.issuer)).text();
    await other.stop();
    expect(markup).toContain("&quot;&gt;&lt;script&gt;");
    expect(markup).not.toContain("<script");
  });
});
