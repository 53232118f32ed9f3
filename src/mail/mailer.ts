/** A mail that is ready to be sent. People write nothing in its headers except the address. */
export interface Message {
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
  readonly send: (message: Message, signal: AbortSignal) => Promise<Sent>;
}

/** The path for unsubscribing, which src/pages/unsubscribe.ts serves. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

export const addressesAt = (publicUrl: string, basePath: string) => ({
  publicUrl,
  unsubscribeUrl: publicUrl + basePath + UNSUBSCRIBE_PATH,
});
