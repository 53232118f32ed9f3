import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { Context } from "koa";
import { Problem } from "../errors/problem.ts";

/** The maximum of errors in one answer. A person cannot use more. */
export const MOST_ERRORS = 10;

/** The errors in a document or its variables, for its author. */
export class InvalidDocument extends Problem {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("invalid_document", { message: errors[0]?.message });
    this.errors = errors;
  }
}

/** Where an error is in the document, and its message if the failure has several. */
type ErrorPlace = Partial<Pick<GraphQLError, "message" | "locations" | "path">>;

/** A failure in the format of GraphQL. Message, status, code and details are those of REST. */
export const formatted = (
  { message: usual, code, status, details }: Problem,
  { message = usual, locations, path }: ErrorPlace = {},
): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { code, status, ...(details && { details }) },
});

/** Says that nothing was executed. */
export function writeRefusal(ctx: Context, problem: Problem): void {
  const places = problem instanceof InvalidDocument ? problem.errors : [{}];
  writeAnswer(
    ctx,
    places.map((place) => formatted(problem, place)),
  );
}

/** Writes the body of an answer. Only a caller with an accepted token may choose the media type. */
export function writeAnswer(
  ctx: Pick<Context, "accepts" | "body" | "set" | "state">,
  errors: readonly GraphQLFormattedError[],
  data?: unknown,
): void {
  ctx.body = JSON.stringify({
    ...(errors.length > 0 && { errors }),
    ...(data !== undefined && { data }),
  });
  const type =
    ctx.state.identity && ctx.accepts("application/json", "application/graphql-response+json");
  ctx.set("Content-Type", `${type || "application/json"}; charset=utf-8`);
}
