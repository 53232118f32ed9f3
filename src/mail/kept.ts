import { addressesAt, type Mailer, type Message } from "./mailer.ts";

/** A mail that was not sent, and the time. */
export interface KeptMail extends Message {
  readonly keptAt: Date;
}

export interface MailBox extends Mailer {
  /** The newest comes first. */
  readonly mails: () => readonly KeptMail[];
}

const MOST_KEPT = 100;

/** Keeps the latest mails in memory instead of sending them, for development. */
export function keepMails(publicUrl: string, basePath: string): MailBox {
  const kept: KeptMail[] = [];
  return {
    ...addressesAt(publicUrl, basePath),
    async send(message) {
      kept.unshift({ ...message, keptAt: new Date() });
      kept.splice(MOST_KEPT);
      return {};
    },
    mails: () => kept,
  };
}
