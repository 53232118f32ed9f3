import type {
  ArraySchema,
  FieldSchema,
  ObjectField,
  ValueSchema as ValueField,
} from "../contract/fields.ts";
import type { Route } from "../contract/route.ts";
import {
  type Member,
  MOST_FIELDS_NAMED,
  type ObjectSchema,
  type ResourceSchema,
} from "../contract/schemas.ts";
import { longest } from "../formats.ts";
import type { Schema, SchemaObject, ValueSchema } from "./types.ts";

type OwnObject = ObjectSchema | ResourceSchema;
type OwnSchema = Member | OwnObject;

/** A schema in the document: a reference if it has a name. */
export const shown = (schema: OwnSchema): Schema =>
  "title" in schema ? { $ref: `#/components/schemas/${schema.title}` } : inFull(schema);

function inFull(schema: OwnSchema): SchemaObject {
  if ("example" in schema) return valueShown(schema);
  if (schema.type === "array") return { ...schema, items: shown(schema.items) };
  const { title, required = [], ...rest } = schema;
  const members = Object.entries(schema.properties).map(([name, member]) => [name, shown(member)]);
  return {
    ...rest,
    properties: Object.fromEntries(members),
    ...(required.length > 0 && { required }),
  };
}

/** The meaning of each format here, for clients that do not know it. */
const formats: Readonly<Record<NonNullable<FieldSchema["format"]>, ValueSchema>> = {
  uuid: { format: "uuid", maxLength: longest.uuid },
  date: { format: "date", maxLength: longest.date },
  "date-time": { format: "date-time", maxLength: longest["date-time"] },
  email: { format: "email", maxLength: longest.email },
  // Only this service knows this format. The description of the field explains it.
  "date-or-date-time": {
    pattern: "^\\d{4}-\\d{2}-\\d{2}([Tt].*)?$",
    maxLength: longest["date-time"],
  },
};

type Shape<Schema> = Omit<Schema, "description" | "example">;

/** The schema of a value in the document. */
export function valueShown(
  schema: Shape<ValueField> | Shape<ArraySchema> | Shape<ObjectField>,
): SchemaObject {
  if (schema.type === "array") return { ...schema, items: shown(schema.items) };
  if (schema.type === "object") {
    const members = Object.entries(schema.properties).map(([name, it]) => [name, shown(it)]);
    return { ...schema, properties: Object.fromEntries(members) };
  }
  const { format, ...rest } = schema;
  if (format !== undefined) return { ...formats[format], ...rest };
  return rest.type === "integer" ? integer(rest) : rest;
}

const INT32 = 2 ** 31 - 1;

/** Adds the format that tells compiled clients how large it may be. */
export const integer = (schema: ValueSchema): ValueSchema => ({
  format: (schema.maximum ?? Number.POSITIVE_INFINITY) > INT32 ? "int64" : "int32",
  ...schema,
});

/** The number of keywords in a field's schema (src/contract/fields.ts). */
const KINDS_OF_MISTAKES = 8;

const error = (example: string): SchemaObject => ({
  type: "string",
  minLength: 1,
  description: "What went wrong, for people.",
  example,
});

/** The bodies of failures (specification, Errors). */
const errorSchemas = {
  Failure: {
    type: "object",
    description: "A failure.",
    properties: { error: error("Claim not found") },
    required: ["error"],
    additionalProperties: false,
  },
  ValidationFailure: {
    type: "object",
    description: "A failure that is about fields of the request.",
    properties: {
      error: error("Validation failed"),
      details: {
        type: "object",
        description: "What is wrong with each of the fields, by name.",
        maxProperties: MOST_FIELDS_NAMED,
        additionalProperties: {
          type: "object",
          properties: {
            _errors: {
              type: "array",
              items: { type: "string", minLength: 1 },
              minItems: 1,
              maxItems: KINDS_OF_MISTAKES,
            },
          },
          required: ["_errors"],
          additionalProperties: false,
        },
      },
    },
    required: ["error", "details"],
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** Every schema that has a name, in full. */
export const schemasOf = (routes: readonly Route[]): Readonly<Record<string, SchemaObject>> => ({
  ...Object.fromEntries(
    routes
      .flatMap(({ answer, body }) => [...namedIn(answer), ...(body ? namedIn(body) : [])])
      .map((schema) => [schema.title, inFull(schema)]),
  ),
  ...errorSchemas,
});

/** The schemas that have a name, among a schema and its members. */
function namedIn(schema: OwnSchema): readonly OwnObject[] {
  if ("example" in schema) return [];
  if (schema.type === "array") return namedIn(schema.items);
  const inside = Object.values(schema.properties).flatMap(namedIn);
  return "title" in schema ? [schema, ...inside] : inside;
}
