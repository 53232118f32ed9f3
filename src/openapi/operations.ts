import type { DescribedRoute } from "../contract/described.ts";
import {
  pathParametersOf,
  type Requirement,
  type Route,
  statusOf,
  templateOf,
} from "../contract/route.ts";
import { type ObjectSchema, rowOf } from "../contract/schemas.ts";
import type { Rules } from "../errors/catalogue.ts";
import { detailsOf, failureOf, failures } from "../errors/problem.ts";
import { errorContent, examplesOf, shared } from "./failures.ts";
import { callerHeaders, type HeaderName, headerParameter, headerReferences } from "./headers.ts";
import { type Refusal, refusalsOf } from "./refusals.ts";
import { shown, valueShown } from "./schemas.ts";
import type {
  Content,
  Example,
  Method,
  Operation,
  Parameter,
  PathItem,
  Response,
  Responses,
  Tag,
} from "./types.ts";

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies {
  readonly [method in Route["method"]]: Method;
};

/** The header with which a request makes itself conditional. */
const conditions = {
  GET: "IfNoneMatch",
  POST: "IdempotencyKey",
  PUT: "IfMatch",
  DELETE: "IfMatch",
} as const;

/** The sources of the description. */
export interface Catalogue {
  readonly routes: readonly DescribedRoute[];
  readonly rules: Rules;
}

export function pathsOf({ routes, rules }: Catalogue): Readonly<Record<string, PathItem>> {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return Object.fromEntries(
    Array.from(paths, ([path, routesOfPath]) => [
      templateOf(path),
      {
        parameters: [
          ...routesOfPath
            .slice(0, 1)
            .flatMap((route) => parametersOf("path", pathParametersOf(route))),
          headerParameter("RequestId"),
        ],
        ...Object.fromEntries(
          routesOfPath.map((route) => [methods[route.method], describedOperation(route, rules)]),
        ),
      },
    ]),
  );
}

/** The tag is the first segment of the path. A feed has the tag of the route that makes it. */
const tagOf = ({ path, bySecret }: Route): string =>
  (path.split("/")[1] ?? "").replace(bySecret ? /\.\w+$/ : "", "");

/** The description of a tag is that of its first route's answer. */
export const tagsOf = (routes: readonly Route[]): readonly Tag[] =>
  Array.from(Map.groupBy(routes, tagOf), ([name, [first]]) => ({
    name,
    description:
      first === undefined || name === "admin"
        ? audiences.administrator
        : rowOf(first.answer).description,
  }));

const describedOperation = (route: DescribedRoute, rules: Rules): Operation => ({
  operationId: route.bySecret?.operation ?? route.call,
  summary: route.summary,
  description: moreAbout(route),
  tags: [tagOf(route)],
  ...(route.bySecret && { security: [] }),
  parameters: [
    ...(route.query ? parametersOf("query", route.query) : []),
    ...headersFor(route).map(headerParameter),
  ],
  ...(route.body && {
    requestBody: {
      // If no field is required, a request without a body counts as `{}`.
      required: route.body.required !== undefined,
      content: { "application/json": { schema: shown(route.body) } },
    },
  }),
  responses: responsesOf(route, rules),
});

function headersFor({ method, pieces, secret, stream }: Route) {
  if (stream) return ["LastEventId" as const];
  return pieces || secret ? [] : [conditions[method]];
}

/** Whether its answer has an ETag. */
const isTagged = ({ method, pieces, stream }: Route): boolean =>
  method === "GET" && !pieces && !stream;

const audiences: Readonly<Record<Requirement, string>> = {
  none: "For everybody with a token, also before the account is approved.",
  approved: "For residents whose account is approved.",
  staff: "For administrators and concierges.",
  administrator: "For administrators.",
};

/** What neither the summary nor the schemas say. */
function moreAbout(route: Route): string {
  if (route.bySecret) return route.bySecret.details;
  const sentences = [audiences[route.requires]];
  if (route.scope) sentences.push(`Also for keys of machines with the scope \`${route.scope}\`.`);
  if (route.order) {
    const { column, direction, isUnique } = route.order;
    const next = isUnique ? "" : ", then by `id`";
    sentences.push(`The list is sorted by \`${column}\`, ${directions[direction]}${next}.`);
  }
  if (route.csv) sentences.push("With `format=csv` it is a file for spreadsheets.");
  if (route.pieces) sentences.push("It counts as ten requests, and a large answer as more.");
  if (route.stream) sentences.push(STREAM);
  if (route.calendar) sentences.push("It is in the language that Accept-Language prefers.");
  if (route.secret) sentences.push("Its answer is not kept, so it takes no Idempotency-Key.");
  if (route.isSigned) sentences.push(SIGNED);
  if (route.limit) sentences.push("It has limits of its own, besides those of all requests.");
  return sentences.join(" ");
}

