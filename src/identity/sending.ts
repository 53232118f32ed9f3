import { randomUUID } from "node:crypto";
import { reasonOf } from "../errors/reason.ts";
import { html } from "../http/html.ts";
import type { Logger } from "../log/logger.ts";
import type { Mail, Mailer } from "../mail/mailer.ts";
import type { Language } from "../texts/kinds.ts";
import { signInTexts } from "../texts/sign-in.ts";
import type { CountSignIns } from "./counts.ts";

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
const PAUSES_MS = [5_000, 30_000, 120_000];
const STOPS = "the process stops"; // the reason for giving up what is not sent yet

interface Waiting {
  readonly mail: Mail;
  /** How many attempts have failed. */
  readonly failures: number;
}

export function createMailSender(
  mailer: Pick<Mailer, "send">,
  logger: Logger,
  count: CountSignIns,
  pauses = PAUSES_MS,
): MailSender {
  const stopping = new AbortController();
  const waiting: Waiting[] = [];
  /** For the next attempts. */
  const pausing = new Set<NodeJS.Timeout>();
  let sending = 0;

  function sendNext(): void {
    while (sending < AT_ONCE && !stopping.signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) return;
      sending += 1;
      void attempt(next).finally(() => {
        sending -= 1;
        sendNext();
      });
    }
  }

  async function attempt({ mail, failures }: Waiting): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const { refusal } = await mailer.send(mail, signal);
      count(refusal === undefined ? "mail_sent" : "mail_failed");
      if (refusal !== undefined)
        logger.warn({ reason: refusal }, "a mail of the sign-in was refused");
    } catch (error) {
      const pause = pauses[failures];
      const reason = reasonOf(error);
      if (stopping.signal.aborted) giveUp(STOPS);
      else if (pause === undefined) giveUp(reason);
      else {
        logger.warn({ reason, again: pause / 1_000 }, "a mail of the sign-in waits");
        later({ mail, failures: failures + 1 }, pause);
      }
    }
  }

  function giveUp(reason: string): void {
    count("mail_failed");
    logger.error({ reason }, "a mail of the sign-in was given up");
  }

  /** Others are sent meanwhile. */
  function later(next: Waiting, milliseconds: number): void {
    const timer = setTimeout(() => {
      pausing.delete(timer);
      waiting.push(next);
      sendNext();
    }, milliseconds).unref();
    pausing.add(timer);
  }

  return {
    hasRoom: () => waiting.length + pausing.size < MOST_WAITING,
    send(mail) {
      waiting.push({ mail, failures: 0 });
      sendNext();
    },
    stop() {
      stopping.abort();
      for (const timer of pausing) clearTimeout(timer);
      for (const _ of [...waiting.splice(0), ...pausing]) giveUp(STOPS);
      pausing.clear();
    },
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
