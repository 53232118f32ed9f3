import { maxHeaderSize } from "node:http";
import { LARGEST_LIMIT } from "../config/formats.ts";
import { LONGEST_KEY_HEADER } from "../http/conditions.ts";
import { integer } from "./schemas.ts";
import type { Header, Parameter, Reference, ValueSchema } from "./types.ts";

const requestId: ValueSchema = {
  type: "string",
  pattern: "^[\\w.:+/=-]{1,128}$",
  maxLength: 128,
};
const exampleId = "5f0c0b8e-2f5a-4d0e-9a53-0b6f1f6d2c11";
const exampleTag = '"pKk2n3S0yX1uVbq8"';

/** In seconds. The longest window of a limit is an hour. */
const LONGEST_WAIT = 3_600;

/** A text that one header can contain. */
const text = (pattern: string, maxLength: number = maxHeaderSize): ValueSchema => ({
  type: "string",
  pattern,
  maxLength,
});

const header = (
  description: string,
  schema: ValueSchema,
  example: string | number,
  required = true,
): Header => ({ description, required, schema, example });

/** The settings can turn off the limits and these headers with them. */
const rateLimit = (description: string, example: number, maximum = LARGEST_LIMIT): Header =>
  header(
    `${description} Of the limits in force, the one with the fewest left.`,
    integer({ type: "integer", minimum: 0, maximum }),
    example,
    false,
  );

/** The headers of responses. */
export const headers = {
  "X-Request-Id": header(
    "That of the request, or one made for it; the service's log has it too.",
    requestId,
    exampleId,
  ),
  "Access-Control-Allow-Origin": header(
    "The origin of the web page that asked, where it may read the answer; else absent.",
    text("^https?://[^/]+$"),
    "https://parking.example",
    false,
  ),
  "X-RateLimit-Limit": rateLimit("How many requests are allowed.", 100),
  "X-RateLimit-Remaining": rateLimit("How many are left.", 99),
  "X-RateLimit-Reset": rateLimit(
    "When all are allowed again, in Unix seconds.",
    1_893_492_060,
    Number.MAX_SAFE_INTEGER,
  ),
  ETag: header(
    "Names what a GET answers now; send it back as If-None-Match, or as If-Match with a change.",
    text('^(W/)?"[\\w-]+"$', 64), // weak if the body may be compressed
    exampleTag,
  ),
  Location: header(
    "Where the new resource is found.",
    text("^/"),
    "/api/claims/0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e",
  ),
  "Idempotent-Replayed": header(
    "`true` where this is the answer to an earlier request with the same Idempotency-Key; else absent.",
    { type: "string", enum: ["true"] },
    "true",
    false,
  ),
  "X-Error-Code": header(
    "What refused, for programs: the name of a rule, or a word such as `validation_failed`. The examples of each response have theirs as keys. Characters other than letters, digits and `_` are percent-encoded.",
    text("^[!-~]+$", 189), // 63 bytes of a rule's name, percent-encoded if necessary
    "claims_not_by_owner",
  ),
  "WWW-Authenticate": header(
    "How to authenticate; with an error where a token was sent.",
    { type: "string", enum: ["Bearer", 'Bearer error="invalid_token"'] },
    'Bearer error="invalid_token"',
  ),
  "Retry-After": header(
    "How many seconds to wait.",
    integer({ type: "integer", minimum: 1, maximum: LONGEST_WAIT }),
    5,
  ),
  Allow: header(
    "The methods that this path has.",
    text("^[A-Z]+(, [A-Z]+)*$", 64),
    "HEAD, GET, POST",
  ),
};

export type HeaderName = keyof typeof headers;

/** The headers of every response, and the named ones. */
export const headerReferences = (
  ...names: readonly HeaderName[]
): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    (["X-Request-Id", "Access-Control-Allow-Origin", ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** The headers of every response to a caller with a verified token. */
export const callerHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const;

const parameter = (
  name: string,
  description: string,
  schema: ValueSchema,
  example: string,
): Parameter => ({ name, in: "header", required: false, description, schema, example });

export const headerParameters = {
  RequestId: parameter(
    "X-Request-Id",
    "Names the request; comes back with the response.",
    requestId,
    exampleId,
  ),
  IfNoneMatch: parameter(
    "If-None-Match",
    "The ETag of a body that the client has: 304 if it is still the same.",
    text("^[ -~]+$"),
    exampleTag,
  ),
  IfMatch: parameter(
    "If-Match",
    "The ETag of what is to be changed, several of them, or `*`: 412 if it has another by now.",
    text("^[ -~]+$"),
    exampleTag,
  ),
  LastEventId: parameter(
    "Last-Event-ID",
    "The id of the last event that the client has: the stream goes on after it.",
    text("^[ -~]+$"),
    "4711",
  ),
  IdempotencyKey: parameter(
    "Idempotency-Key",
    "Any text of your own, such as a new UUID, in double quotes or without. For 24 hours the same request with the same key is not carried out again: it gets the first answer.",
    text("^[ -~]+$", LONGEST_KEY_HEADER),
    exampleId,
  ),
};

export const headerParameter = (name: keyof typeof headerParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
});
