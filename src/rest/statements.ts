import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import * as field from "../contract/fields.ts";
import {
  comparisonsOf,
  isList,
  type Order,
  pathParametersOf,
  type Route,
} from "../contract/route.ts";
import { membersOf, type ResourceSchema } from "../contract/schemas.ts";
import type { Statement, Step } from "../database/transaction.ts";
import { languages } from "../texts/kinds.ts";
import type { Arguments } from "./validation.ts";

/**
 * What a route asks of the database: a step for each function that its answer is read from. The
 * schema of the answer says what to read: the properties of a resource are columns.
 */
export function stepsOf(route: Route): (values: Arguments) => readonly Step[] {
  const { answer, otherCalls = {}, order, sharesQuery } = route;
  const members = membersOf(answer);
  const makers = (members.length > 0 ? members : [{ name: "", row: answer }]).map(
    ({ name, row }) => {
      const other = otherCalls[name];
      if (order) return pageStep(route, order, row);
      if (other !== undefined && !sharesQuery) return callStepWithout(other, row);
      return callStep({ ...route, call: other ?? route.call }, row);
    },
  );
  return (values) => makers.map((make) => make(values));
}

/** The call of a function of schema private with the id of the path, where a route has one. */
export const ofId = (name: string | undefined, { id }: Arguments): readonly Step[] =>
  name === undefined ? [] : [{ name, text: `select private.${name}($1)`, values: [String(id)] }];

/** A function of schema api, its arguments, and the columns that are read of what it returns. */
interface CalledFunction {
  readonly call: string;
  readonly arguments: readonly string[];
  readonly columns: readonly string[];
}

/** All that the route reads: the first from its own function, the others each from theirs. */
export function calledFunctionsOf(route: Route): readonly CalledFunction[] {
  const [first = { row: route.answer }, ...others] = membersOf(route.answer);
  const columns = [...Object.keys(first.row.properties), ...filteredColumnsOf(route)];
  return [
    { call: route.call, arguments: argumentNames(route), columns },
    ...others.map(({ name, row }) => ({
      call: route.otherCalls?.[name] ?? name,
      arguments: route.sharesQuery ? argumentNames(route) : [],
      columns: Object.keys(row.properties),
    })),
    ...(route.readsAfterwards ? [{ call: route.readsAfterwards, arguments: [], columns }] : []),
    ...(route.total
      ? [{ call: route.total.call, arguments: route.total.filters, columns: [] }]
      : []),
  ];
}

/** Makes the step of a request from its arguments. */
type StepMaker = (values: Arguments) => Step;

/** What refuses a caller whose account, or key, is not what a route requires. */
export function requirementOf({ requires, scope }: Route): readonly Step[] {
  if (scope !== undefined)
    return [requirement("require_scope", `'${scope}', ${requires === "approved"}`)];
  return requires === "none" ? [] : [requirement(`require_${requires}`)];
}

function requirement(name: string, values = ""): Step {
  return {
    name: `${name} ${values}`,
    text: `select private.${name}(${values})`,
    isShort: true,
    values: [],
  };
}

/** What the function of a route returns for the arguments of the request, by their names. */
const callStep = (route: Route, row: ResourceSchema): StepMaker =>
  stepMaker(route, (given) => {
    const values = Array.from(given, ([name, value]) => `"${name}" => ${value}`);
    const text = `select ${columnsOf(row)} from api.${route.call}(${values.join(", ")})`;
    return { text, isShort: !route.csv && !route.sharesQuery };
  });

/** What another function returns, which has no arguments. */
function callStepWithout(name: string, row: ResourceSchema): StepMaker {
  const text = `select ${columnsOf(row)} from api.${name}()`;
  const step = { name, text, isShort: true, values: [] };
  return () => step;
}

/**
 * A page and its total, in one statement and so from one snapshot.
 *
 * Filters are conditions on what the function returns. As arguments that may be null they would
 * keep a prepared statement from using an index. The limits inside are
 * constants, so the planner expects few rows and reads an index in their order.
 */
export function pageStep(
  route: Route,
  { column, direction, isUnique }: Order,
  row: ResourceSchema,
): StepMaker {
  const order = `order by ${column} ${direction}${isUnique ? "" : ", id"}`;
  const columns = columnsOf(row);
  const most = field.limit.maximum;

  return stepMaker(route, (given) => {
    const conditions = Array.from(given).flatMap(([name, value]) =>
      conditionsOf(route, name, value, given),
    );
    const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    const offset = `${given.get("offset")}::int`;
    const calls = partsOf(route, given).map((part) => `api.${route.call}(${part})`);
    const counts = calls.map((call) => `(select count(*) from ${call} ${where})`);
    const known = knownTotal(route, given);
    const total = known ?? counts.join(" + ");
    const pages = calls.map(
      (call) => `(select ${columns} from ${call} ${where} ${order} limit ${most} + ${offset})`,
    );
    const text = `
      select counted.total, page.*
        from (select ${total} as total) counted
        left join (
          select * from (${pages.join(" union all ")}) parts
           ${order} limit ${most} offset ${offset}
        ) page on true
       limit ${given.get("limit")}`;
    // A route with a function for its total has more rows than can be counted in short.
    return { text, isShort: known !== undefined || !route.total || given.has("spot_id") };
  });
}

