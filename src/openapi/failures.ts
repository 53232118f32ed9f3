import { type HeaderName, headersOf, usualHeaders } from "./headers.ts";
import type { Content, Example, Reference, Response, Schema } from "./types.ts";

type Examples = Readonly<Record<string, Example>>;

/** Each failure under its own words. */
export const examplesOf = (
  failures: readonly { readonly error: string; readonly field?: string }[],
): Examples =>
  Object.fromEntries(
    failures.map(({ error, field }) => [
      error,
      { value: field === undefined ? { error } : { error, details: details(field, error) } },
    ]),
  );

export const details = (field: string, complaint: string) => ({
  [field]: { _errors: [complaint] },
});

/** Whether a failure is about fields of the request; both schemas are exact, so never of both. */
const bodies = {
  Error: { $ref: "#/components/schemas/Error" },
  either: {
    oneOf: [
      { $ref: "#/components/schemas/ValidationError" },
      { $ref: "#/components/schemas/Error" },
    ],
  },
} as const satisfies Readonly<Record<string, Schema>>;

export const errorContent = (body: keyof typeof bodies, examples: Examples): Content => ({
  "application/json": { schema: bodies[body], examples },
});

const failure = (
  error: string,
  description: string,
  headers: readonly HeaderName[] = usualHeaders,
): Response => ({
  description,
  headers: headersOf(...headers),
  content: errorContent("Error", examplesOf([{ error }])),
});

/** What says the same wherever it is said. */
export const sharedResponses = {
  NotModified: {
    description: "The body is still the one of If-None-Match.",
    headers: headersOf(...usualHeaders, "ETag"),
  },
  Unauthorized: failure("Authentication required", "The token is missing or not good.", [
    "X-Request-Id",
    "WWW-Authenticate",
  ]),
  UnknownPath: failure("Not found", "There is no such path."),
  MethodNotAllowed: failure("Method not allowed", "The path has no such method.", [
    ...usualHeaders,
    "Allow",
  ]),
  ContentTooLarge: failure("The request body is larger than 100 kB", "The body is too large."),
  UnsupportedMediaType: failure(
    "The request body must be application/json",
    "The body is not JSON, or it is compressed.",
  ),
  TooManyRequests: failure("Too many requests", "A rate limit is exceeded.", [
    ...usualHeaders,
    "Retry-After",
  ]),
  InternalServerError: failure("Internal server error", "An unexpected failure.", ["X-Request-Id"]),
  ServiceUnavailable: failure(
    "Service unavailable",
    "The database or the identity provider cannot be reached just now.",
    ["X-Request-Id", "Retry-After"],
  ),
} as const satisfies Readonly<Record<string, Response>>;

export const shared = (name: keyof typeof sharedResponses): Reference => ({
  $ref: `#/components/responses/${name}`,
});
