import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { developmentAudience } from "../../../src/development/access-token.ts";
import { people } from "../../../src/development/people.ts";
import { formOf, locationOf, readJson } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { type Tokens, webApp } from "../../support/web-app.ts";

const { maria, omar } = people;
const service = await startIdentityService();

afterAll(service.stop);

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

  it("ends with our own page where no client is waiting, and redirects to no other host", async () => {
    const { browser } = webApp(service.issuer);
    const end = `${service.issuer}/session/end?client_id=parking-docs`;
    const page = await browser.get(end);
    const { action, fields } = formOf(await page.text());
    const ended = locationOf(await browser.post(action, fields));
    expect(await (await browser.get(ended)).text()).toContain("<h1>Signed out</h1>");

    const stranger = await browser.get(`${end}&post_logout_redirect_uri=https://evil.example/`);
    expect(stranger.status).toBe(400);
  });

  it("ends by a script that the page's policy allows", async () => {
    const page = await webApp(service.issuer).browser.get(`${service.issuer}/session/end`);
    const script = /<script>(.*)<\/script>/s.exec(await page.text())?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'sha256-${hash}'`);
  });

  it("has cookies that neither scripts nor the rest of the service receive", async () => {
    const app = webApp(service.issuer);
    const question = locationOf(await app.authorize());
    const answer = await app.browser.post(question, { email: maria.email });
    const cookies = (await app.browser.get(locationOf(answer))).headers.getSetCookie();
    const session = cookies.find((cookie) => cookie.startsWith("_session="));
    expect(session).toMatch(/; path=\/identity;.*; httponly/);
  });

  it("can be left behind with a refresh token, each of which is good once", async () => {
    const app = webApp(service.issuer);
    const scope = "openid email offline_access";
    const tokens = await app.tokensOf(maria.email, { scope, prompt: "consent" });
    const renew = () => app.renew(tokens.refresh_token);

    const renewed = await readJson<Tokens>(await renew());
    expect(decodeJwt(renewed.access_token)).toMatchObject({
      sub: maria.id,
      email: maria.email,
      aud: developmentAudience,
    });
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await (await renew()).json()).toMatchObject({ error: "invalid_grant" });
  });

  it("changes from one person to another", async () => {
    const app = webApp(service.issuer);
    await app.tokensOf(maria.email);
    const { access_token: token } = await app.tokensOf(omar.email);
    expect(decodeJwt(token).sub).toBe(omar.id);
  });
});
