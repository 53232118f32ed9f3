import type { Route } from "../rest/routes.ts";
import { shown } from "./components.ts";
import { details, errorContent, examplesOf, shared } from "./failures.ts";
import { type HeaderName, headersOf, usualHeaders } from "./headers.ts";
import { type Refusal, refusals } from "./refusals.ts";
import type { Example, Response, Responses } from "./types.ts";

/** All that an endpoint can answer, by status. */
export const responsesOf = (route: Route): Responses => ({
  [route.status]: success(route),
  ...(route.method === "GET" && { 304: shared("NotModified") }),
  400: malformedOrRefused(route),
  401: shared("Unauthorized"),
  ...refused(route, 403, "The account, or this caller, may not do it."),
  ...refused(route, 404, "Something that the request names is not there."),
  ...refused(route, 409, "It conflicts with what is there."),
  ...(route.body && { 413: shared("ContentTooLarge"), 415: shared("UnsupportedMediaType") }),
  429: shared("TooManyRequests"),
  500: shared("InternalServerError"),
  503: shared("ServiceUnavailable"),
});

function success(route: Route): Response {
  const more: readonly HeaderName[] = [
    ...(route.location ? ["Location" as const] : []),
    ...(route.method === "GET" ? ["ETag" as const] : []),
  ];
  return {
    description: route.answer.description,
    headers: headersOf(...usualHeaders, ...more),
    content: { "application/json": { schema: shown(route.answer) } },
  };
}

function malformedOrRefused(route: Route): Response {
  const examples = {
    "Validation failed": malformed(route),
    ...(route.body && examplesOf([{ error: "The request body is not valid JSON" }])),
    ...examplesOf(refusalsOf(route, 400)),
  };
  return {
    description: "The request is malformed, or against a rule.",
    headers: headersOf(...usualHeaders),
    content: errorContent("either", examples),
  };
}

function refused(route: Route, status: 403 | 404 | 409, description: string): Responses {
  const reasons = refusalsOf(route, status);
  if (reasons.length === 0) return {};
  // A rule may be about a field; a row that is not there never is.
  const schema = isWrite(route) && status !== 404 ? "either" : "Error";
  const content = errorContent(schema, examplesOf(reasons));
  return { [status]: { description, headers: headersOf(...usualHeaders), content } };
}

function refusalsOf(route: Route, status: Refusal["status"]): readonly Refusal[] {
  const hasStatus = (refusal: Refusal): boolean => refusal.status === status;
  const known = (refusals[route.call] ?? []).filter(hasStatus);
  return known.length === 0 && isWrite(route) ? unexplained.filter(hasStatus) : known;
}

/** Rules are about writing, and a rule can be added to any table while the service runs. */
const isWrite = ({ method }: Route): boolean => method !== "GET";

/** What is said of a rule whose comment says nothing (src/errors/explain.ts). */
const unexplained: readonly Refusal[] = [
  { status: 403, error: "Insufficient permissions" },
  { status: 409, error: "Conflicts with existing data" },
];

/** A mistake that can be made at this very endpoint; an unknown parameter can be sent to each. */
function malformed({ body, path, query }: Route): Example {
  const [required] = body?.required ?? [];
  const mistake =
    (required && details(required, "is required")) ||
    (path.includes(":id") && details("id", "must be a UUID")) ||
    (query && details("limit", "must be <= 200")) ||
    details("colour", "Unknown parameter");
  return { value: { error: "Validation failed", details: mistake } };
}
