import { MOST_FIELDS_NAMED } from "../contract/schemas.ts";
import type { SchemaObject } from "./types.ts";

/** As many as a field's schema has keywords (src/contract/fields.ts). */
const KINDS_OF_MISTAKES = 8;

const error = (example: string): SchemaObject => ({
  type: "string",
  minLength: 1,
  description: "What went wrong, for people.",
  example,
});

/** The bodies of failures (specification, Errors). */
export const errorSchemas = {
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
