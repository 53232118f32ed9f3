import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { Context } from "koa";
import type { Problem } from "../errors/problem.ts";

/** Of an error, where in the document it is. */
type Place = Partial<Pick<GraphQLError, "locations" | "path">>;

/** A failure as GraphQL clients read it. Message, status, code and details are those of REST. */
export const formatted = (
  { message, code, status, details }: Problem,
  { locations, path }: Place = {},
): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { code, status, ...(details && { details }) },
});

/** The body of an answer, in the media type that the client takes. */
export function writeAnswer(
  ctx: Pick<Context, "accepts" | "body" | "set">,
  errors: readonly GraphQLFormattedError[],
  data?: unknown,
): void {
  ctx.body = JSON.stringify({
    ...(errors.length > 0 && { errors }),
    ...(data !== undefined && { data }),
  });
  const type = ctx.accepts("application/json", "application/graphql-response+json");
  ctx.set("Content-Type", `${type || "application/json"}; charset=utf-8`);
}
