import type { Pool } from "pg";
import { type Call, callAs } from "../database/transaction.ts";
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
  const call = callOf(route);
  const names = argumentNames(route);
  return (caller, values, isGone) =>
    callAs(
      pool,
      JSON.stringify(caller),
      call,
      names.map((name) => argument(values[name])),
      { row: rowOf(values, caller), isGone },
    );
}

/** The row that a change locks first: the one it names, else the caller's own. */
const rowOf = ({ id, spot_id, availability_id }: Arguments, { sub }: Identity): string =>
  String(id ?? spot_id ?? availability_id ?? sub);

/** The function makes the whole body, as text; only the id that Location needs is read from it. */
function callOf(route: Route): Call {
  const values = argumentNames(route).map((name, i) => `"${name}" => $${i + 1}`);
  const id = route.location ? `, body -> '${route.location.member}' ->> 'id' as id` : "";
  return {
    name: route.call,
    text: `select body::text as body${id} from api.${route.call}(${values.join(", ")}) as body`,
    readOnly: route.method === "GET" && route.alsoWrites === undefined,
  };
}

/** Null leaves a field as it is; an empty text clears it (sql/profiles/update_profile.sql). */
function argument(value: unknown): string | null {
  if (value === undefined) return null;
  return value === null ? "" : String(value);
}
