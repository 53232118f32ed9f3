import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type Person, people } from "../../../src/development/people.ts";
import { locationOf } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { webApp } from "../../support/web-app.ts";

const { maria } = people;
const hostile = `"><script>alert('1')</script>&`;
const service = await startIdentityService();

afterAll(service.stop);

async function openPage(issuer: string): Promise<Response> {
  const app = webApp(issuer);
  return app.browser.get(locationOf(await app.authorize()));
}

describe("the sign-in page", () => {
  it("lists the people with their apartments and accounts", async () => {
    const response = await openPage(service.issuer);
    const markup = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
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
    expect(policy).toContain("default-src 'none'");
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

  it("refuses a form that is too long", async () => {
    const app = webApp(service.issuer);
    const question = locationOf(await app.authorize());
    const response = await app.browser.post(question, { email: "a".repeat(10_000) });
    expect(response.status).toBe(413);
  });
});
