import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { isSafeError } from "postgraphile/grafast";
import type { RuleCatalogue } from "../../errors/catalogue.ts";
import { Problem } from "../../errors/problem.ts";
import { explain } from "../../errors/render.ts";
import type { Logger } from "../../log.ts";
import { formatted } from "../answer.ts";

/** An error as GraphQL clients read it, and the failure behind it. */
export interface ExplainedError {
  readonly problem: Problem;
  readonly formatted: GraphQLFormattedError;
}

export async function explainError(
  error: unknown,
  { rules, logger }: { readonly rules: RuleCatalogue; readonly logger: Logger },
): Promise<ExplainedError> {
  const problem = ofTheDocument(error) ?? (await explain(causeOf(error), rules, logger));
  return { problem, formatted: formatted(problem, error instanceof GraphQLError ? error : {}) };
}

/** The GraphQLError of a field carries what went wrong below it. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? error.originalError : error;

/** An error about the document, its variables or a cursor has a message for its author. */
function ofTheDocument(error: unknown): Problem | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { originalError: cause, message } = error;
  const isMeant = cause === undefined || cause instanceof GraphQLError || isSafeError(cause);
  return isMeant ? new Problem("invalid_document", { message }) : undefined;
}
