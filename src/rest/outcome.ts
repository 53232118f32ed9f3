import { basename } from "node:path";
import type { Order, Route } from "../contract/route.ts";
import { isField, type ResourceSchema } from "../contract/schemas.ts";
import type { Row, Step } from "../database/transaction.ts";
import { CALENDAR_TYPE, type Columns, calendarOf } from "./calendar.ts";
import { CSV_TYPE, csvWriter } from "./csv.ts";
import { rowWriter } from "./rendering.ts";
import {
  argumentNames,
  callStep,
  callStepWithout,
  filteredColumnsOf,
  pageStep,
  type StepMaker,
} from "./statements.ts";
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

/** How the body of a response is read from the database, and written. */
export interface Answer {
  readonly steps: (values: Arguments) => readonly Step[];
  /** @returns undefined where the route's function gave no row */
  readonly write: (results: readonly (readonly Row[])[], values: Arguments) => Outcome | undefined;
}

/** A function of schema api, its arguments, and the columns that are read of what it returns. */
export interface Reading {
  readonly call: string;
  readonly arguments: readonly string[];
  readonly columns: readonly string[];
}

/** The schema of the response says what to read: the properties of a resource are columns. */
export function answerOf(route: Route): Answer {
  const members = membersOf(route.answer);
  const [first] = members;
  if (first === undefined) return rowAnswer(route);
  if (route.csv) return reportAnswer(route, first);
  if (route.calendar) return calendarAnswer(route, members);
  return route.order ? pageAnswer(route, route.order, first) : membersAnswer(route, members);
}

/** All that the route reads: the first from its own function, the others each from theirs. */
export function readingsOf(route: Route): readonly Reading[] {
  const [first = { row: route.answer }, ...others] = membersOf(route.answer);
  const columns = [...Object.keys(first.row.properties), ...filteredColumnsOf(route)];
  return [
    { call: route.call, arguments: argumentNames(route), columns },
    ...others.map(({ name, row }) => ({
      call: route.more?.[name] ?? name,
      arguments: route.sharesQuery ? argumentNames(route) : [],
      columns: Object.keys(row.properties),
    })),
    ...(route.readsFirst ? [{ call: route.readsFirst, arguments: [], columns }] : []),
    ...(route.total
      ? [{ call: route.total.call, arguments: route.total.filters, columns: [] }]
      : []),
  ];
}

interface NamedMember {
  readonly name: string;
  readonly isList: boolean;
  /** What it is, or is a list of. */
  readonly row: ResourceSchema;
}

const membersOf = ({ properties }: ResourceSchema): readonly NamedMember[] =>
  Object.entries(properties).flatMap(([name, member]): readonly NamedMember[] => {
    if (isField(member)) return [];
    return member.type === "array"
      ? [{ name, isList: true, row: member.items }]
      : [{ name, isList: false, row: member }];
  });

/** `{ message, deleted_claim_id }`: the row is the body. */
function rowAnswer(route: Route): Answer {
  const step = callStep(route, route.answer);
  const write = rowWriter(route.answer);
  return {
    steps: (values) => [step(values)],
    write: ([rows]) => rows?.[0] && { body: write(rows[0]) },
  };
}

/** `{ claims, total }`: each row begins with the total; where the page is empty, the rest is null. */
function pageAnswer(route: Route, order: Order, { name, row }: NamedMember): Answer {
  const step = pageStep(route, order, row);
  const write = rowWriter(row, 1);
  return {
    steps: (values) => [step(values)],
    write([rows]) {
      if (rows?.[0] === undefined) return undefined;
      const page = rows.filter(([, id]) => id !== null).map(write);
      return { body: `{"${name}":[${page.join()}],"total":${rows[0][0]}}` };
    },
  };
}

/** `{ hours }`, or its rows as CSV. */
function reportAnswer(route: Route, { name, row }: NamedMember): Answer {
  const step = callStep(route, row);
  const write = rowWriter(row);
  const writeCsv = { en: csvWriter(row, "en"), de: csvWriter(row, "de") };
  return {
    steps: (values) => [step(values)],
    write: ([rows = []], { format, language }) =>
      format === "csv"
        ? {
            body: writeCsv[language === "de" ? "de" : "en"](rows),
            file: { name: `${basename(route.path)}.csv`, type: CSV_TYPE },
          }
        : { body: `{"${name}":[${rows.map(write).join()}]}` },
  };
}

/** The rows of its first member as a calendar; the other is the building. */
function calendarAnswer(route: Route, members: readonly NamedMember[]): Answer {
  const { steps } = membersAnswer(route, members);
  const names = members.map(({ row }) => Object.keys(row.properties));
  const named = (row: Row, member: number): Columns =>
    Object.fromEntries((names[member] ?? []).map((name, i) => [name, row[i] ?? null]));
  return {
    steps,
    write([claims = [], buildings = []], { claim_id, language }) {
      const [building] = buildings;
      if (building === undefined || (claim_id !== undefined && claims.length === 0))
        return undefined;
      const rows = claims.map((row) => named(row, 0));
      return {
        body: calendarOf(rows, named(building, 1), language),
        file: { name: basename(route.path), type: CALENDAR_TYPE },
      };
    },
  };
}

/** `{ profile, user }`: a statement for each member. */
function membersAnswer(route: Route, members: readonly NamedMember[]): Answer {
  const parts = members.map(({ name, isList, row }) => {
    const other = route.more?.[name];
    const step: StepMaker =
      other === undefined || route.sharesQuery
        ? callStep({ ...route, call: other ?? route.call }, row)
        : callStepWithout(other, row);
    const write = rowWriter(row);
    const all = (rows: readonly Row[]) => `[${rows.map(write).join()}]`;
    const one = ([it]: readonly Row[]) => (it ? write(it) : "null");
    return { step, start: `"${name}":`, write: isList ? all : one };
  });
  const idColumn = Object.keys(members[0]?.row.properties ?? {}).indexOf("id");
  return {
    steps: (values) => parts.map(({ step }) => step(values)),
    write(results) {
      const row = results[0]?.[0];
      if (row === undefined && !members[0]?.isList && !members[0]?.row.nullable) return undefined;
      const written = parts.map(({ start, write }, i) => start + write(results[i] ?? []));
      return { body: `{${written.join()}}`, id: row?.[idColumn] ?? undefined };
    },
  };
}