/** The parts that a list is read in, as the arguments of its function. */
function partsOf({ parts }: Route, given: Given): readonly string[] {
  if (!parts || parts.unless.some((name) => given.has(name))) return [""];
  return parts.names.map((name) => `'${name}'`);
}

/** The call of the function that knows the total, if it takes all filters that were given. */
function knownTotal({ total }: Route, given: Given): string | undefined {
  const filters = Array.from(given).filter(([name]) => !ofPage.includes(name));
  if (!total || !filters.every(([name]) => total.filters.includes(name))) return undefined;
  const values = filters.map(([name, value]) => `${name} => ${value}`);
  return `(select api.${total.call}(${values.join(", ")}))`; // once, not for each row of the page
}

const ofPage = ["limit", "offset"];
const conditionsOf = (
  route: Route,
  name: string,
  value: string,
  given: Given,
): readonly string[] =>
  ofPage.includes(name)
    ? []
    : comparisonsOf(route, name).map(
        ({ column, is }) =>
          `(${column} ${is.replace(/\$(\w*)/g, (_, other) => (other ? (given.get(other) ?? "null") : value))})`,
      );

const columnsOf = ({ properties }: ResourceSchema): string =>
  Object.entries(properties)
    .map(([name, { type }]) => (type === "array" ? `to_json(${name}) as ${name}` : name))
    .join(", ");

/** What a request may carry for the database. */
function fieldsOf(route: Route): Readonly<Record<string, field.FieldSchema>> {
  // How the answer is written and who asks are no arguments.
  const { format: _, sig: __, ...filters } = route.query?.properties ?? {};
  return {
    ...pathParametersOf(route).properties,
    ...filters,
    ...route.body?.properties,
    ...(route.takesLanguage && { language: field.choice(languages, "de") }),
    ...(route.takesAddress && { address: field.text("https://parking.example/api") }),
  };
}

/** The names of the arguments of a route's function. */
function argumentNames(route: Route): readonly string[] {
  if (!isList(route)) return Object.keys(fieldsOf(route));
  return route.parts ? ["part"] : [];
}

/** The columns that the filters of a list compare. */
const filteredColumnsOf = (route: Route): readonly string[] =>
  isList(route)
    ? Object.keys(fieldsOf(route))
        .filter((name) => !ofPage.includes(name))
        .flatMap((name) => comparisonsOf(route, name))
        .map(({ column }) => column)
    : [];

/** The values that a request has, as SQL: parameters or literals. */
type Given = ReadonlyMap<string, string>;

/** How many statements of a route are remembered: people and programs ask for few again and again. */
const MOST_REMEMBERED = 200;

/**
 * A statement names only what the request has, so each set of arguments has a statement of its own.
 * Defaults, and values of which there are few, are literals: partial indexes serve them.
 *
 * There are thousands of sets. The first time, and when a set was forgotten since, its statement is
 * rare: connections keep only what is asked for again.
 */
function stepMaker(route: Route, write: (given: Given) => Omit<Statement, "name">): StepMaker {
  const fields = Object.entries(fieldsOf(route));
  const remembered = new LRUCache<string, Statement>({ max: MOST_REMEMBERED });

  return (values) => {
    const given = new Map<string, string>();
    const parameters: string[] = [];
    for (const [name, schema] of fields) {
      const value = values[name];
      // No id clears one: the argument has its default.
      if (value === undefined || (value === null && schema.format === "uuid")) continue;
      const literal = literalOf(value, schema);
      given.set(name, literal ?? `$${parameters.length + 1}`);
      if (literal === undefined) parameters.push(asText(value, schema));
    }
    const key = Array.from(given, ([name, value]) => name + value).join();
    const known = remembered.get(key);
    if (known) return { ...known, values: parameters };
    const written = write(given);
    const statement = { name: statementNameOf(route.call, written.text), ...written };
    remembered.set(key, statement);
    return { ...statement, isRare: true, values: parameters };
  };
}

/** The same text has the same name in all processes, so that a pooler can keep it for all. */
const statementNameOf = (call: string, text: string): string =>
  `${call}-${hash("sha1", text, "base64url").slice(0, 12)}`;

function literalOf(value: unknown, schema: field.FieldSchema): string | undefined {
  if (typeof value === "string") return schema.enum?.includes(value) ? `'${value}'` : undefined;
  return typeof value === "boolean" || value === schema.default ? String(value) : undefined;
}

function asText(value: unknown, schema: field.FieldSchema): string {
  if (value === null) return cleared(schema);
  if (!Array.isArray(value)) return String(value);
  if (schema.items?.type === "object") return JSON.stringify(value);
  return `{${value.map((it) => `"${String(it).replace(/["\\]/g, "\\$&")}"`).join()}}`;
}

/**
 * Null leaves a field as it is, in SQL. What clears it is an empty text, 0, infinity, or
 * {null} (sql/profiles/update_profile.sql, sql/preferences/update_preferences.sql).
 */
function cleared({ type, format }: field.FieldSchema): string {
  if (type === "array") return "{null}"; // an empty one has a meaning of its own
  if (type === "integer") return "0";
  return format?.startsWith("date") ? "infinity" : "";
}
