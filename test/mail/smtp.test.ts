import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { smtpUrl } from "../../src/config/formats.ts";
import type { Mail } from "../../src/mail/mailer.ts";
import { smtpMailer } from "../../src/mail/smtp.ts";
import { type MailServer, startMailServer } from "./smtp-server.ts";

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const from = { name: "Parking", address: "parking@example.org" };
const message: Mail = {
  id: "mail.1",
  to: "maria@demo.example",
  subject: "Your parking spot was claimed",
  text: "Ihr Stellplatz wurde reserviert: 18 – 20 Uhr.\n",
  html: "<p>Ihr Stellplatz</p>",
  unsubscribeUrl: "https://parking.example/api/unsubscribe?sig=x&language=en",
};
const send = (
  change: Partial<Mail> = {},
  url = server.url,
  signal = new AbortController().signal,
) =>
  smtpMailer(
    { server: smtpUrl.read(url.href), from, publicUrl: "https://parking.example" },
    "/api",
  ).send({ ...message, ...change }, signal);
const named = () => `the mail server ${server.url.host}`;

it("gives a mail as text and HTML to the server", async () => {
  expect(await send()).toEqual({});
  const [mail] = server.received;
  expect(mail).toMatchObject({
    from: from.address,
    to: [message.to],
    text: expect.stringContaining(message.text),
    html: expect.stringContaining(message.html),
  });
  expect(mail?.headers).toEqual(
    expect.arrayContaining([
      "From: Parking <parking@example.org>",
      "To: maria@demo.example",
      "Subject: Your parking spot was claimed",
      "Message-ID: <mail.1@example.org>",
      "Auto-Submitted: auto-generated",
      `List-Unsubscribe: <${message.unsubscribeUrl}>`,
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ]),
  );
});

it("has nothing to end in a mail that nobody chose", async () => {
  await send({ unsubscribeUrl: undefined });
  expect(server.received[0]?.headers.join()).not.toMatch(/List-Unsubscribe/i);
});

it.each([
  "maria@demo.example, eve@evil.example",
  "Maria <eve@evil.example>",
  '"eve@evil.example" <maria@demo.example>',
  "maria@demo.example\r\nBcc: eve@evil.example",
  "maria@demo.example>\r\nRCPT TO:<eve@evil.example",
  "team:maria@demo.example,eve@evil.example;",
  "maria",
  "maria@localhost",
])("an address that is more than one gets nothing: %j", async (to) => {
  expect(await send({ to })).toEqual({ refusal: "no mail can go to such an address" });
  expect(server.received).toEqual([]);
});

describe("a server that does not want it", () => {
  it.each([
    ["the recipient", { toRecipient: 550 }, "answered 550 to RCPT TO"],
    ["the mail", { toMail: 554 }, "answered 554 to DATA"],
  ])("for good refuses %s once", async (_what, manners, refusal) => {
    server.behave(manners);
    expect(await send()).toEqual({ refusal: `${named()} ${refusal}` });
  });

  it.each([
    ["the recipient", { toRecipient: 450 }, "answered 450 to RCPT TO"],
    ["the mail", { toMail: 452 }, "answered 452 to DATA"],
  ])("just now is asked again about %s", async (_what, manners, failure) => {
    server.behave(manners);
    await expect(send()).rejects.toThrow(`${named()} ${failure}`);
    server.behave({});
    expect(await send()).toEqual({});
  });
});

describe("a server that cannot be used", () => {
  it("is asked again when it is gone, and is named without the password", async () => {
    const url = new URL(server.url);
    url.username = "ann";
    url.password = "secret";
    await server.close();
    await expect(send({}, url)).rejects.toThrow(
      new Error(`${named()} cannot be used: connect ECONNREFUSED ${url.host}`),
    );
  });

  it("is asked again when TLS fails, in one line that says why", async () => {
    const url = new URL(server.url);
    url.protocol = "smtps:";
    await expect(send({}, url)).rejects.toThrow(/ cannot be used: .*wrong version number.*\S$/);
  });

  it("is asked again when it hangs, and not waited for any longer", async () => {
    server.behave({ hangs: true });
    const ending = new AbortController();
    const sent = send({}, server.url, ending.signal);
    const failed = expect(sent).rejects.toThrow(`${named()} cannot be used: EABORT`);
    ending.abort();
    await failed;
  });

  it("is asked again when its answer is lost, with the same Message-ID", async () => {
    server.behave({ losesAnswer: true });
    await expect(send()).rejects.toThrow(`${named()} cannot be used: `);
    server.behave({});
    await send();
    const ids = server.received.map(({ headers }) => headers.find((it) => /^Message-ID/.test(it)));
    expect(ids).toEqual(["Message-ID: <mail.1@example.org>", "Message-ID: <mail.1@example.org>"]);
  });

  it("is asked again when it does not know the password", async () => {
    const url = new URL(server.url);
    url.username = "ann";
    url.password = "wrong";
    await expect(send({}, url)).rejects.toThrow(/^the mail server/);
  });
});
