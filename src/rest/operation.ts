import type { Pool } from "pg";
import { callAs, type Step } from "../database/transaction.ts";
import type { Identity } from "../tokens/identity.ts";
import { answerOf, type Outcome } from "./outcome.ts";
import type { Requirement, Route } from "./route.ts";
import type { Arguments } from "./validation.ts";

/** What a route does with checked arguments, for REST and GraphQL alike. */
export type Operation = (
  caller: Identity,
  values: Arguments,
  isGone?: () => boolean,
) => Promise<Outcome | undefined>;

/** @returns an operation whose result is undefined where the row is not there for the caller */
export function operationOf(route: Route, pool: Pool): Operation {
  const readOnly = route.method === "GET" && route.alsoWrites === undefined;
  // Reads show only what the policies show; the reason why that is nothing comes first.
  const before = readOnly ? requirements[route.requires] : [];
  const answer = answerOf(route);
  return async (caller, values, isGone) => {
    const steps = [...before, ...answer.steps(values)];
    const circumstances = { row: rowOf(values, caller), isGone };
    const results = await callAs(pool, JSON.stringify(caller), { readOnly, steps }, circumstances);
    return answer.write(results.slice(before.length), values);
  };
}

const requirements: Readonly<Record<Requirement, readonly Step[]>> = {
  none: [],
  approved: [requirement("require_approved")],
  administrator: [requirement("require_administrator")],
};

function requirement(name: string): Step {
  return { name, text: `select private.${name}()`, values: [] };
}

/** The row that a change locks first: the one it names, else the caller's own. */
const rowOf = ({ id, spot_id, availability_id }: Arguments, { sub }: Identity): string =>
  String(id ?? spot_id ?? availability_id ?? sub);
