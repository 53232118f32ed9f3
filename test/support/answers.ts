import type { Answer, Failure } from "./person.ts";

/** Status and body of an answer, to be compared as a whole. */
export const answerOf = <Body>({ status, body }: Answer<Body>) => ({ status, body });

/** A refusal that says this and nothing more. */
export const refusal = (status: number, error: string) => ({ status, body: { error } });

/** A refusal by a rule about one field. */
export const refusalOf = (field: string, status: number, error: string) => ({
  status,
  body: { error, details: { [field]: { _errors: [error] } } },
});

/** The fields that a validation error names; the wording of each message is not promised. */
export const complaint = ({ status, body }: Answer<Failure>) => ({
  status,
  error: formatOf(body.error),
  fields: Object.entries(body.details ?? {}).map(([field, { _errors }]) =>
    _errors.length > 0 && _errors.every((message) => message !== "")
      ? field
      : `${field}without a message`,
  ),
});

/** A validation error for these fields. */
export const malformed = (...fields: readonly string[]) => ({
  status: 400,
  error: "text",
  fields,
});

/** The names of an object's members, and the format of each. */
export const formatsOf = (object: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, formatOf(value)]));

export function formatOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "string") return typeof value;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return "uuid";
  return isTime(value) ? "time" : "text";
}

/** UTC with milliseconds and Z, as toISOString() writes it. */
const isTime = (value: string): boolean => {
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
};
