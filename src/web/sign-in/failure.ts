import type { MessageKey } from "../messages/en.ts";

type Reason = Extract<MessageKey, `signIn.${string}`>;

/** The reason why nobody can be signed in, in words of the page, with the cause below it. */
export class SignInFailure extends Error {
  readonly text: Reason;

  constructor(text: Reason, cause?: unknown, detail = cause instanceof Error ? cause.message : "") {
    super(detail, { cause });
    this.text = text;
  }
}
