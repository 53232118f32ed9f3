import type { Member, NamedMember, ResourceSchema } from "../contract/schemas.ts";
import type { Row } from "../database/transaction.ts";
import type { Arguments } from "./validation.ts";

/** The body of a response, and the id of the row that it is about. */
export interface Rendered {
  readonly body: string;
  /** If the body is not JSON: its type, and the name under which a browser stores it. */
  readonly file?: { readonly name: string; readonly type: string };
  readonly id?: string | undefined;
  /** Whether it is the answer to an earlier request with the same key. */
  readonly isReplayed?: boolean;
}

/**
 * Makes the answer from the rows of a route's steps.
 * @returns undefined if the route's function returned no row
 */
export type Renderer = (
  results: readonly (readonly Row[])[],
  values: Arguments,
) => Rendered | undefined;

/** `{ message, deleted_claim_id }`: the row is the body. */
export function rowRenderer(answer: ResourceSchema): Renderer {
  const write = rowWriter(answer);
  return ([rows]) => rows?.[0] && { body: write(rows[0]) };
}

/** `{ claims, total }`: each row begins with the total. If the page is empty, the rest is null. */
export function pageRenderer({ name, row }: NamedMember): Renderer {
  const write = rowWriter(row, 1);
  return ([rows]) => {
    if (rows?.[0] === undefined) return undefined;
    const page = rows.filter(([, id]) => id !== null).map(write);
    return { body: `{"${name}":[${page.join()}],"total":${rows[0][0]}}` };
  };
}

/** `{ profile, user }`: the rows of each member are those of one step. */
export function membersRenderer(members: readonly NamedMember[]): Renderer {
  const parts = members.map(({ name, isList, row }) => {
    const write = rowWriter(row);
    const all = (rows: readonly Row[]) => `[${rows.map(write).join()}]`;
    const one = ([it]: readonly Row[]) => (it ? write(it) : "null");
    return { start: `"${name}":`, write: isList ? all : one };
  });
  const [first] = members;
  const idColumn = Object.keys(first?.row.properties ?? {}).indexOf("id");
  return (results) => {
    const row = results[0]?.[0];
    if (row === undefined && !first?.isList && !first?.row.nullable) return undefined;
    const written = parts.map(({ start, write }, i) => start + write(results[i] ?? []));
    return { body: `{${written.join()}}`, id: row?.[idColumn] ?? undefined };
  };
}

/**
 * Returns the function that writes a row as the JSON of a resource: its columns are the resource's
 * properties, in their order.
 *
 * It writes from PostgreSQL's text, and makes no objects in between. With objects for them,
 * JSON.stringify and fast-json-stringify take one and a half times as long.
 *
 * @param first the column that the resource begins at
 */
export function rowWriter(
  { properties, required }: ResourceSchema,
  first = 0,
): (row: Row) => string {
  const columns = Object.entries(properties).map(([name, schema], index) => ({
    start: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    write: writerOf(schema),
    isOptional: !required.includes(name),
    absent: schema.type === "boolean" ? "f" : null,
  }));
  return (row) => {
    let json = "";
    let column = first;
    for (const { start, write, isOptional, absent } of columns) {
      const text = row[column++] ?? null;
      if (isOptional && (text === null || text === absent)) continue;
      json += start + (text === null ? "null" : write(text));
    }
    return `${json}}`;
  };
}

type Write = (text: string) => string;

/** Writes a value that is not null as JSON. */
export function writerOf(member: Member & { readonly format?: string }): Write {
  const { type, format } = member;
  if (type === "boolean") return (text) => (text === "t" ? "true" : "false");
  if (["integer", "number", "array", "object"].includes(type)) return (text) => text;
  if (format === "uuid") return (text) => `"${text}"`;
  if (format === "date-time") return moment;
  if (!("enum" in member)) return JSON.stringify;
  const known = new Map(member.enum?.map((value) => [value, JSON.stringify(value)]));
  return (text) => known.get(text) ?? JSON.stringify(text);
}

/**
 * `2026-11-21 17:00:00.5+00` becomes `"2026-11-21T17:00:00.500Z"`, as toISOString() writes it.
 *
 * @throws Error for a text in another style: a setting that was changed must not shift a time
 */
export function moment(text: string): string {
  if (text.charCodeAt(10) !== SPACE || text.charCodeAt(4) !== HYPHEN || !text.endsWith("+00"))
    return otherMoment(text);
  if (text.length > LONGEST) throw notIso(text);
  if (text.length === LONGEST) return `"${text.slice(0, 10)}T${text.slice(11, 23)}Z"`;
  const milliseconds = text.length === SHORTEST ? "000" : text.slice(20, -3).padEnd(3, "0");
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z"`;
}

const SHORTEST = "2026-11-21 17:00:00+00".length;
const LONGEST = "2026-11-21 17:00:00.123+00".length;
const SPACE = 32;
const HYPHEN = 45;

/** The sessions of the service are in UTC (sql/roles.sql), unless somebody changed that. */
function otherMoment(text: string): string {
  const [, date, time, hours, minutes = ":00"] =
    /^(\d{4}-\d\d-\d\d) ([\d:]{8}(?:\.\d{1,3})?)([+-]\d\d)(:\d\d)?$/.exec(text) ?? [];
  if (date === undefined) throw notIso(text);
  return `"${new Date(`${date}T${time}${hours}${minutes}`).toISOString()}"`;
}

const notIso = (text: string): Error =>
  new Error(`PostgreSQL must write times in the style ISO, to the millisecond, and wrote ${text}`);
