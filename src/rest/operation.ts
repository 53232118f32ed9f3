import type { Pool } from "pg";
import { callAs, type Statement } from "../database/transaction.ts";
import type { Identity } from "../tokens/identity.ts";
import type { Route } from "./route.ts";
import type { Arguments } from "./validation.ts";

/** The row that a route's function makes: the finished body, and the id that Location needs. */
export type Outcome = Readonly<Record<string, string | null>>;

/** What a route does with checked arguments, for REST and GraphQL alike. */
export type Operation = (
  caller: Identity,
  values: Arguments,
  isGone?: () => boolean,
) => Promise<Outcome>;

/** The names of the arguments of a route's function, in the order in which they are sent. */
export const argumentNames = (route: Route): readonly string[] => [
  ...(route.path.includes(":id") ? ["id"] : []),
  ...Object.keys(route.query?.properties ?? {}),
  ...Object.keys(route.body?.properties ?? {}),
];

export function operationOf(route: Route, pool: Pool): Operation {
  const statement = statementOf(route);
  const readOnly = route.method === "GET" && route.alsoWrites === undefined;
  const names = argumentNames(route);
  return async (caller, values, isGone) => {
    const steps = [{ ...statement, values: names.map((name) => argument(values[name])) }];
    const circumstances = { row: rowOf(values, caller), isGone };
    const [rows] = await callAs(pool, JSON.stringify(caller), { readOnly, steps }, circumstances);
    const [row] = rows ?? [];
    if (row === undefined) throw new Error(`${route.call} returned no row`);
    const [body = null, id = null] = row;
    return { body, id };
  };
}

/** The row that a change locks first: the one it names, else the caller's own. */
const rowOf = ({ id, spot_id, availability_id }: Arguments, { sub }: Identity): string =>
  String(id ?? spot_id ?? availability_id ?? sub);

/** The function makes the whole body, as text; only the id that Location needs is read from it. */
function statementOf(route: Route): Statement {
  const values = argumentNames(route).map((name, i) => `"${name}" => $${i + 1}`);
  const id = route.location ? `, body -> '${route.location.member}' ->> 'id' as id` : "";
  return {
    name: route.call,
    text: `select body::text as body${id} from api.${route.call}(${values.join(", ")}) as body`,
  };
}

/** Null leaves a field as it is; an empty text clears it (sql/profiles/update_profile.sql). */
function argument(value: unknown): string | null {
  if (value === undefined) return null;
  return value === null ? "" : String(value);
}
