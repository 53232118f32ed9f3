/** A mail as it leaves. Nothing in its headers but the address is written by people. */
export interface Message {
  /** Identifies it: whoever gets it twice can tell. Letters, digits, dots and hyphens. */
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
  readonly send: (message: Message, signal: AbortSignal) => Promise<Sent>;
}
