import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { reasonOf } from "../errors/reason.ts";
import { html } from "../http/html.ts";
import type { Logger } from "../log/logger.ts";
import type { Mail, Mailer } from "../mail/mailer.ts";
import type { SignInTexts } from "../texts/sign-in.ts";
import type { CountSignIns } from "./counts.ts";
import type { Reader } from "./pages.ts";

/** Sends the mails of the sign-in after the answers were given. A code is only in memory. */
export interface MailSender {
  /** Whether another mail can be sent soon. */
  hasRoom(): boolean;
  send(mail: Mail): void;
  /** Ends what is not sent yet. */
  stop(): void;
}

const AT_ONCE = 4;
const MOST_WAITING = 100;
const PATIENCE_MS = 20_000;
/** A server that asks to come again, such as for greylisting, gets the mail after these pauses. */
const PAUSES_MS = [5_000, 30_000, 120_000];

export function createMailSender(
  mailer: Pick<Mailer, "send">,
  logger: Logger,
  count: CountSignIns,
  pauses = PAUSES_MS,
): MailSender {
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns: (() => void)[] = [];
  let free = AT_ONCE;
  let unsent = 0;

  async function attempt(mail: Mail): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => turns.push(resolve));
    try {
      signal.throwIfAborted();
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const { refusal } = await mailer.send(mail, AbortSignal.any([signal, patience]));
      count(refusal === undefined ? "mail_sent" : "mail_failed");
      if (refusal !== undefined)
        logger.warn({ reason: refusal }, "a mail of the sign-in was refused");
    } finally {
      const next = turns.shift();
      if (next) next();
      else free += 1;
    }
  }

  /** Others are sent while it waits for its next attempt. */
  async function deliver(mail: Mail): Promise<void> {
    for (const pause of pauses) {
      try {
        return await attempt(mail);
      } catch (error) {
        signal.throwIfAborted();
        const reason = reasonOf(error);
        logger.warn({ reason, again: pause / 1_000 }, "a mail of the sign-in waits");
        await setTimeout(pause, undefined, { signal, ref: false });
      }
    }
    await attempt(mail);
  }

  async function send(mail: Mail): Promise<void> {
    unsent += 1;
    try {
      await deliver(mail);
    } catch (error) {
      count("mail_failed");
      const reason = reasonOf(signal.aborted ? signal.reason : error);
      logger.error({ reason }, "a mail of the sign-in was given up");
    } finally {
      unsent -= 1;
    }
  }

  return {
    hasRoom: () => unsent < AT_ONCE + MOST_WAITING,
    send: (mail) => void send(mail),
    stop: () => stopping.abort(new Error("the process stops")),
  };
}

type CodeTexts = SignInTexts["mail"];

/** It has no link: nobody learns to follow one to a page that asks for a code. */
export function codeMailOf(to: string, code: string, texts: CodeTexts, reader: Reader): Mail {
  const [subject, sentence] = [texts.subject(code, reader.name), texts.sentence(reader.name)];
  return letterOf(to, { subject, sentence, code, warning: texts.warning }, reader);
}

interface Letter {
  readonly sentence: string;
  /** By default the sentence. */
  readonly subject?: string;
  readonly code?: string;
  readonly warning: string;
}

/** A mail about the sign-in of a person. */
export function letterOf(to: string, letter: Letter, { language, texts }: Reader): Mail {
  const { sentence, subject = sentence, code, warning } = letter;
  const lasts = code && texts.lasts;
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
<p>${sentence}</p>
${code ? html`<p><strong style="font-size: 2em; letter-spacing: 0.1em">${code}</strong></p>` : ""}
${lasts ? html`<p>${lasts}</p>` : ""}
<p><small>${warning}</small></p>
</body>
</html>
`;
  const parts = [sentence, code, lasts, "-- ", warning].filter((part) => part !== undefined);
  return {
    id: `sign-in.${randomUUID()}`,
    to,
    subject,
    text: `${parts.join("\n\n")}\n`,
    html: markup,
  };
}
