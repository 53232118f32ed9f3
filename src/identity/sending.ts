import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { reasonOf } from "../errors/reason.ts";
import { html } from "../http/html.ts";
import type { Logger } from "../log/logger.ts";
import type { Mail, Mailer } from "../mail/mailer.ts";
import type { Language } from "../texts/kinds.ts";
import { signInTexts } from "../texts/sign-in.ts";

export interface CodeMail {
  readonly to: string;
  readonly code: string;
  readonly language: Language;
  readonly building: string;
  /** It changes the address of the sign-in. */
  readonly isChange?: boolean;
}

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
const PAUSES_MS = [0, 5_000, 30_000, 120_000];

export function createMailSender(mailer: Pick<Mailer, "send">, logger: Logger): MailSender {
  const stopping = new AbortController();
  const waiting: Mail[] = [];
  let sending = 0;

  async function sendNext(): Promise<void> {
    const next = waiting.shift();
    if (next === undefined || sending >= AT_ONCE) {
      if (next) waiting.unshift(next);
      return;
    }
    sending += 1;
    await deliver(next).catch(() => {}); // the service stops
    sending -= 1;
    await sendNext();
  }

  async function deliver(mail: Mail): Promise<void> {
    for (const [attempt, pause] of PAUSES_MS.entries()) {
      await setTimeout(pause, undefined, { signal: stopping.signal, ref: false });
      try {
        const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]);
        const { refusal } = await mailer.send(mail, signal);
        if (refusal) logger.warn({ reason: refusal }, "a mail of the sign-in was refused");
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const again = PAUSES_MS[attempt + 1];
        const about = { reason: reasonOf(error), ...(again && { again: again / 1_000 }) };
        logger.warn(
          about,
          again ? "a mail of the sign-in waits" : "a mail of the sign-in was given up",
        );
      }
    }
  }

  return {
    hasRoom: () => waiting.length < MOST_WAITING,
    send(mail) {
      waiting.push(mail);
      void sendNext();
    },
    stop: () => stopping.abort(),
  };
}

/** It has no link: nobody learns to follow one to a page that asks for a code. */
export function codeMailOf({ to, code, language, building, isChange }: CodeMail): Mail {
  const texts = signInTexts[language];
  const mail = isChange ? texts.change.mail : texts.mail;
  const { sentence, subject, lasts, warning } = mail;
  return letterOf({
    to,
    language,
    subject: subject(code, building),
    sentence: sentence(building),
    code,
    lasts,
    warning,
  });
}

interface Letter {
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly sentence: string;
  readonly code?: string;
  readonly lasts?: string;
  readonly warning: string;
}

/** A mail about the sign-in of a person. */
export function letterOf(letter: Letter): Mail {
  const { to, language, subject, sentence, code, lasts, warning } = letter;
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
