import type { Member } from "../rest/answers.ts";
import type { FieldSchema } from "../rest/fields.ts";
import * as requests from "../rest/requests.ts";
import * as resources from "../rest/resources.ts";
import { routes } from "../rest/routes.ts";
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
  if (schema.type !== "object") return withKnownFormat(schema);
  const members = Object.entries(schema.properties).map(([name, member]) => [name, shown(member)]);
  return { ...schema, properties: Object.fromEntries(members) };
}

/** Without the format that only this service knows: the description of the field explains it. */
export const withKnownFormat = ({ format, ...schema }: Partial<FieldSchema>): SchemaObject =>
  format === undefined || format === "date-or-date-time" ? schema : { format, ...schema };

/** Every schema with a name, in full. */
export const schemas: Readonly<Record<string, SchemaObject>> = {
  ...Object.fromEntries(named.map(([name, schema]) => [name, inFull(schema)])),
  ...errorSchemas,
};
