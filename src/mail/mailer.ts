/** A mail as it leaves. Nothing in its headers but the address is written by people. */
export interface Message {
  /** Identifies it: one that comes twice can be told. Letters, digits, dots and hyphens. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where one click ends all mails to this person. */
  readonly unsubscribeUrl?: string | undefined;
}

/** What became of a mail. It was taken, or will never be: an error means that it may be later. */
export interface Sent {
  readonly refusal?: string;
}

/** What gives mails away. */
export interface Mailer {
  /** Where the links of the mails lead to. */
  readonly publicUrl: string;
  /** Where mails are ended; the key of the person follows. */
  readonly unsubscribeUrl: string;
  readonly send: (message: Message, signal: AbortSignal) => Promise<Sent>;
}

/** What unsubscribing is below, as src/pages/unsubscribe.ts answers it. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

export const addressesAt = (publicUrl: string, basePath: string) => ({
  publicUrl,
  unsubscribeUrl: publicUrl + basePath + UNSUBSCRIBE_PATH,
});
