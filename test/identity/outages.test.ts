import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createMailSender } from "../../src/identity/sending.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Mail, Sent } from "../../src/mail/mailer.ts";
import { locationOf, readJson } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import { type MailService, startMailService, visitorOf } from "../support/mail-sign-in.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { until } from "../support/waiting.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let relay: Relay;
let service: MailService;
beforeAll(async () => {
  const url = database.url("parking_api");
  relay = await startRelay(Number(new URL(url).port));
  service = await startMailService(database, { DATABASE_URL: relay.url(url) });
});
afterAll(async () => {
  await service.stop();
  await relay.close();
});

describe("while the database does not answer", () => {
  it("the sign-in is 503, nobody is signed out, and it goes on afterwards", async () => {
    const visitor = visitorOf(service.origin);
    const tokens = await visitor.signIn("maria@home.example", service.mails);
    const page = await visitor.begin({ prompt: "login" });
    await relay.refuse();
    const statuses = await Promise.all([
      visitor.authorize().then((it) => it.status),
      visitor.browser.get(page).then((it) => it.status),
      visitor.ask(page, "maria@home.example").then((it) => it.status),
      visitor.renew(tokens.refresh_token).then((it) => it.status),
    ]);
    expect(statuses).toEqual([503, 503, 503, 503]);
    await relay.mend();
    await until("an answer", async () => (await visitor.authorize()).status === 303);
    const renewed = await visitor.renew(tokens.refresh_token);
    expect((await readJson<Tokens>(renewed)).refresh_token).toBeDefined();
    expect(locationOf(await visitor.authorize({ prompt: "none" })).searchParams.has("code")).toBe(
      true,
    );
  });
});

describe("where the mail server hangs", () => {
  it("the page answers at once, and says that a code is on its way", async () => {
    service.mails.behave({ hangs: true });
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    expect((await visitor.ask(page, "omar@home.example")).status).toBe(303);
    expect(await (await visitor.browser.get(page)).text()).toContain("omar@home.example");
    expect(service.mails.received.filter(({ to }) => to[0] === "omar@home.example")).toEqual([]);
  });
});

describe("the mails with codes", () => {
  const mailTo = (to: string): Mail => ({ id: to, to, subject: "", text: "", html: "" });

  /** Sends by an answer for each attempt, and tells what happened. */
  function sender(answer: (mail: Mail, attempt: number) => Promise<Sent>) {
    const events: string[] = [];
    const attempts: string[] = [];
    const codes = createMailSender(
      {
        send(mail) {
          attempts.push(mail.to);
          return answer(mail, attempts.filter((to) => to === mail.to).length);
        },
      },
      createLogger("silent"),
      (event) => events.push(event),
      [0, 0, 0],
    );
    return { codes, events, attempts };
  }
  const fail = () => Promise.reject(new Error("the mail server answered 451 to RCPT TO"));

  it("are sent again where the server asks to come later, and given up after four attempts", async () => {
    const { codes, events, attempts } = sender((mail, attempt) =>
      mail.to === "late" && attempt > 2 ? Promise.resolve({}) : fail(),
    );
    codes.send(mailTo("late"));
    codes.send(mailTo("never"));
    await until("both ends", () => events.length === 2);
    expect(events.toSorted()).toEqual(["mail_failed", "mail_sent"]);
    expect(attempts.filter((to) => to === "never")).toHaveLength(4);
    expect(attempts.filter((to) => to === "late")).toHaveLength(3);
  });

  it("are not sent again where the server refuses for good", async () => {
    const { codes, events, attempts } = sender(async () => ({ refusal: "550" }));
    codes.send(mailTo("gone"));
    await until("its end", () => events.length === 1);
    expect([events, attempts]).toEqual([["mail_failed"], ["gone"]]);
  });

  it("wait four at a time and a hundred in all, so that a server that hangs fills no memory", async () => {
    const { codes, attempts } = sender(() => new Promise(() => {}));
    let sent = 0;
    while (codes.hasRoom()) {
      codes.send(mailTo(`a${sent}`));
      sent += 1;
    }
    expect(sent).toBe(104);
    expect(attempts).toHaveLength(4);
    codes.stop();
  });

  it("are given up when the process stops, and the log says so of each", async () => {
    const lines: string[] = [];
    const warn = (_: object, line: string) => lines.push(line);
    let attempts = 0;
    const mailer = {
      send(mail: Mail, signal: AbortSignal) {
        attempts += 1;
        if (mail.to === "pausing") return fail();
        return new Promise<Sent>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      },
    };
    const counted: string[] = [];
    const logger = Object.assign(createLogger("silent"), { warn, error: warn });
    const codes = createMailSender(mailer, logger, (it) => counted.push(it), [60_000]);
    codes.send(mailTo("pausing"));
    await until("its pause", () => lines.length === 1);
    for (let sent = 0; sent < 5; sent += 1) codes.send(mailTo(`a${sent}`));
    codes.stop();
    await until("all ends", () => counted.length === 6);
    expect(lines).toEqual([
      "a mail of the sign-in waits",
      ...Array(6).fill("a mail of the sign-in was given up"),
    ]);
    expect([attempts, counted]).toEqual([5, Array(6).fill("mail_failed")]);
    expect(codes.hasRoom()).toBe(true);
  });
});
