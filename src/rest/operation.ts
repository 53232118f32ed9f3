import type { Pool } from "pg";
import type { Route } from "../contract/route.ts";
import { circuitBreakerOf } from "../database/circuit-breaker.ts";
import type { Replica } from "../database/replica.ts";
import { callAs, transactAs } from "../database/transaction.ts";
import type { Identity } from "../tokens/identity.ts";
import { answerOnce } from "./idempotency.ts";
import { ifMatching } from "./if-match.ts";
import { answerOf, type Outcome } from "./outcome.ts";
import { requirements } from "./statements.ts";
import type { Arguments } from "./validation.ts";

/** What a route does with checked arguments, for REST and GraphQL alike. */
export type Operation = (
  caller: Identity,
  values: Arguments,
  terms?: Terms,
) => Promise<Outcome | undefined>;

/** What a request says about how it is carried out. */
export interface Terms {
  /** Whether the client has left. */
  readonly isGone?: () => boolean;
  /** Under this key it is carried out once. */
  readonly key?: string | undefined;
  /** The tags of the request's condition: what a PUT or a DELETE changes must have one of them. */
  readonly tags?: string | undefined;
}

/** @returns an operation whose result is undefined where the row is not there for the caller */
export function operationOf(route: Route, pool: Pool, replica?: Replica): Operation {
  const readOnly = route.method === "GET" && route.alsoWrites === undefined;
  const mostlyReads = route.method === "GET";
  // Reads show only what the policies show; the reason why that is nothing comes first.
  const before = readOnly ? requirements[route.requires] : [];
  const answer = answerOf(route);
  const first = route.readsFirst && answerOf({ ...route, call: route.readsFirst });
  const isChange = route.method === "PUT" || route.method === "DELETE";
  const change = isChange ? ifMatching(route, answer) : undefined;
  const run = async (
    caller: Identity,
    values: Arguments,
    { isGone, key, tags }: Terms,
    mayWaitLong: boolean,
  ): Promise<Outcome | undefined> => {
    const claims = JSON.stringify(caller);
    const circumstances = { row: rowOf(values, caller), isGone, mayWaitLong };
    if (key !== undefined) {
      const use = answerOnce(route, answer, values, key);
      return transactAs(pool, claims, "read committed", circumstances, use);
    }
    if (change && tags !== undefined) {
      return transactAs(pool, claims, change.isolation, circumstances, change.use(values, tags));
    }
    if (first) {
      const call = { readOnly: true, steps: first.steps(values) };
      const known = first.write(await callAs(pool, claims, call, circumstances), values);
      if (known) return known;
    }
    const steps = [...before, ...answer.steps(values)];
    const results =
      (readOnly && (await replica?.read(caller, steps, isGone))) ||
      (await callAs(pool, claims, { readOnly, mostlyReads, steps }, circumstances));
    return answer.write(results.slice(before.length), values);
  };
  const breaker = circuitBreakerOf(route.table ?? route.call);
  const kind = readOnly ? "read" : "write";
  return (caller, values, terms = {}) =>
    breaker((tries) => run(caller, values, terms, tries), kind);
}

/** The row that a change locks first: the one it names, else the caller's own. */
const rowOf = ({ id, spot_id, availability_id }: Arguments, { sub }: Identity): string =>
  String(id ?? spot_id ?? availability_id ?? sub);
