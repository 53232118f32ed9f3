import * as oauth from "oauth4webapi";
import type { MessageKey } from "../messages/en.ts";

type Reason = Extract<MessageKey, `signIn.${string}`>;

/** Why nobody can be signed in: in words of the page, and below them what caused it. */
export class SignInFailure extends Error {
  readonly text: Reason;

  constructor(text: Reason, cause?: unknown) {
    super(detailOf(cause), { cause });
    this.text = text;
  }
}

/** Answers of a silent attempt that only say that the person has to be asked. */
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

/** For the person who can mend it; the name of an error's class means nothing in a built page. */
function detailOf(cause: unknown): string {
  if (
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError
  ) {
    return [cause.error_description, `(${cause.error})`].filter(Boolean).join(" ");
  }
  return cause instanceof Error ? cause.message : "";
}
