import { type ObjectSchema, PathId } from "../rest/requests.ts";
import type { Route } from "../rest/routes.ts";
import { shown } from "./components.ts";
import { headerParameter } from "./headers.ts";
import { responsesOf } from "./responses.ts";
import type { Method, Operation, Parameter, PathItem } from "./types.ts";

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies {
  readonly [method in Route["method"]]: Method;
};

/** The routes by path. */
export function pathsOf(routes: readonly Route[]): Readonly<Record<string, PathItem>> {
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
          routesOfPath.map((route) => [methods[route.method], operationOf(route)]),
        ),
      },
    ]),
  );
}

const operationOf = (route: Route): Operation => ({
  operationId: route.call,
  summary: route.summary,
  tags: route.path.split("/").slice(1, 2),
  parameters: [
    ...(route.query ? parametersOf("query", route.query) : []),
    ...(route.method === "GET" ? [headerParameter("IfNoneMatch")] : []),
  ],
  ...(route.body && {
    requestBody: {
      // Without a field that is required, a request without a body is as good as `{}`.
      required: route.body.required !== undefined,
      content: { "application/json": { schema: shown(route.body) } },
    },
  }),
  responses: responsesOf(route),
});

const parametersOf = (
  place: "path" | "query",
  { properties, required = [] }: ObjectSchema,
): readonly Parameter[] =>
  Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
    example,
  }));
