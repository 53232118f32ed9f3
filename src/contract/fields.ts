/**
 * The fields of requests and responses, as JSON Schemas in the dialect of OpenAPI 3.0. If a field
 * has a column, the database says what it means and how long or large it may be.
 */
export type FieldSchema = ValueSchema | ArraySchema | ObjectField;

interface CommonSchema {
  /** Empty if the comment of its column says it (./described.ts). */
  readonly description: string;
  /** The column whose comment and check complete the field, such as `spots.spot_number`. */
  readonly column?: string;
  readonly format?: "uuid" | "date" | "date-time" | "date-or-date-time" | "email";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | string;
  readonly pattern?: string;
  readonly enum?: readonly (string | null)[];
  /** In a request, `null` clears the field. */
  readonly nullable?: true;
  /** Only fields have an example. Other kinds of members do not. */
  readonly example: Example;
}

export interface ValueSchema extends CommonSchema {
  readonly type: "string" | "boolean" | "integer" | "number";
  readonly items?: undefined;
}

/** An array of texts is `text[]` in SQL, an array of objects `jsonb`. */
export interface ArraySchema extends CommonSchema {
  readonly type: "array";
  readonly items: FieldSchema | ItemSchema;
  readonly minItems?: number;
  readonly maxItems: number;
  readonly uniqueItems?: true;
}

/** An object in an answer, `jsonb` in SQL. A member is present only if it has a value. */
export interface ObjectField extends CommonSchema {
  readonly type: "object";
  readonly properties: Fields;
  readonly additionalProperties: false;
  readonly items?: undefined;
}

type Example =
  | string
  | boolean
  | number
  | null
  | readonly Example[]
  | { readonly [name: string]: Example };

/** An object in an array. */
export interface ItemSchema {
  readonly type: "object";
  readonly properties: Fields;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export type Fields = Readonly<Record<string, FieldSchema>>;

declare const value: unique symbol;

/** A schema of values of a type, which only the compiler knows. The page has its types from it. */
export type Typed<Schema, Value> = Schema & { readonly [value]?: Value };
type Field<Value> = Typed<FieldSchema, Value>;

export type ValueOf<Schema> = Schema extends { readonly [value]?: infer Value } ? Value : never;

/** The values of fields, of which some may be absent. */
export type Values<Those, Optional = never> = {
  readonly [Name in Exclude<keyof Those, Optional>]: ValueOf<Those[Name]>;
} & { readonly [Name in Extract<keyof Those, Optional>]?: ValueOf<Those[Name]> };

/**
 * Fields that columns of a table describe. The column has the name of the field, unless the field
 * names another.
 */
export const columns = <Those extends Fields>(table: string, fields: Those): Those =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { column: `${table}.${name}`, ...field }]),
  ) as Those;

const formatted = (
  format: NonNullable<FieldSchema["format"]>,
  description: string,
  example: string,
): Typed<ValueSchema, string> => ({ type: "string", format, description, example });

/** A text that people type. The check of its column limits its length and its characters. */
export const text = (example: string, description = ""): Typed<ValueSchema, string> => ({
  type: "string",
  description,
  example,
});

/** A time as clients write it. */
export const time = (description: string, example: string): Field<string> =>
  formatted("date-time", description, example);

/** A time as the service writes it: in UTC with milliseconds, as toISOString() does. */
export const moment = (description = "", example = "2029-11-20T17:00:00.000Z"): Field<string> => ({
  ...time(description, example),
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
});

/** A time or a day. */
export const date = (description: string, example: string): Field<string> =>
  formatted("date-or-date-time", `${description} A plain date is its midnight in UTC.`, example);

/** A day without a time. */
export const day = (description: string, example: string): Field<string> =>
  formatted("date", description, example);

export const id = (description = ""): Field<string> =>
  formatted("uuid", description, "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e");

export const email: Field<string> = {
  ...formatted("email", "", "maria@demo.example"),
  column: "users.email",
};

export const flag = (description = "", example = true): Field<boolean> => ({
  type: "boolean",
  description,
  example,
});

/** One of several words. */
export const choice = <Word extends string>(
  words: readonly Word[],
  example: Word,
  description = "",
): Typed<ValueSchema, Word> => ({ type: "string", enum: words, description, example });

/** A whole number, whose range the check of its column has. */
export const number = (example: number, description = ""): Typed<ValueSchema, number> => ({
  type: "integer",
  description,
  example,
});

export const count = (description: string): Field<number> => ({
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
  example: 1,
});

/** An object in an answer. A member is present only if it has a value. */
export const object = <Those extends Fields>(
  properties: Those,
  example: Readonly<Record<string, Example>>,
): Typed<ObjectField, Values<Those, keyof Those>> => ({
  type: "object",
  properties,
  additionalProperties: false,
  description: "",
  example,
});

/** An array of texts or objects with a maximum length. `items` describes each of them. */
export const list = <Value>(
  items: Typed<FieldSchema | ItemSchema, Value>,
  maxItems: number,
  example: readonly Example[],
  description = "",
): Typed<ArraySchema, readonly Value[]> => ({
  type: "array",
  items,
  maxItems,
  description,
  example,
});

export const requiredOf = (properties: object, optional: readonly string[]): string[] =>
  Object.keys(properties).filter((name) => !optional.includes(name));

/** An object in an array. All its members are required, except `optional`. */
export const item = <Those extends Fields, Optional extends string = never>(
  properties: Those,
  optional: readonly Optional[] = [],
): Typed<ItemSchema, Values<Those, Optional>> => ({
  type: "object",
  properties,
  required: requiredOf(properties, optional),
  additionalProperties: false,
});

/** In OpenAPI 3.0, an enum of a nullable field must contain null, too. */
export const nullable = <Value>(field: Field<Value>): Field<Value | null> => ({
  ...field,
  ...(field.enum && { enum: [...field.enum, null] }),
  nullable: true,
});

export const timestamps = { created_at: moment(), updated_at: moment() };

export const EXAMPLE_START = "2030-01-01T10:00:00.000Z";
export const EXAMPLE_END = "2030-01-01T12:00:00.000Z";

/** The span of a window or a claim in requests, and its span in answers. */
export const givenSpan = {
  start_time: time("RFC 3339 with an offset; in the future.", EXAMPLE_START),
  end_time: time("RFC 3339 with an offset; after start_time.", EXAMPLE_END),
};
export const span = {
  start_time: moment("", EXAMPLE_START),
  end_time: moment("", EXAMPLE_END),
};

export const limit = {
  type: "integer",
  minimum: 1,
  maximum: 200,
  default: 50,
  description: "Maximum number returned.",
  example: 20,
} as const satisfies FieldSchema;
export const offset = {
  type: "integer",
  minimum: 0,
  maximum: 1_000_000,
  default: 0,
  description: "Number skipped.",
  example: 0,
} as const satisfies FieldSchema;
