import { now } from "../time/now.ts";

export class ApiProblem extends Error {
  readonly status: number;
  /** The name of the rule that refused, or a word such as `not_found`. */
  readonly code: string;
  /** What is wrong with each field of the request. */
  readonly details: Readonly<Record<string, string>>;
  /** The time when the service accepts the request again, for 429 and 503. */
  readonly again: number;

  constructor(response: Response, body: unknown) {
    const { error, details } = isFailure(body) ? body : { error: "", details: {} };
    super(error || response.statusText || String(response.status));
    this.status = response.status;
    this.code = response.headers.get("X-Error-Code") ?? "";
    this.again = now() + retryAfter(response);
    this.details = Object.fromEntries(
      Object.entries(details ?? {}).map(([field, { _errors }]) => [field, _errors.join(". ")]),
    );
  }
}

export const retryAfter = ({ headers }: Response): number =>
  (Number(headers.get("Retry-After")) || 1) * 1_000;

interface Failure {
  readonly error: string;
  readonly details?: Readonly<Record<string, { readonly _errors: readonly string[] }>>;
}

const isFailure = (body: unknown): body is Failure =>
  typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";

/** No answer came: the browser is offline, or the service does not answer. */
export class Unreachable extends Error {}
