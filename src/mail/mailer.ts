/** A mail that is ready to be sent. People write nothing in its headers except the address. */
export interface Mail {
  /** The id of the mail, which shows a duplicate. Letters, digits, dots and hyphens. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** One click at this address ends all mails to this person. */
  readonly unsubscribeUrl?: string | undefined;
}

/**
 * The result for a mail: accepted now, or refused for ever. An error means that it may be later.
 */
export interface Sent {
  readonly refusal?: string;
}

/** Sends mails. */
export interface Mailer {
  /** The origin of the links in mails. */
  readonly publicUrl: string;
  /** The address for unsubscribing, without the key of the person at its end. */
  readonly unsubscribeUrl: string;
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<Sent>;
}

/** The path for unsubscribing, which src/pages/unsubscribe.ts serves. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

export const addressesAt = (publicUrl: string, basePath: string) => ({
  publicUrl,
  unsubscribeUrl: publicUrl + basePath + UNSUBSCRIBE_PATH,
});

/** A mail that was not sent, and the time. */
export interface KeptMail extends Mail {
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
    async send(mail) {
      kept.unshift({ ...mail, keptAt: new Date() });
      kept.splice(MOST_KEPT);
      return {};
    },
    mails: () => kept,
  };
}
