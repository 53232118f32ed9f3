import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { isSafeError } from "postgraphile/grafast";
import type { RuleCatalogue } from "../../errors/catalogue.ts";
import { Problem } from "../../errors/problem.ts";
import { explain } from "../../errors/render.ts";
import type { Logger } from "../../log.ts";

/** An error as GraphQL clients see it, and what it was. */
export interface Told {
  readonly problem: Problem;
  readonly formatted: GraphQLFormattedError;
}

/** For what no rule refused. */
const codes: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

/** Message, status and details are those that REST has; `code` is the name of the rule. */
export async function tell(
  error: unknown,
  { rules, logger }: { readonly rules: RuleCatalogue; readonly logger: Logger },
): Promise<Told> {
  const problem = ofTheDocument(error) ?? (await explain(causeOf(error), rules, logger));
  const { status, details } = problem;
  const code = problem.code ?? codes[status] ?? "INTERNAL";
  const { locations, path } = error instanceof GraphQLError ? error : {};
  const formatted = {
    message: problem.message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { code, status, ...(details && { details }) },
  };
  return { problem, formatted };
}

/** The GraphQLError of a field carries what went wrong below it. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? error.originalError : error;

/** What tells of the document, its variables or a cursor is said in words meant for its author. */
function ofTheDocument(error: unknown): Problem | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { originalError: cause, message } = error;
  const isMeant = cause === undefined || cause instanceof GraphQLError || isSafeError(cause);
  return isMeant ? new Problem(400, message) : undefined;
}
