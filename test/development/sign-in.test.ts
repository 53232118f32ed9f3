import { createHash } from "node:crypto";
import { afterAll, afterEach, describe, expect, it, jest } from "@jest/globals";
import { decodeJwt } from "jose";
import { type Person, people } from "../../src/development/people.ts";
import { formOf, locationOf, readJson } from "../support/browser.ts";
import { startIdentityService } from "../support/identity-service.ts";
import { type Tokens, webApp } from "../support/web-app.ts";

const { maria, omar } = people;
const hostile = `"><script>alert('1')</script>&`;
const service = await startIdentityService();

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(service.stop);

describe("the sign-in page", () => {
  it("lists the people with their apartments and accounts", async () => {
    const app = webApp(service.issuer);
    const response = await app.browser.get(locationOf(await app.authorize()));
    const markup = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
    for (const { email, fullName, apartmentNumber, account } of Object.values(people)) {
      expect(markup).toMatch(
        new RegExp(`value="${email}">\\s.*${fullName}.*\\s.*${apartmentNumber}<.*\\s.*${account}<`),
      );
    }
  });

  it("takes its style, and may send its form to nobody but the service and web apps", async () => {
    const app = webApp(service.issuer);
    const response = await app.browser.get(locationOf(await app.authorize()));
    const style = /<style>(.*)<\/style>/s.exec(await response.text())?.[1] ?? "";
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:* http://localhost:*;");
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

  it("escapes the people, too", async () => {
    const odd: Person = { ...maria, fullName: hostile };
    const other = await startIdentityService({ residents: [odd] });
    const app = webApp(other.issuer);
    const markup = await (await app.browser.get(locationOf(await app.authorize()))).text();
    await other.stop();
    expect(markup).toContain("&quot;&gt;&lt;script&gt;");
    expect(markup).not.toContain("<script");
  });

  it("is for the browser alone that asked for it", async () => {
    const question = locationOf(await webApp(service.issuer).authorize());
    const { browser } = webApp(service.issuer);
    for (const response of [
      await browser.get(question),
      await browser.post(question, { email: maria.email }),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("interaction session id cookie not found");
    }
  });

  it("does not read endless forms", async () => {
    const app = webApp(service.issuer);
    const question = locationOf(await app.authorize());
    const response = await app.browser.post(question, { email: "a".repeat(10_000) });
    expect(response.status).toBe(413);
  });

  it("tells of a failure of its own without the cause", async () => {
    const log = jest.spyOn(console, "error").mockImplementation(() => {});
    const failing: Person = {
      ...maria,
      get fullName(): string {
        throw new Error("private matter");
      },
    };
    const other = await startIdentityService({ residents: [failing] });
    const app = webApp(other.issuer);
    const response = await app.browser.get(locationOf(await app.authorize()));
    await other.stop();
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toMatch("text/html");
    expect(await response.text()).not.toContain("private matter");
    expect(log.mock.calls.join()).toContain("private matter");
  });

  it("tells of a failure of the provider without the cause", async () => {
    const log = jest.spyOn(console, "error").mockImplementation(() => {});
    let isFailing = false;
    const failing: Person = {
      ...maria,
      get email(): string {
        if (isFailing) throw new Error("private matter");
        return "maria@demo.example";
      },
    };
    const other = await startIdentityService({ residents: [failing] });
    const app = webApp(other.issuer);
    const { searchParams } = await app.signIn("maria@demo.example");
    isFailing = true;
    const response = await app.exchange(searchParams.get("code"));
    await other.stop();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("private matter");
    expect(log.mock.calls.join()).toContain("private matter");
  });
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

  it("ends with a page of ours where no client is waiting, and leads to no stranger", async () => {
    const { browser } = webApp(service.issuer);
    const end = `${service.issuer}/session/end?client_id=parking-docs`;
    const page = await browser.get(end);
    const { action, fields } = formOf(await page.text());
    const ended = locationOf(await browser.post(action, fields));
    expect(await (await browser.get(ended)).text()).toContain("<h1>Signed out</h1>");

    const stranger = await browser.get(`${end}&post_logout_redirect_uri=https://evil.example/`);
    expect(stranger.status).toBe(400);
  });

  it("changes from one person to another", async () => {
    const app = webApp(service.issuer);
    await app.tokensOf(maria.email);
    const { access_token: token } = await app.tokensOf(omar.email);
    expect(decodeJwt(token).sub).toBe(omar.id);
  });
});
