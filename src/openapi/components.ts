import type { Member } from "../contract/answers.ts";
import type { FieldSchema } from "../contract/fields.ts";
import * as requests from "../contract/requests.ts";
import * as resources from "../contract/resources.ts";
import { routes } from "../contract/routes.ts";
import { longest } from "../formats.ts";
import { errorSchemas } from "./errors.ts";
import type { Schema, SchemaObject } from "./types.ts";

type OwnSchema = Member | requests.ObjectSchema;

/** What filters say is shown as parameters, without a name. */
const bodies: ReadonlySet<unknown> = new Set(routes.map((route) => route.body));

/** A schema is called what its module calls it. */
const named: readonly (readonly [name: string, schema: OwnSchema])[] = [
  ...Object.entries(resources),
  ...Object.entries(requests).filter(([, schema]) => bodies.has(schema)),
];
const names: ReadonlyMap<OwnSchema, string> = new Map(
  named.map(([name, schema]) => [schema, name]),
);

/** A schema as the document shows it: by reference where it has a name. */
export function shown(schema: OwnSchema): Schema {
  const name = names.get(schema);
  return name === undefined ? inFull(schema) : { $ref: `#/components/schemas/${name}` };
}

function inFull(schema: OwnSchema): SchemaObject {
  if (schema.type === "array") return { ...schema, items: shown(schema.items) };
  if (schema.type !== "object") return valueShown(schema);
  const members = Object.entries(schema.properties).map(([name, member]) => [name, shown(member)]);
  return { ...schema, properties: Object.fromEntries(members) };
}

/** What a format means to us, for clients that do not know it. */
const formats: Readonly<Record<NonNullable<FieldSchema["format"]>, SchemaObject>> = {
  uuid: { format: "uuid", maxLength: longest.uuid },
  date: { format: "date", maxLength: longest.date },
  "date-time": { format: "date-time", maxLength: longest["date-time"] },
  email: { format: "email", maxLength: longest.email },
  // Only this service knows it: the description of the field explains it.
  "date-or-date-time": {
    pattern: "^\\d{4}-\\d{2}-\\d{2}([Tt].*)?$",
    maxLength: longest["date-time"],
  },
};

/** A schema of a value as the document shows it. */
export function valueShown({ format, ...schema }: Partial<FieldSchema>): SchemaObject {
  if (format !== undefined) return { ...formats[format], ...schema };
  return schema.type === "integer" ? integer(schema) : schema;
}

const INT32 = 2 ** 31 - 1;

/** With the format that tells compiled clients how large it may be. */
export const integer = (schema: Omit<SchemaObject, "format">): SchemaObject => ({
  format: (schema.maximum ?? Number.POSITIVE_INFINITY) > INT32 ? "int64" : "int32",
  ...schema,
});

/** Every schema with a name, in full. */
export const schemas: Readonly<Record<string, SchemaObject>> = {
  ...Object.fromEntries(named.map(([name, schema]) => [name, inFull(schema)])),
  ...errorSchemas,
};
