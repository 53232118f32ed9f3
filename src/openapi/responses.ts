import { type Route, statusOf } from "../contract/route.ts";
import type { Rules } from "../errors/catalogue.ts";
import { failureOf, failures } from "../errors/failures.ts";
import { shown } from "./components.ts";
import { details, errorContent, examplesOf, shared } from "./failures.ts";
import { type HeaderName, headersOf, usualHeaders } from "./headers.ts";
import { type Refusal, refusalsOf } from "./refusals.ts";
import type { Example, Response, Responses } from "./types.ts";

/** All that an operation can answer, by status. */
export function responsesOf(route: Route, rules: Rules): Responses {
  const refusals = [
    ...refusalsOf(route, rules),
    failureOf("invalid_data"),
    ...(isWrite(route) ? unexplained : []),
  ];
  return {
    [statusOf(route)]: success(route),
    ...(route.method === "GET" && { 304: shared("NotModified") }),
    ...(isChange(route) && { 412: shared("PreconditionFailed") }),
    401: shared("Unauthorized"),
    ...(route.body && { 413: shared("ContentTooLarge"), 415: shared("UnsupportedMediaType") }),
    429: shared("TooManyRequests"),
    500: shared("InternalServerError"),
    503: shared("ServiceUnavailable"),
    ...refused(refusals),
    400: malformedOrRefused(route, refusals),
  };
}

function success(route: Route): Response {
  const more: readonly HeaderName[] = [
    ...(route.location ? ["Location" as const] : []),
    ...(route.method === "POST" ? ["Idempotent-Replayed" as const] : []),
    ...(route.method === "GET" || route.location ? ["ETag" as const] : []),
  ];
  return {
    description: route.answer.description,
    headers: headersOf(...usualHeaders, ...more),
    content: {
      "application/json": { schema: shown(route.answer) },
      ...(route.csv && { "text/csv": { schema: { type: "string" } } }),
    },
  };
}

const errorHeaders = headersOf(...usualHeaders, "X-Error-Code");

function malformedOrRefused(route: Route, refusals: readonly Refusal[]): Response {
  const examples = {
    validation_failed: malformed(route),
    ...(route.body && examplesOf([failureOf("invalid_json"), failureOf("incomplete_body")])),
    ...examplesOf(refusals.filter(({ status }) => status === 400)),
  };
  return {
    description: "The request is malformed, or against a rule.",
    headers: errorHeaders,
    content: errorContent("either", examples),
  };
}

const descriptions: Readonly<Record<number, string>> = {
  403: "The account, or this caller, may not do it.",
  404: "Something that the request names is not there.",
  409: "It conflicts with what is there.",
  422: "The Idempotency-Key stands for another request.",
};

/** What every request can meet, by statuses that a rule may have too. */
const general: Readonly<Record<number, readonly Refusal[]>> = {
  401: [failureOf("authentication_required")],
  412: [failureOf("precondition_failed")],
  413: [failureOf("body_too_large")],
  415: [failureOf("unsupported_media_type")],
  429: [failureOf("too_many_requests")],
};

/** A DBA may give a rule any status from 400 to 499. */
function refused(refusals: readonly Refusal[]): Responses {
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  byStatus.delete(400);
  return Object.fromEntries(
    Array.from(byStatus, ([status, ofStatus]) => [
      status,
      {
        description: descriptions[status] ?? "A rule refuses it.",
        headers: errorHeaders,
        // The text of an unexplained rule is about no field; a rule that is added later may be.
        content: errorContent(
          status === 404 ? "Failure" : "either",
          examplesOf([...(general[status] ?? []), ...ofStatus]),
        ),
      },
    ]),
  );
}

const isChange = ({ method }: Route): boolean => method === "PUT" || method === "DELETE";
const isWrite = ({ method }: Route): boolean => method !== "GET";

/** What a rule without a comment refuses. */
const unexplained: readonly Refusal[] = [failureOf("forbidden"), failureOf("conflict")];

/** A mistake that can be made in a request to this operation; any can have an unknown parameter. */
function malformed({ body, path, query }: Route): Example {
  const [required] = body?.required ?? query?.required ?? [];
  const mistake =
    (required && details(required, "is required")) ||
    (path.includes(":id") && details("id", "must be a UUID")) ||
    (query && details("limit", "must be <= 200")) ||
    details("colour", "Unknown parameter");
  return { value: { error: failures.validation_failed.message, details: mistake } };
}
