import { Problem } from "../../errors/problem.ts";
import type { GraphQLRequest } from "./documents.ts";

/**
 * Reads the parameters of a GraphQL request (GraphQL over HTTP, 5.1). One that is null is left out.
 * @throws Problem 400
 */
export function readRequest(body: unknown): GraphQLRequest {
  if (Array.isArray(body))
    throw new Problem("validation_failed", {
      message: "Batches are not served; send one operation",
    });
  if (!isMap(body))
    throw new Problem("validation_failed", { message: "The request body must be a JSON object" });
  const { query, operationName, variables, extensions } = body;

  if (typeof query !== "string")
    throw new Problem("validation_failed", { message: "query must be a string" });
  if (operationName != null && typeof operationName !== "string") {
    throw new Problem("validation_failed", { message: "operationName must be a string" });
  }
  if (variables != null && !isMap(variables)) {
    throw new Problem("validation_failed", { message: "variables must be an object" });
  }
  if (extensions != null && !isMap(extensions)) {
    throw new Problem("validation_failed", { message: "extensions must be an object" });
  }
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
