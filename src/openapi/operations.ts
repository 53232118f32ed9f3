import { orderOf } from "../contract/orders.ts";
import { type ObjectSchema, PathId } from "../contract/requests.ts";
import { isList, type Requirement, type Route } from "../contract/route.ts";
import type { Rules } from "../errors/catalogue.ts";
import type { Summaries } from "../rest/check.ts";
import { shown, valueShown } from "./components.ts";
import { headerParameter } from "./headers.ts";
import { responsesOf } from "./responses.ts";
import type { Method, Operation, Parameter, PathItem } from "./types.ts";

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies {
  readonly [method in Route["method"]]: Method;
};

/** The header by which a request says when it is to be carried out. */
const conditions = {
  GET: "IfNoneMatch",
  POST: "IdempotencyKey",
  PUT: "IfMatch",
  DELETE: "IfMatch",
} as const;

/** What the database says about the operations. */
export interface Catalogue {
  readonly rules: Rules;
  readonly summaries: Summaries;
}

/** The routes by path. */
export function pathsOf(
  routes: readonly Route[],
  catalogue: Catalogue,
): Readonly<Record<string, PathItem>> {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return Object.fromEntries(
    Array.from(paths, ([path, routesOfPath]) => [
      path.replace(":id", "{id}"),
      {
        parameters: [
          ...(path.includes(":id") ? parametersOf("path", PathId) : []),
          headerParameter("RequestId"),
        ],
        ...Object.fromEntries(
          routesOfPath.map((route) => [methods[route.method], operationOf(route, catalogue)]),
        ),
      },
    ]),
  );
}

const operationOf = (route: Route, { rules, summaries }: Catalogue): Operation => ({
  operationId: route.call,
  summary: summaries.get(route.call) ?? "",
  description: explanationOf(route),
  tags: route.path.split("/").slice(1, 2),
  parameters: [
    ...(route.query ? parametersOf("query", route.query) : []),
    headerParameter(conditions[route.method]),
  ],
  ...(route.body && {
    requestBody: {
      // Without a field that is required, a request without a body is as good as `{}`.
      required: route.body.required !== undefined,
      content: { "application/json": { schema: shown(route.body) } },
    },
  }),
  responses: responsesOf(route, rules),
});

const audiences: Readonly<Record<Requirement, string>> = {
  none: "For everybody with a token, also before the account is approved.",
  approved: "For residents whose account is approved.",
  administrator: "For administrators.",
};

/** What its summary leaves out, and its schemas do not say. */
function explanationOf(route: Route): string {
  const sentences = [audiences[route.requires]];
  if (isList(route)) {
    const { column, direction } = orderOf(route.table);
    sentences.push(
      `The list is sorted by \`${column}\`, ${directions[direction]}, then by \`id\`.`,
    );
  }
  if (route.csv) sentences.push("With `format=csv` it is a file for spreadsheets.");
  if (route.limit) sentences.push("It has limits of its own, besides those of all requests.");
  return sentences.join(" ");
}

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
