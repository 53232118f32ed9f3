import { describeApi } from "../../src/openapi/description.ts";
import type { Operation } from "../../src/openapi/types.ts";
import { description } from "../support/described.ts";

const operations = Object.values(description.paths).flatMap(({ parameters, ...methods }) =>
  Object.values(methods).map((operation: Operation) => operation),
);

/** The description of a service that issues tokens itself, where the database has no rules. */
export const underDevelopment = describeApi({
  basePath: "/api",
  signIn: { authorizationUrl: "/identity/auth", tokenUrl: "/identity/token" },
  rules: { list: [], absences: new Map() },
  summaries: new Map(operations.map(({ operationId, summary }) => [operationId, summary])),
});
