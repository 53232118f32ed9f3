import { Ajv, type ValidateFunction } from "ajv";
import { isDate, isDateTime, isUuid } from "../../src/formats.ts";
import type { Schema } from "../../src/openapi/types.ts";
import { description } from "./described.ts";

const { components } = description;

const ajv = new Ajv({ allErrors: true })
  .addFormat("uuid", isUuid)
  .addFormat("date", isDate)
  .addFormat("date-time", isDateTime)
  .addFormat("int32", true)
  .addFormat("int64", true)
  .addFormat("email", /^[^@]+@[^@]+$/)
  .addVocabulary(["components", "example"]);

const validators = new Map<Schema, ValidateFunction>();

/** Why a value does not match a schema of the description; undefined if it matches. */
export function objection(schema: Schema, value: unknown): string | undefined {
  // References are looked up in the schema that is compiled.
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components });
  validators.set(schema, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "it" });
}