const SIGNED =
  "To a key, the answer has the header `X-Signature`: `sha256=` and the HMAC-SHA256 of the body with the key's secret, in hexadecimal.";

const STREAM = [
  "It is what you may see of what happens from now on, or since the event of the Last-Event-ID, each event once.",
  "Of a claim that is not for you, you get what became of the window, as `availability.updated`.",
  "An event `reset` says that the log does not have all that happened since, or that it is more than 5,000 events: read anew what you show.",
  "Comments come in between. It ends with the token and with the approval; connect again with the last `id`.",
  "A person has six streams at most.",
].join(" ");

const directions = { asc: "ascending", desc: "descending" } as const;

const parametersOf = (
  place: "path" | "query",
  { properties, required = [] }: ObjectSchema,
): readonly Parameter[] =>
  Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: valueShown(schema),
    example,
  }));

/** All responses of an operation, by status. */
function responsesOf(route: Route, rules: Rules): Responses {
  const { method } = route;
  const refusals = [
    ...refusalsOf(route, rules),
    failureOf("invalid_data"),
    // The failures of a rule without a comment, and of the key of a machine.
    ...(route.bySecret || (method === "GET" && route.scope) ? [] : [failureOf("forbidden")]),
    ...(method === "GET" ? [] : [failureOf("conflict")]),
  ];
  return {
    [statusOf(route)]: success(route),
    ...(isTagged(route) && { 304: shared("NotModified") }),
    ...((method === "PUT" || method === "DELETE") && { 412: shared("PreconditionFailed") }),
    ...(!route.bySecret && { 401: shared("Unauthorized") }),
    ...(route.body && { 413: shared("ContentTooLarge"), 415: shared("UnsupportedMediaType") }),
    429: shared("TooManyRequests"),
    500: shared("InternalServerError"),
    503: shared("ServiceUnavailable"),
    ...refused(route, refusals),
  };
}

function success(route: Route): Response {
  const more: readonly HeaderName[] = [
    ...(route.location ? ["Location" as const] : []),
    ...(route.method === "POST" && !route.secret ? ["Idempotent-Replayed" as const] : []),
    ...(isTagged(route) || (route.location && !route.secret) ? ["ETag" as const] : []),
  ];
  return {
    description: route.answer.description,
    headers: headerReferences(...callerHeaders, ...more),
    content: contentOf(route),
  };
}

function contentOf({ answer, calendar, csv, stream }: Route): Content {
  if (stream) return { "text/event-stream": { schema: { type: "string" } } };
  if (calendar) return { "text/calendar": { schema: { type: "string" } } };
  return {
    "application/json": { schema: shown(answer) },
    ...(csv && { "text/csv": { schema: { type: "string" } } }),
  };
}

const descriptions: Readonly<Record<number, string>> = {
  400: "The request is malformed, or against a rule.",
  403: "The account, or this caller, may not do it.",
  404: "Something that the request names is not there.",
  409: "It conflicts with what is there.",
  422: "The Idempotency-Key stands for another request.",
};

/** The failures of every request whose status a rule may have too. */
const general: readonly Refusal[] = [
  failureOf("authentication_required"),
  failureOf("precondition_failed"),
  failureOf("body_too_large"),
  failureOf("unsupported_media_type"),
  failureOf("too_many_requests"),
];

/** A DBA may give a rule any status from 400 to 499. */
function refused(route: Route, refusals: readonly Refusal[]): Responses {
  const responses = Array.from(
    Map.groupBy(refusals, ({ status }) => status),
    ([status, ofStatus]): [number, Response] => {
      const examples = {
        ...(status === 400 && malformed(route)),
        ...examplesOf([...general.filter((it) => it.status === status), ...ofStatus]),
      };
      return [
        status,
        {
          description: descriptions[status] ?? "A rule refuses it.",
          headers: headerReferences(...(route.bySecret ? [] : callerHeaders), "X-Error-Code"),
          // An unexplained rule is not about a field, but a later rule may be.
          content: errorContent(status === 404 ? "Failure" : "either", examples),
        },
      ];
    },
  );
  return Object.fromEntries(responses);
}

/** What can be wrong with the form of a request to this operation. */
function malformed({ body, bySecret, path, query }: Route): Readonly<Record<string, Example>> {
  const [required] = body?.required ?? query?.required ?? [];
  const mistake =
    (bySecret && detailsOf(["If-Match"], "is not supported here")) || // a wrong secret is 404
    (required && detailsOf([required], "is required")) ||
    (path.includes(":id") && detailsOf(["id"], "must be a UUID")) ||
    (query && detailsOf(["limit"], "must be <= 200")) ||
    detailsOf(["colour"], "Unknown parameter"); // any operation can have one
  return {
    validation_failed: {
      value: { error: failures.validation_failed.message, details: mistake },
    },
    ...(body && examplesOf([failureOf("invalid_json"), failureOf("incomplete_body")])),
  };
}
