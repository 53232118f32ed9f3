import * as field from "./fields.ts";

/** What requests may contain. Ajv validates with it, and the description of the API shows it. */
export interface ObjectSchema {
  readonly type: "object";
  /** The name in the description of the API. Parameters have no name. */
  readonly title?: string;
  readonly properties: field.Fields;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** The kinds of members of a response. */
export type Member = field.FieldSchema | ResourceSchema | ListSchema;

/**
 * A response has every required member; one without a value is null. A member that is not required
 * is present only if it has a value, and a flag only if it is true.
 */
export interface ResourceSchema extends Omit<ObjectSchema, "properties" | "additionalProperties"> {
  /** Empty if the comment of its table says it. */
  readonly description: string;
  readonly table?: string;
  readonly properties: Readonly<Record<string, Member>>;
  readonly required: readonly string[];
  /** For lists of records of any form, whose members only the database knows. */
  readonly additionalProperties: false | typeof RECORDS;
  /** The first member of an answer may be null. Without this, there is no answer without a row. */
  readonly nullable?: true;
}

const RECORDS = { type: "array", items: { type: "object" } } as const;

export interface ListSchema {
  readonly type: "array";
  readonly description: string;
  readonly items: ResourceSchema;
  readonly maxItems: number;
}

export const isField = (member: Member): member is field.FieldSchema => "example" in member;

/** A body may have a thousand unknown fields. The details name only the first of them. */
export const MOST_FIELDS_NAMED = 30;

export const parameters = (
  properties: field.Fields,
  required: readonly string[] = [],
): ObjectSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

/** The body of a request about rows of a table, whose columns describe its fields. */
export const body = (
  title: string,
  table: string,
  properties: field.Fields,
  required: readonly string[] = [],
): ObjectSchema => ({ title, ...parameters(field.columns(table, properties), required) });

/** The parameters that choose a page of a list. */
export const page: field.Fields = { limit: field.limit, offset: field.offset };

/** The only parameter of paths with `{id}`. */
export const PathId = parameters({ id: field.id("The id of the resource.") }, ["id"]);
export const Nothing = parameters({});

export const reason: field.FieldSchema = {
  ...field.text("The garage is being repaired", "Why; those concerned read it."),
  column: "events.reason",
};

/** What administrators say when they remove something of another person. */
export const Removal = parameters({ reason }, ["reason"]);

/** It has no name: the description shows it in place, and GraphQL does not show it. */
export const answer = <Those extends ResourceSchema["properties"]>(
  description: string,
  properties: Those,
): field.Typed<ResourceSchema, field.Values<Those>> => ({
  type: "object",
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const resource = <Those extends ResourceSchema["properties"]>(
  title: string,
  description: string,
  properties: Those,
): field.Typed<ResourceSchema, field.Values<Those>> => ({
  title,
  ...answer(description, properties),
});

/** A row of a table, whose comment describes it. Without a name, so GraphQL does not show it. */
export const namelessRow = <Those extends field.Fields>(
  table: string,
  properties: Those,
): field.Typed<ResourceSchema, field.Values<Those>> => ({
  ...answer("", field.columns(table, properties)),
  table,
});

/** A row of a table, under a name. */
export const row = <Those extends field.Fields, Optional extends string = never>(
  title: string,
  table: string,
  properties: Those,
  optional: readonly Optional[] = [],
): field.Typed<ResourceSchema, field.Values<Those, Optional>> => ({
  title,
  ...namelessRow(table, properties),
  required: field.requiredOf(properties, optional),
});

/** `{ claim }`: the body of most responses. */
export const underName = (
  resources: Readonly<Record<string, ResourceSchema | ListSchema>>,
): ResourceSchema => answer("The resource under its name.", resources);

export const list = (description: string, items: ResourceSchema, maxItems: number): ListSchema => ({
  type: "array",
  description,
  items,
  maxItems,
});

/** `{ claims, total }` */
export const pageOf = (name: string, items: ResourceSchema): ResourceSchema =>
  answer("A page of a list, and how long the list is.", {
    [name]: list("The page.", items, field.limit.maximum),
    total: field.count("All that match the filters and that the caller may see."),
  });

/** `{ profile, spots, … }` */
export const recordsByName = (description: string): ResourceSchema => ({
  ...answer(description, {}),
  additionalProperties: RECORDS,
});

/** A resource that an answer contains under a name, alone or in a list. */
export interface NamedMember {
  readonly name: string;
  readonly isList: boolean;
  readonly row: ResourceSchema;
}

export const membersOf = ({ properties }: ResourceSchema): readonly NamedMember[] =>
  Object.entries(properties).flatMap(([name, member]): readonly NamedMember[] => {
    if (isField(member)) return [];
    return member.type === "array"
      ? [{ name, isList: true, row: member.items }]
      : [{ name, isList: false, row: member }];
  });

/**
 * The resource that an answer contains under a name. If there are several, it is the first. If
 * there is none, it is the answer itself.
 */
export const rowOf = (answer: ResourceSchema): ResourceSchema =>
  (answer.title ? undefined : membersOf(answer)[0]?.row) ?? answer;

/** The maximum of rows in an answer without pages. */
export const MOST_ROWS = 10_000; // sql/reports/rules/reports_of_10000_rows_at_most.sql

/** `{ hours }` */
export const reportOf = (name: string, items: ResourceSchema): ResourceSchema =>
  allOf(name, "The rows of the report.", items, MOST_ROWS);

/** `{ days }`: all rows at once, in the order of the route's function. */
export const allOf = (
  name: string,
  description: string,
  items: ResourceSchema,
  maxItems: number,
): ResourceSchema => answer(description, { [name]: list("All of them.", items, maxItems) });

/** `{ message, deleted_claim_id }` */
export const deletionOf = (
  name: string,
  message: string,
  more: field.Fields = {},
): ResourceSchema =>
  answer("The resource is gone.", {
    message: field.choice([message], message, "For people."),
    [`deleted_${name}_id`]: field.id("Identifies what was deleted."),
    ...more,
  });
