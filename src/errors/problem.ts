import { type Failure, type FailureCode, failureOf } from "./failures.ts";

/** What is wrong with each field (specification, Errors). */
export type Details = Readonly<Record<string, { readonly _errors: readonly string[] }>>;

/** The same complaint about each of these fields. */
export const detailsOf = (fields: readonly string[], complaint: string): Details =>
  Object.fromEntries(fields.map((field) => [field, { _errors: [complaint] }]));

export interface ProblemExtras {
  /** Replaces the usual message of the failure. */
  readonly message?: string | undefined;
  readonly details?: Details | undefined;
  /** The message in other languages. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

/** A failure whose status and message are meant for the caller. Anything else thrown is a 500. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Details | undefined;
  readonly translations: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param failure the code of a known failure, or a rule of the database */
  constructor(failure: FailureCode | Failure, extras: ProblemExtras = {}) {
    const { code, status, message } = typeof failure === "string" ? failureOf(failure) : failure;
    super(extras.message ?? message, { cause: extras.cause });
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.details = extras.details;
    this.translations = extras.translations ?? {};
    this.headers = extras.headers ?? {};
  }

  /** The failure in this language. If a rule has details, they repeat its message. */
  in(language: string): Problem {
    const message = this.translations[language];
    if (message === undefined) return this;
    const { code, status, headers, cause } = this;
    return new Problem(
      { code, status, message },
      {
        details: this.details && detailsOf(Object.keys(this.details), message),
        headers: { ...headers, "Content-Language": language },
        cause,
      },
    );
  }
}

/** The 400 for one field, parameter or header. */
export const invalidField = (field: string, complaint: string): Problem =>
  new Problem("validation_failed", { details: detailsOf([field], complaint) });

/** PostgreSQL allows any characters in the name of a rule, but a header allows only a few. */
export const codeHeader = ({ code }: Problem): Readonly<Record<string, string>> => ({
  "X-Error-Code": encodeURIComponent(code),
});

/** 503: the database or the identity provider cannot be reached now. */
export const serviceUnavailable = (cause?: unknown): Problem =>
  new Problem("service_unavailable", { headers: { "Retry-After": "5" }, cause });

/** 503: there are more requests than can be answered in time. A moment later there may be fewer. */
export const overloaded = (cause: string): Problem =>
  new Problem("service_unavailable", { headers: { "Retry-After": "1" }, cause });

/** Nobody reads this answer, but the log has it. */
export const clientLeft = (): Problem =>
  new Problem({ code: "client_left", status: 499, message: "The client has left" });
