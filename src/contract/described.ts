import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import { type Columns, readColumns } from "./columns.ts";
import type { ArraySchema, FieldSchema } from "./fields.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";
import { isField, type Member, type ObjectSchema, type ResourceSchema } from "./schemas.ts";

/** A route with everything that the database says about it and its fields. */
export interface DescribedRoute extends Route {
  /** What it does, in one sentence: the comment of its SQL function. */
  readonly summary: string;
}

/**
 * Completes the contract with the comments and checks of a database.
 * @param warn is called for each column for which the service can read no length or range from a
 *   check
 */
export async function describedRoutes(
  pool: Pool,
  warn?: (message: string) => void,
): Promise<readonly DescribedRoute[]> {
  const columns = await readColumns(pool);
  const operations = await readOperations(pool);
  const summaries = new Map(operations.map(({ name, comment }) => [name, comment]));
  const described = routes.map((route) => ({
    ...route,
    ...(route.parameters && { parameters: requestIn(columns, route.parameters) }),
    ...(route.query && { query: requestIn(columns, route.query) }),
    ...(route.body && { body: requestIn(columns, route.body) }),
    answer: answerIn(columns, route.answer),
    summary: route.bySecret?.summary ?? summaries.get(route.call) ?? "",
  }));
  for (const column of columns.unbounded)
    warn?.(
      `no check says how long or large ${column} may be in a way that the service can read (docs/conventions.md): the description leaves it out`,
    );
  return described;
}

export interface OperationRow {
  readonly name: string;
  readonly arguments: readonly string[];
  /** The number of arguments without a default, which come first. */
  readonly required: number;
  /** The columns of the result. */
  readonly columns: readonly string[];
  readonly comment: string | null;
}

const SQL = readFileSync(join(import.meta.dirname, "operations.sql"), "utf8");

/** The functions of schema api that this role may call. */
export const readOperations = async (pool: Pool): Promise<readonly OperationRow[]> =>
  (await pool.query<OperationRow>(SQL)).rows;

const requestIn = (columns: Columns, schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: mapped(schema.properties, (field) => fieldIn(columns, field)),
});

const answerIn = (columns: Columns, { table = "", ...schema }: ResourceSchema): ResourceSchema => ({
  ...schema,
  description: schema.description || (columns.byName.get(table)?.description ?? ""),
  properties: mapped(schema.properties, (member) => memberIn(columns, member)),
});

function memberIn(columns: Columns, member: Member): Member {
  if (isField(member)) return fieldIn(columns, member);
  if (member.type === "object") return answerIn(columns, member);
  return { ...member, items: answerIn(columns, member.items) };
}

function fieldIn(columns: Columns, { column = "", ...field }: FieldSchema): FieldSchema {
  const { byName, oneLine, unbounded } = columns;
  const { description: comment = "", form = {} } = byName.get(column) ?? {};
  const description = field.description || comment;
  if (field.type === "array")
    return { ...field, items: itemsIn(columns, field.items), description };
  if (field.type === "object") {
    const properties = mapped(field.properties, (member) => fieldIn(columns, member));
    return { ...field, properties, description };
  }
  const isText = field.type === "string" && !field.format && !field.enum;
  const isOpen =
    (isText || field.format === "email" || field.type === "integer") &&
    field.maxLength === undefined &&
    field.maximum === undefined;
  if (isOpen && form.maxLength === undefined && form.maximum === undefined) {
    if (column === "") throw new Error(`the contract has a field without a bound: ${description}`);
    unbounded.add(column);
  }
  return { ...(isText && { pattern: oneLine }), ...(isOpen && form), ...field, description };
}

const itemsIn = (columns: Columns, items: ArraySchema["items"]): ArraySchema["items"] =>
  items.type === "object"
    ? { ...items, properties: mapped(items.properties, (field) => fieldIn(columns, field)) }
    : fieldIn(columns, items);

const mapped = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
