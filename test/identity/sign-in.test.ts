import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { withClient } from "../../src/database/client.ts";
import { readJson } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import {
  codeFor,
  type MailService,
  not,
  startMailService,
  visitorOf,
} from "../support/mail-sign-in.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let service: MailService;
beforeAll(async () => {
  service = await startMailService(database);
});
afterAll(() => service.stop());

it("signs somebody in with a code from a mail, and knows them at the next sign-in", async () => {
  const visitor = visitorOf(service.origin);
  const page = await visitor.begin();
  expect(page.pathname).toMatch(/^\/identity\/interaction\//);

  const asked = await visitor.ask(page, " Maria@Home.example ");
  expect(asked.status).toBe(303);
  const code = await codeFor(service.mails, "maria@home.example");

  const wrong = await visitor.type(page, not(code));
  expect(wrong.status).toBe(400);
  const other = await visitor.browser.post(page, { other: "yes" });
  expect(await other.text()).toContain('name="email"');
  const back = await visitor.follow(await visitor.type(page, code));
  expect(back.origin + back.pathname).toBe(`${service.origin}/`);
  expect(back.searchParams.get("state")).toBe("of-the-page");
  expect(back.searchParams.get("iss")).toBe(`${service.origin}/identity`);

  const tokens = await readJson<Tokens>(await visitor.exchange(back.searchParams.get("code")));
  const claims = decodeJwt(tokens.access_token);
  const { iss, aud, sub, nonce } = decodeJwt(tokens.id_token);
  expect({ iss, aud, sub, nonce }).toEqual({
    iss: `${service.origin}/identity`,
    aud: "parking-web",
    sub: claims.sub,
    nonce: "of-the-page-too",
  });
  expect(claims).toMatchObject({ email: "maria@home.example", email_verified: true });
  const answer = await fetch(`${service.origin}/api/profile`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });
  expect(answer.status).toBe(404); // she has no profile yet

  const silent = await visitor.begin({ prompt: "none", id_token_hint: tokens.id_token });
  expect(silent.searchParams.get("code")).toMatch(/./);
  const renewed = await readJson<Tokens>(await visitor.renew(tokens.refresh_token));
  expect(decodeJwt(renewed.access_token).sub).toBe(claims.sub);

  expect((await visitor.begin({ prompt: "login" })).pathname).toMatch(/interaction/);

  const elsewhere = await visitorOf(service.origin).signIn("maria@home.example", service.mails);
  expect(decodeJwt(elsewhere.access_token).sub).toBe(claims.sub);
});

it("speaks the language that somebody chose in the page, and no other that is asked for", async () => {
  const visitor = visitorOf(service.origin);
  const page = await visitor.begin({ ui_locales: "de" });
  expect(await (await visitor.browser.get(page)).text()).toContain('<html lang="de">');
  await visitor.ask(page, "lena@home.example");
  await codeFor(service.mails, "lena@home.example");
  expect(service.mails.received.at(-1)?.text).toContain("Mit diesem Code");

  const unknown = await visitor.begin({ ui_locales: "xx", prompt: "login" });
  expect(await (await visitor.browser.get(unknown)).text()).toContain('<html lang="en">');
});

it("stores no secret that a browser or a mail has", async () => {
  const visitor = visitorOf(service.origin);
  const tokens = await visitor.signIn("omar@home.example", service.mails);
  const page = await visitor.begin({ prompt: "login" });
  const stored = await withClient(database.url("postgres"), async (client) => {
    const { rows } = await client.query(
      `select (select json_agg(d) from identity.documents d)::text
           || (select json_agg(k) from identity.keys k)::text as everything`,
    );
    return String(rows[0]?.everything);
  });
  expect(stored).toContain("RefreshToken");
  const cookies = visitor.browser.cookies().map(({ pair }) => pair.split("=")[1] ?? "");
  expect(cookies.length).toBeGreaterThan(3);
  const secrets = [tokens.refresh_token ?? "", page.pathname.split("/").at(-1) ?? "", ...cookies];
  for (const secret of secrets) expect(stored).not.toContain(secret);
});
