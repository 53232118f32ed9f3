/** A refusal: a code for programs, and a message for people. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/**
 * Every failure that no rule of the database raises, by its code: the header X-Error-Code in REST,
 * `extensions.code` in GraphQL. A rule has its name as code and its comment as message.
 */
export const failures = {
  validation_failed: {
    status: 400,
    message: "Validation failed",
    when: "A field or parameter is missing, unknown or malformed; `details` names it.",
  },
  malformed_request: {
    status: 400,
    message: "The request is not valid HTTP/1.1",
    when: "The request, or its body, is not HTTP/1.1 or HTTP/1.0.",
  },
  invalid_json: {
    status: 400,
    message: "The request body is not valid JSON",
    when: "The body is not JSON in UTF-8, or not an object.",
  },
  incomplete_body: {
    status: 400,
    message: "The request body is incomplete",
    when: "The connection ended before the body did.",
  },
  invalid_document: {
    status: 400,
    message: "The document is not valid",
    when: "GraphQL: the document has a syntax error, or does not fit the schema.",
  },
  document_too_large: {
    status: 400,
    message: "The document asks for too much",
    when: "GraphQL: the document asks for more than one request may.",
  },
  invalid_data: {
    status: 400,
    message: "Invalid data",
    when: "A rule without a message refuses a value, or PostgreSQL cannot read it.",
  },
  authentication_required: {
    status: 401,
    message: "Authentication required",
    when: "The token is missing or not valid.",
  },
  forbidden: {
    status: 403,
    message: "Insufficient permissions",
    when: "A rule without a message refuses the caller, or the key of a machine is sent where no key may be.",
  },
  not_found: {
    status: 404,
    message: "Not found",
    when: "There is no such path, or no such row for the caller.",
  },
  method_not_allowed: {
    status: 405,
    message: "Method not allowed",
    when: "The path does not have this method; `Allow` lists those that it has.",
  },
  request_timeout: {
    status: 408,
    message: "The request took too long",
    when: "The headers did not arrive within 10 seconds, or the body within 30.",
  },
  conflict: {
    status: 409,
    message: "Conflicts with existing data",
    when: "A rule without a message finds a duplicate.",
  },
  precondition_failed: {
    status: 412,
    message: "It has changed since it was read: read it again",
    when: "`If-Match` does not have the tag that the resource has now. Nothing was changed.",
  },
  body_too_large: {
    status: 413,
    message: "The request body is larger than 100 kB",
    when: "The body is larger than 100 kB (a list of invitations: 256 kB), or the extensions of its chunks than 16 kB.",
  },
  unsupported_media_type: {
    status: 415,
    message: "The request body must be application/json",
    when: "The body is not JSON in UTF-8, or it is compressed.",
  },
  expectation_failed: {
    status: 417,
    message: "Only 100-continue can be expected",
    when: "`Expect` asks for something else.",
  },
  too_many_requests: {
    status: 429,
    message: "Too many requests",
    when: "A rate limit is exceeded; `Retry-After` says how long to wait.",
  },
  headers_too_large: {
    status: 431,
    message: "The request headers are larger than 16 kB",
    when: "The headers are larger than 16 kB.",
  },
  internal_error: {
    status: 500,
    message: "Internal server error",
    when: "Something unexpected failed: a defect of the service.",
  },
  service_unavailable: {
    status: 503,
    message: "Service unavailable",
    when: "The database or the identity provider does not answer now, or too many requests wait for an answer; `Retry-After` says when to try again.",
  },
} as const satisfies Readonly<Record<string, Omit<Failure, "code"> & { readonly when: string }>>;

export type FailureCode = keyof typeof failures;

/** A known failure, with its code. */
export const failureOf = (code: FailureCode): Failure & { readonly when: string } => ({
  code,
  ...failures[code],
});

/** What is wrong with each field (specification, Errors). */
export type Details = Readonly<Record<string, { readonly _errors: readonly string[] }>>;

/** The same complaint about each of these fields. */
export const detailsOf = (fields: readonly string[], complaint: string): Details =>
  Object.fromEntries(fields.map((field) => [field, { _errors: [complaint] }]));

interface ProblemExtras {
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
