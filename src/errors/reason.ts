import { types } from "node:util";

/** If a name has several addresses, Node's error has one error for each and no own message. */
export const errorsIn = (error: unknown): readonly unknown[] =>
  types.isNativeError(error) && "errors" in error && Array.isArray(error.errors)
    ? error.errors
    : [error];

/** The reason of a failure in one line. */
export const reasonOf = (error: unknown): string => errorsIn(error).map(messageOf).join("; ");

function messageOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
