import { maxHeaderSize } from "node:http";
import { LARGEST_LIMIT } from "../config/formats.ts";
import { LONGEST_KEY_HEADER } from "../http/idempotency-key.ts";
import { integer } from "./components.ts";
import type { Header, Parameter, Reference, SchemaObject } from "./types.ts";

const requestId = {
  schema: { type: "string", pattern: "^[\\w.:+/=-]{1,128}$", maxLength: 128 },
  example: "5f0c0b8e-2f5a-4d0e-9a53-0b6f1f6d2c11",
} as const;

/** Seconds: the longest window of a limit is an hour. */
const LONGEST_WAIT = 3_600;

const etagExample = '"pKk2n3S0yX1uVbq8"';

/** The settings can turn the limits off, and these with them. */
const rateLimit = (
  description: string,
  example: number,
  maximum: number = LARGEST_LIMIT,
): Header => ({
  description: `${description} Of the limits in force, the one with the fewest left.`,
  required: false,
  schema: integer({ type: "integer", minimum: 0, maximum }),
  example,
});

/** What a request or an answer can carry in one header. */
const text = (pattern: string, maxLength: number = maxHeaderSize): SchemaObject => ({
  type: "string",
  pattern,
  maxLength,
});

/** The headers of responses. */
export const headers = {
  "X-Request-Id": {
    description: "That of the request, or one made for it; the service's log has it too.",
    required: true,
    ...requestId,
  },
  "Access-Control-Allow-Origin": {
    description:
      "The origin of the web page that asked, where it may read the answer; else absent.",
    required: false,
    schema: text("^https?://[^/]+$"),
    example: "https://parking.example",
  },
  "X-RateLimit-Limit": rateLimit("How many requests are allowed.", 100),
  "X-RateLimit-Remaining": rateLimit("How many are left.", 99),
  "X-RateLimit-Reset": rateLimit(
    "When all are allowed again, in Unix seconds.",
    1_893_492_060,
    Number.MAX_SAFE_INTEGER,
  ),
  ETag: {
    description:
      "Names what a GET answers now; send it back as If-None-Match, or as If-Match with a change.",
    required: true,
    schema: text('^(W/)?"[\\w-]+"$', 64), // weak where the body may be compressed
    example: etagExample,
  },
  Location: {
    description: "Where the new resource is found.",
    required: true,
    schema: text("^/"),
    example: "/api/claims/0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e",
  },
  "Idempotent-Replayed": {
    description:
      "`true` where this is the answer to an earlier request with the same Idempotency-Key; else absent.",
    required: false,
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  "X-Error-Code": {
    description:
      "What refused, for programs: the name of a rule, or a word such as `validation_failed`. The examples of each response have theirs as keys. Characters other than letters, digits and `_` are percent-encoded.",
    required: true,
    schema: text("^[!-~]+$", 189), // 63 bytes of a rule's name, percent-encoded where they have to be
    example: "claims_not_by_owner",
  },
  "WWW-Authenticate": {
    description: "How to authenticate; with an error where a token was sent.",
    required: true,
    schema: { type: "string", enum: ["Bearer", 'Bearer error="invalid_token"'] },
    example: 'Bearer error="invalid_token"',
  },
  "Retry-After": {
    description: "How many seconds to wait.",
    required: true,
    schema: integer({ type: "integer", minimum: 1, maximum: LONGEST_WAIT }),
    example: 5,
  },
  Allow: {
    description: "The methods that this path has.",
    required: true,
    schema: text("^[A-Z]+(, [A-Z]+)*$", 64),
    example: "HEAD, GET, POST",
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** Those of every response, and these. */
export const headersOf = (...names: readonly HeaderName[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    (["X-Request-Id", "Access-Control-Allow-Origin", ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** Those of every response to somebody whose token was verified. */
export const usualHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const;

/** The headers of requests. */
export const headerParameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "Names the request; comes back with the response.",
    ...requestId,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The ETag of a body that the client has: 304 if it is still the same.",
    schema: text("^[ -~]+$"),
    example: etagExample,
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "The ETag of what is to be changed, several of them, or `*`: 412 if it has another by now.",
    schema: text("^[ -~]+$"),
    example: etagExample,
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Any text of your own, such as a new UUID, in double quotes or without. For 24 hours the same request with the same key is not carried out again: it gets the first answer.",
    schema: text("^[ -~]+$", LONGEST_KEY_HEADER),
    example: "5f0c0b8e-2f5a-4d0e-9a53-0b6f1f6d2c11",
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export const headerParameter = (name: keyof typeof headerParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
});
