import type { DescribedRoute } from "../contract/described.ts";
import type { Requirement, Route } from "../contract/route.ts";
import { type ObjectSchema, PathId } from "../contract/schemas.ts";
import type { Rules } from "../errors/catalogue.ts";
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

/** What the description is made of. */
export interface Catalogue {
  readonly routes: readonly DescribedRoute[];
  readonly rules: Rules;
}

/** The routes by path. */
export function pathsOf({ routes, rules }: Catalogue): Readonly<Record<string, PathItem>> {
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
          routesOfPath.map((route) => [methods[route.method], describedOperation(route, rules)]),
        ),
      },
    ]),
  );
}

const describedOperation = (route: DescribedRoute, rules: Rules): Operation => ({
  operationId: route.call,
  summary: route.summary,
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
  if (route.order) {
    const { column, direction } = route.order;
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
