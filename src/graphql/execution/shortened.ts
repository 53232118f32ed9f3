import { GraphQLError } from "graphql";

const LONGEST_MESSAGE = 200;

/** The error with a message of bounded length: graphql-js quotes what the client wrote. */
export function shortened({ message, nodes, source, positions }: GraphQLError): GraphQLError {
  const short =
    message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
  return new GraphQLError(short, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
  });
}
