import * as oauth from "oauth4webapi";
import type { MessageKey } from "../messages/en.ts";

type Reason = Extract<MessageKey, `signIn.${string}`>;

/** The reason why nobody can be signed in, in words of the page, with the cause below it. */
export class SignInFailure extends Error {
  readonly text: Reason;

  constructor(text: Reason, cause?: unknown) {
    super(detailOf(cause), { cause });
    this.text = text;
  }
}

/** Answers to a silent attempt that only mean that the person must be asked. */
const QUESTIONS = [
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
];

export const isQuestion = (error: unknown): boolean =>
  error instanceof oauth.AuthorizationResponseError && QUESTIONS.includes(error.error);

export function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  return new SignInFailure(isRefusal(error) ? "signIn.refused" : "signIn.unusable", error);
}

const isRefusal = (error: unknown) =>
  error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;

/** Details for people who can fix it. The class name of an error means nothing in a bundle. */
function detailOf(cause: unknown): string {
  if (
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError
  ) {
    return [cause.error_description, `(${cause.error})`].filter(Boolean).join(" ");
  }
  return cause instanceof Error ? cause.message : "";
}
