import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from "graphql";
import { Problem } from "../../errors/problem.ts";
import { shortened } from "./shortened.ts";

const MOST_TOKENS = 2000;
/** The names of the schema have at most 35 characters. Names in the document are in the answer. */
const LONGEST_NAME = 64;
/** No field takes a longer text, and cursors are shorter. */
export const LONGEST_TEXT = 1000;

/**
 * Parses a document whose parts are of a usual size: errors quote them, and suggestions compare
 * them with every name of the schema.
 *
 * @throws GraphQLError for the syntax, or Problem document_too_large
 */
export function parseDocument(query: string): DocumentNode {
  try {
    limitTokens(query);
    return parse(query);
  } catch (error) {
    throw error instanceof GraphQLError ? shortened(error) : error;
  }
}

function limitTokens(query: string): void {
  const lexer = new Lexer(new Source(query));
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) {
    const { kind, start, end } = lexer.token;
    if (count === MOST_TOKENS) {
      throw new Problem("document_too_large", {
        message: `The document must not have more than ${MOST_TOKENS} tokens`,
      });
    }
    if (kind === TokenKind.NAME && end - start > LONGEST_NAME) {
      throw new Problem("document_too_large", {
        message: `A name must not have more than ${LONGEST_NAME} characters`,
      });
    }
    if (end - start > LONGEST_TEXT) {
      throw new Problem("document_too_large", {
        message: `A value must not have more than ${LONGEST_TEXT} characters`,
      });
    }
  }
}
