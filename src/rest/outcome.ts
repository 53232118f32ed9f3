import { basename } from "node:path";
import type { Route } from "../contract/route.ts";
import { membersOf, type NamedMember } from "../contract/schemas.ts";
import type { Row } from "../database/transaction.ts";
import { CALENDAR_TYPE, type Columns, calendarOf } from "./calendar.ts";
import { CSV_TYPE, csvWriter } from "./csv.ts";
import { rowWriter } from "./rendering.ts";
import type { Arguments } from "./validation.ts";

/** The body of a response, and the id of the row that it is about. */
export interface Outcome {
  readonly body: string;
  /** What the body is where it is not JSON. */
  readonly file?: { readonly name: string; readonly type: string };
  readonly id?: string | undefined;
  /** Whether it is the answer to an earlier request with the same key. */
  readonly isReplayed?: boolean;
}

/** @returns undefined where the route's function gave no row */
type Write = (results: readonly (readonly Row[])[], values: Arguments) => Outcome | undefined;

/** What becomes of the rows of a route's steps. */
export function outcomeOf(route: Route): Write {
  const members = membersOf(route.answer);
  const [first] = members;
  if (first === undefined) return rowWritten(route);
  if (route.csv) return reportWritten(route, first);
  if (route.calendar) return calendarWritten(route, members);
  return route.order ? pageWritten(first) : membersWritten(members);
}

/** `{ message, deleted_claim_id }`: the row is the body. */
function rowWritten({ answer }: Route): Write {
  const write = rowWriter(answer);
  return ([rows]) => rows?.[0] && { body: write(rows[0]) };
}

/** `{ claims, total }`: each row begins with the total; where the page is empty, the rest is null. */
function pageWritten({ name, row }: NamedMember): Write {
  const write = rowWriter(row, 1);
  return ([rows]) => {
    if (rows?.[0] === undefined) return undefined;
    const page = rows.filter(([, id]) => id !== null).map(write);
    return { body: `{"${name}":[${page.join()}],"total":${rows[0][0]}}` };
  };
}

/** `{ hours }`, or its rows as CSV. */
function reportWritten({ path }: Route, { name, row }: NamedMember): Write {
  const write = rowWriter(row);
  const writeCsv = { en: csvWriter(row, "en"), de: csvWriter(row, "de") };
  const file = { name: `${basename(path)}.csv`, type: CSV_TYPE };
  return ([rows = []], { format, language }) =>
    format === "csv"
      ? { body: writeCsv[language === "de" ? "de" : "en"](rows), file }
      : { body: `{"${name}":[${rows.map(write).join()}]}` };
}

/** The rows of its first member as a calendar; the other is the building. */
function calendarWritten({ path }: Route, members: readonly NamedMember[]): Write {
  const names = members.map(({ row }) => Object.keys(row.properties));
  const named = (row: Row, member: number): Columns =>
    Object.fromEntries((names[member] ?? []).map((name, i) => [name, row[i] ?? null]));
  const file = { name: basename(path), type: CALENDAR_TYPE };
  return ([claims = [], buildings = []], { claim_id, language }) => {
    const [building] = buildings;
    if (building === undefined || (claim_id !== undefined && claims.length === 0)) return undefined;
    const rows = claims.map((row) => named(row, 0));
    return { body: calendarOf(rows, named(building, 1), language), file };
  };
}

/** `{ profile, user }`: the rows of each member are those of one step. */
function membersWritten(members: readonly NamedMember[]): Write {
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
