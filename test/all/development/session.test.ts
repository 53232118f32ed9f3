import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { people } from "../../../src/development/people.ts";
import { formOf, locationOf, readJson } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { type Tokens, webApp } from "../../support/web-app.ts";

const { maria } = people;
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
});
