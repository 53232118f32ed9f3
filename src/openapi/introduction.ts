import { limit } from "../contract/fields.ts";
import { type FailureCode, failureOf } from "../errors/failures.ts";
import { sharedResponses } from "./failures.ts";
import { headers } from "./headers.ts";

/** The text at the top of the description: all that is the same for every operation, said once. */
export const introduction = (basePath: string): string =>
  `
Residents of a building publish time windows in which others may use their parking spots, and claim
such windows.

## Signing in

Every request carries an access token of the building's identity provider, as
\`Authorization: Bearer <token>\`. A web page gets one with OAuth 2.0's authorization code and PKCE,
without a client secret. A new person registers with POST \`/profile\`, and an administrator then
approves the account.

## Limits

Each person may send so many requests a minute and an hour; GET \`/profile\` has smaller limits of
its own. The headers of an answer say what is left. Wait for \`Retry-After\` seconds after a 429.

## Failures

The body is \`{ "error": "..." }\`, a text for people. Where fields of the request are wrong, there
are also \`details\`: \`{ "start_time": { "_errors": ["is required"] } }\`. Programs read the code in
the header \`X-Error-Code\`: the name of the rule that refused, or a word such as
\`validation_failed\`. The examples of an operation's failures have their codes as names.

Any operation can give these answers:

${table("Answer", responseRows)}

## Sending a request again

Where no answer came, nobody knows whether a POST was carried out. Give it an \`Idempotency-Key\`, a
text of your own such as a new UUID, and send it again with the same key: it is carried out once, and
each request gets the first answer, with \`Idempotent-Replayed: true\` from the second on. A key is
yours alone and is kept for 24 hours. While the first request still runs, others with its key get 409 with \`Retry-After\`;
a key that stands for another request is refused with 422. After a failure the key is free, for
nothing was done. A PUT or a DELETE can be sent again without a key.

## Two people at once

A PUT or a DELETE with \`If-Match\` changes only what has the \`ETag\` that a GET gave, or the POST that
made it: where somebody else changed it meanwhile it is refused with 412, and nothing is lost. For what
administrators change, it is the tag of the GET without \`/admin\`, where there is no GET below it.
Without the header the last change counts. A condition that an operation does not look at is refused with
400.

## Headers

Every GET also answers HEAD, with the same headers and no body. An answer to a GET has an \`ETag\`:
send it back as \`If-None-Match\`, and an unchanged body is not sent again. An \`X-Request-Id\` that you
send comes back.

${table("Header", headerRows)}

## Lists

\`limit\` (${limit.default} unless given, ${limit.maximum} at most) and \`offset\` choose a page; \`total\` says how
long the whole list is. Unknown and repeated query parameters are refused with 400, as unknown
fields are.

## Texts and times

Texts lose the white space around them; ids and times with white space around them are refused.
Times come in as RFC 3339 with an offset, and go out in UTC with milliseconds.

## GraphQL

POST \`${basePath}/graphql\` takes the same tokens and has the same rows, rules, messages and limits: it
reads rows with what they are related to, counts and sums them, and has each change as a mutation.
An error's \`extensions\` have the \`status\`, the \`code\` and the \`details\` that are described here.
`.trim();

type Row = readonly [name: string, description: string];

const sharedFailures = [
  "malformed_request",
  "authentication_required",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "precondition_failed",
  "body_too_large",
  "unsupported_media_type",
  "expectation_failed",
  "too_many_requests",
  "headers_too_large",
  "internal_error",
  "service_unavailable",
] as const satisfies readonly FailureCode[];

const responseRows: readonly Row[] = [
  ["304", sharedResponses.NotModified.description],
  ...sharedFailures
    .map(failureOf)
    .map(({ status, code, when }): Row => [`${status} \`${code}\``, when]),
];

const headerRows: readonly Row[] = Object.entries(headers).map(([name, { description }]) => [
  `\`${name}\``,
  description,
]);

function table(heading: string, rows: readonly Row[]): string {
  const lines = rows.map(([name, description]) => `| ${name} | ${description} |`);
  return [`| ${heading} | |`, "|---|---|", ...lines].join("\n");
}
