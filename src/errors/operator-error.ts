/**
 * What the operator can fix: a wrong setting, a database that cannot be reached or is too old, a
 * port or folder in use. The message says what to do, so it is printed without a stack.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** What to print of an error that ends a program: a line for the operator, else all of it. */
export const printable = (error: unknown): unknown =>
  error instanceof OperatorError ? error.message : error;
