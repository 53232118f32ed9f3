import * as field from "./fields.ts";
import type { ObjectSchema } from "./requests.ts";

/** What a member of a response can be. */
export type Member = field.FieldSchema | ResourceSchema | ListSchema;

/**
 * A response has every required member and no other; one without a value is null. A member that is
 * not required is there only where it is true.
 */
export interface ResourceSchema extends Omit<ObjectSchema, "properties"> {
  readonly description: string;
  readonly properties: Readonly<Record<string, Member>>;
  readonly required: readonly string[];
}

export interface ListSchema {
  readonly type: "array";
  readonly description: string;
  readonly items: ResourceSchema;
  readonly maxItems: number;
}

export const resource = (
  description: string,
  properties: ResourceSchema["properties"],
  optional: readonly string[] = [],
): ResourceSchema => ({
  type: "object",
  description,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/** The body of most responses: each resource under its name. */
export const named = (resources: Readonly<Record<string, ResourceSchema>>): ResourceSchema =>
  resource("The resource under its name.", resources);

/** `{ claims, total }` */
export const pageOf = (name: string, items: ResourceSchema): ResourceSchema =>
  resource("A page of a list, and how long the list is.", {
    [name]: { type: "array", description: "The page.", items, maxItems: field.limit.maximum },
    total: field.count("All that match the filters and that the caller may see."),
  });

const MOST_ROWS = 10_000; // sql/reports/rules/reports_of_10000_rows_at_most.sql

/** `{ hours }` */
export const reportOf = (name: string, items: ResourceSchema): ResourceSchema =>
  resource("The rows of the report.", {
    [name]: { type: "array", description: "All of them.", items, maxItems: MOST_ROWS },
  });

/** `{ message, deleted_claim_id }` */
export const deletionOf = (name: string, message: string): ResourceSchema =>
  resource("The resource is gone.", {
    message: { type: "string", enum: [message], description: "For people.", example: message },
    [`deleted_${name}_id`]: field.id("Identifies what was deleted."),
  });
