import { afterEach, expect, it } from "@jest/globals";
import { developmentToken } from "../../../src/development/index.ts";
import { people } from "../../../src/development/people.ts";
import { startMailServer } from "../../mail/smtp-server.ts";
import { type DemoService, startDemoService } from "../../support/demo-service.ts";
import type { Settings } from "../../support/settings.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(settings?: Settings): Promise<DemoService> {
  const service = await startDemoService(settings);
  stops.push(service.stop);
  return service;
}
const read = async ({ origin }: DemoService, path: string) => {
  const answer = await fetch(origin + path);
  return { answer, text: await answer.text() };
};
/** A change by the administrator. */
async function change(service: DemoService, method: string, path: string, body: object) {
  const token = await developmentToken(people.ada.email, service);
  return fetch(`${service.origin}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
const invitations = [{ email: "zoe@new.example", apartment_number: "2B" }];

it("shows at /mail what would be sent, and keeps what people wrote a text", async () => {
  const service = await start();
  expect((await read(service, "/mail")).text).toContain("There are none yet.");
  const name = "<script>alert(1)</script>";
  await change(service, "PUT", "/admin/building", { name });
  expect((await change(service, "POST", "/admin/invitations", { invitations })).status).toBe(201);

  let list = await read(service, "/mail");
  while (!list.text.includes("zoe@new.example")) list = await read(service, "/mail");
  expect(list.text).toContain("You are invited to share parking spots");
  expect(list.text).not.toContain("<script>alert");

  // By day, the demo's administrator gets one too: people wait for approval.
  const mail = list.text.split("<section>").find((it) => it.includes("zoe@new.example"));
  const path = /href="(\/mail\/[^"]+)"/.exec(mail ?? "")?.[1] ?? "";
  const { answer, text } = await read(service, path);
  expect(answer.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'/);
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).toContain(`<a href="${service.origin}">`);
});

it("sends them where a server is set", async () => {
  const server = await startMailServer();
  stops.push(server.close);
  const service = await start({
    SMTP_URL: server.url.href,
    MAIL_FROM: "Parking <parking@example.org>",
    PUBLIC_URL: "https://parking.example",
  });
  expect((await change(service, "POST", "/admin/invitations", { invitations })).status).toBe(201);
  // By day, the demo's administrator gets one too: people wait for approval.
  const toZoe = ({ to }: { readonly to: readonly string[] }) => to.includes("zoe@new.example");
  let mails = await server.until(1);
  while (!mails.some(toZoe)) mails = await server.until(mails.length + 1);
  const mail = mails.find(toZoe);
  expect(mail).toMatchObject({ from: "parking@example.org" });
  expect(mail?.text).toContain("Open: https://parking.example");
  expect((await read(service, "/mail")).text).toContain("There are none yet.");
});
