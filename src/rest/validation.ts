import { Ajv, type ErrorObject } from "ajv";
import type { FieldSchema, ItemSchema } from "../contract/fields.ts";
import { MOST_FIELDS_NAMED, type ObjectSchema } from "../contract/schemas.ts";
import { type Details, Problem } from "../errors/problem.ts";
import { isDate, isDateOrDateTime, isDateTime, isJsonObject, isUuid } from "../formats.ts";

export type Arguments = Readonly<Record<string, unknown>>;

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  useDefaults: true,
  verbose: true, // an error has its schema
  unicodeRegExp: false, // patterns name pairs of surrogates (contract/columns.ts)
})
  .addFormat("uuid", isUuid)
  .addFormat("date", isDate)
  .addFormat("date-time", isDateTime)
  .addFormat("date-or-date-time", isDateOrDateTime)
  .addKeyword("example");

const formatMessages: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  date: "must be a date such as 2027-01-01",
  "date-time": "must be a time such as 2027-01-01T10:00:00Z, with an offset",
  "date-or-date-time": "must be a date such as 2027-01-01, or a time with an offset",
};

/**
 * Compiles a check of a JSON body against its schema.
 * @throws Problem 400 with details for each field (specification, Errors)
 */
export function bodyValidator(schema: ObjectSchema): (body: unknown) => Arguments {
  const check = validator(schema, "Unknown field");
  return (body) => {
    if (!isJsonObject(body)) {
      throw new Problem("invalid_json", { message: "The request body must be a JSON object" });
    }
    return check(trimmedMembers(body, schema));
  };
}

/** As {@link bodyValidator}, for the strings of a query or a path. */
export function textValidator(
  schema: ObjectSchema,
): (texts: Readonly<Record<string, string | string[] | undefined>>) => Arguments {
  const check = validator(schema, "Unknown parameter");
  return (texts) => {
    const repeated = Object.keys(texts).filter((name) => Array.isArray(texts[name]));
    if (repeated.length > 0) throw invalid(repeated.map((name) => [name, "must be given once"]));
    return check(mapValues(texts, (text, name) => fromText(text, schema.properties[name])));
  };
}

/** @param unknown the complaint about what the schema does not name */
function validator(schema: ObjectSchema, unknown: string) {
  const validate = ajv.compile<Arguments>(schema);
  const ofFormat = (wanted: RegExp) =>
    Object.entries(schema.properties)
      .filter(([, { format }]) => format !== undefined && wanted.test(format))
      .map(([name]) => name);
  const times = ofFormat(/date-time$/);
  const ids = ofFormat(/^uuid$/);
  return (values: Record<string, unknown>): Arguments => {
    if (!validate(values)) {
      const errors = validate.errors ?? [];
      throw invalid(errors.map((error) => [fieldOf(error), messageOf(error, unknown)]));
    }
    // RFC 3339 allows offsets up to 23:59, PostgreSQL takes 15:59; the moment is the same in UTC.
    for (const name of times) {
      const time = values[name];
      if (typeof time === "string") values[name] = new Date(time).toISOString();
    }
    // One row has one id: requests for it take turns, and repeated ones are recognized.
    for (const name of ids) {
      const id = values[name];
      if (typeof id === "string") values[name] = id.toLowerCase();
    }
    return values;
  };
}

/** The 400 of a request whose form is wrong. */
function invalid(errors: readonly (readonly [field: string, message: string])[]): Problem {
  // Without a prototype: a field may be called __proto__.
  const details: Record<string, { _errors: string[] }> = Object.create(null);
  for (const [field, message] of errors) {
    if (details[field]) details[field]._errors.push(message);
    else if (Object.keys(details).length < MOST_FIELDS_NAMED)
      details[field] = { _errors: [message] };
  }
  return new Problem("validation_failed", { details: details satisfies Details });
}

/** An error is about a member, or about one that is missing; in an array, `invitations/3/email`. */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params;
  const name = missingProperty ?? additionalProperty;
  return [instancePath.slice(1), name].filter(Boolean).join("/");
}

function messageOf(
  { keyword, params, parentSchema = {}, message }: ErrorObject,
  unknown: string,
): string {
  const { minLength, maxLength, example } = parentSchema;
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
      return unknown;
    case "pattern":
      // A text of one length has a form; of any other the pattern says which characters.
      return minLength && minLength === maxLength
        ? `must look like ${example}`
        : "contains characters that are not allowed";
    case "uniqueItems":
      return "must not name the same twice";
    case "format":
      return formatMessages[params.format] ?? "has the wrong format";
    case "enum":
      return `must be one of ${params.allowedValues.map(String).join(", ")}`;
    default:
      return message ?? "is not valid";
  }
}

/** Texts lose the white space around them; ids and times are read to the letter. */
function trimmed(value: unknown, schema: FieldSchema | ItemSchema | undefined): unknown {
  if (schema?.type === "object") return isJsonObject(value) ? trimmedMembers(value, schema) : value;
  if (schema?.type === "array")
    return Array.isArray(value)
      ? value.slice(0, schema.maxItems + 1).map((it) => trimmed(it, schema.items)) // too long either way
      : value;
  return typeof value === "string" && schema?.format === undefined ? value.trim() : value;
}

/** Leaves no more unknown members than the details name: Ajv would take long for thousands. */
function trimmedMembers(object: object, { properties }: Pick<ItemSchema, "properties">) {
  const unknown = Object.keys(object).filter((name) => !Object.hasOwn(properties, name));
  const dropped = new Set(unknown.slice(MOST_FIELDS_NAMED));
  return mapValues(object, (value, name) => trimmed(value, properties[name]), dropped);
}

/** A text that does not have the form of its type stays a text; the schema refuses it. */
function fromText(text: unknown, schema: FieldSchema | undefined): unknown {
  if (typeof text !== "string") return text;
  if (schema?.type === "integer") return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (schema?.type === "boolean") {
    return text === "true" ? true : text === "false" ? false : text;
  }
  return trimmed(text, schema);
}

function mapValues(
  values: object,
  map: (value: unknown, name: string) => unknown,
  dropped?: ReadonlySet<string>,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(values))
    if (!dropped?.has(name)) mapped[name] = map(value, name);
  return mapped;
}
