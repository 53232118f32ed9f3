/** What went wrong with one field, in the shape the interface promises (specification, Errors). */
export type Details = Readonly<Record<string, { readonly _errors: readonly string[] }>>;

export interface ProblemExtras {
  readonly details?: Details | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The name of the rule that refused, by which programs know it. */
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

/** A failure whose status and message are meant for the caller. Anything else thrown is a 500. */
export class Problem extends Error {
  readonly status: number;
  readonly details: Details | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string | undefined;

  constructor(status: number, message: string, extras: ProblemExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = "Problem";
    this.status = status;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
    this.code = extras.code;
  }
}

/** 503: the database or the identity provider cannot be reached just now. */
export const serviceUnavailable = (cause?: unknown): Problem =>
  new Problem(503, "Service unavailable", { headers: { "Retry-After": "5" }, cause });
