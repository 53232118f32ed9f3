import { hash } from "node:crypto";
import type { Pool } from "pg";
import type { DescribedRoute } from "../contract/described.ts";
import * as field from "../contract/fields.ts";
import { inputOf, isList, pathParametersOf, pointsOf, type Route } from "../contract/route.ts";
import { routes } from "../contract/routes.ts";
import { membersOf } from "../contract/schemas.ts";
import { callAs, type Kind, type Step, transactAs, type Use } from "../database/transaction.ts";
import { Problem } from "../errors/problem.ts";
import { entityTag, lists } from "../http/conditions.ts";
import { callerOf, type Identity } from "../tokens/identity.ts";
import { calendarRenderer } from "./calendar.ts";
import type { Checks } from "./checks.ts";
import { reportRenderer } from "./csv.ts";
import {
  membersRenderer,
  pageRenderer,
  type Rendered,
  type Renderer,
  rowRenderer,
} from "./json.ts";
import { ofId, requirementOf, stepsOf } from "./statements.ts";
import { type Arguments, bodyValidator } from "./validation.ts";

/** What a route does with arguments of the right form, for REST and GraphQL alike. */
type RouteOperation = (
  caller: Identity,
  values: Arguments,
  terms: Terms,
) => Promise<Rendered | undefined>;

/** What a request says about how it is carried out. */
export interface Terms {
  /** Whether the client has left. */
  readonly isGone: () => boolean;
  /** Charges the caller more points, for an operation with the work of several. */
  readonly charge: (points: number) => Promise<void> | undefined;
  /** Under this key it is carried out once. */
  readonly key?: string | undefined;
  /** The tags of the request's condition: what a PUT or a DELETE changes must have one of them. */
  readonly tags?: string | undefined;
}

/** The steps that a route asks of the database, and the answer that it makes of their rows. */
export const exchangeOf = (route: Route) => ({ steps: stepsOf(route), render: rendererOf(route) });
type Exchange = ReturnType<typeof exchangeOf>;

function rendererOf(route: Route): Renderer {
  const members = membersOf(route.answer);
  const [first] = members;
  if (first === undefined) return rowRenderer(route.answer);
  if (route.csv) return reportRenderer(route, first);
  if (route.calendar) return calendarRenderer(route, members);
  return route.order ? pageRenderer(first) : membersRenderer(members);
}

/** @returns an operation whose result is undefined where the row is not there for the caller */
export function operationOf(route: Route, pool: Pool, checks: Checks): RouteOperation {
  const kind = kindOf(route);
  // Reads show only what the policies show; the reason why that is nothing comes first.
  const before = kind === "read" ? requirementOf(route) : [];
  const exchange = exchangeOf(route);
  const { readsAfterwards } = route;
  const later = readsAfterwards && exchangeOf({ ...route, call: readsAfterwards });
  const known = new WeakSet<Identity>(); // the same object while the token is cached
  const isChange = route.method === "PUT" || route.method === "DELETE";
  const shown = isChange ? shownBefore(route) : undefined;
  const table = route.table ?? route.call;
  return async (caller, values, { isGone, charge, key, tags }) => {
    await checks[route.call]?.(values);
    const more = pointsOf(route, values) - 1;
    if (more > 0) await charge(more);

    const claims = JSON.stringify(caller);
    const circumstances = { row: lockedRowOf(values, caller), table, isGone };
    if (key !== undefined) {
      const use = answerOnce(route, exchange, values, key);
      return transactAs(pool, claims, "read committed", circumstances, use);
    }
    if (shown && tags !== undefined) {
      const isolation = route.lock === undefined ? "repeatable read" : "read committed";
      const use = ifMatching(route, exchange, shown, values, tags);
      return transactAs(pool, claims, isolation, circumstances, use);
    }
    if (later && known.has(caller)) {
      const call = { ...circumstances, kind: "read", steps: later.steps(values) } as const;
      const stored = later.render(await callAs(pool, claims, call), values);
      if (stored) return stored;
    }
    const own = exchange.steps(values);
    const steps = [...before, ...ofId(route.parentCheck, values), ...own];
    const results = await callAs(pool, claims, { ...circumstances, kind, steps });
    if (later) known.add(caller);
    return exchange.render(results.slice(-own.length), values);
  };
}

const kindOf = ({ method, alsoWrites }: Route): Kind =>
  method !== "GET" ? "write" : alsoWrites === undefined ? "read" : "rare write";

/**
 * Returns what carries out the writing route that calls a function, for another door than REST's: it
 * checks the arguments as REST checks a request, and returns the body of the answer.
 */
export function performer(described: readonly DescribedRoute[], pool: Pool, checks: Checks) {
  const performers = new Map(
    described
      .filter(({ method }) => method !== "GET")
      .map((route) => [
        route.call,
        { check: bodyValidator(inputOf(route)), operate: operationOf(route, pool, checks) },
      ]),
  );

  return async (
    call: string,
    caller: Identity,
    values: Arguments,
    terms: Terms,
  ): Promise<string> => {
    const found = performers.get(call);
    if (!found) throw new Error(`no route that writes calls ${call}`);
    const rendered = await found.operate(caller, found.check(values), terms);
    if (!rendered) throw new Error(`${call} returned no row`);
    return rendered.body;
  };
}

/** The row that a change locks first: the one it names, else the caller's own. */
const lockedRowOf = ({ id, spot_id, availability_id }: Arguments, caller: Identity): string =>
  String(id ?? spot_id ?? availability_id ?? callerOf(caller));

/**
 * What a request with a key does: it repeats the answer that is kept under the key, or runs and
 * keeps its own answer, in the transaction of its effect. The account is checked before either.
 */
function answerOnce(
  route: Route,
  exchange: Exchange,
  values: Arguments,
  key: string,
): Use<Rendered | undefined> {
  const identified = [key, fingerprintOf(route, values)];
  const before = requirementOf(route);
  return async ({ run, commit }) => {
    const found = await run([...before, { ...takeKey, values: identified }]);
    const [[body, id] = []] = found[before.length] ?? [];
    if (body != null) return { body, id: id ?? undefined, isReplayed: true };

    const rendered = exchange.render(await run(exchange.steps(values)), values);
    if (rendered === undefined) return undefined;
    await commit([{ ...keepAnswer, values: [...identified, rendered.body, rendered.id ?? null] }]);
    return rendered;
  };
}

/** The same key may stand for one request only. The order of members does not matter. */
const fingerprintOf = ({ method, path }: Route, values: Arguments): string =>
  hash("sha256", JSON.stringify([method, path, sorted(values)]), "base64url");

/** Each object as a list of its members by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, it]) => [name, sorted(it)] as const);
  return members.sort(([a], [b]) => (a < b ? -1 : 1));
}

const takeKey: Omit<Step, "values"> = {
  name: "take_idempotency_key",
  text: "select body, location_id from private.take_idempotency_key($1, $2)",
};
const keepAnswer: Omit<Step, "values"> = {
  name: "keep_answer",
  text: "select private.keep_answer($1, $2, $3, $4)",
};

/**
 * What a PUT or a DELETE does with If-Match: it reads what it changes, and changes it, from one
 * snapshot. So PostgreSQL refuses it where another change came in between (40001), and it is run
 * again. The tags are compared last, for every other refusal comes before 412 (RFC 9110, 13.2.1).
 */
function ifMatching(
  { lock }: Route,
  exchange: Exchange,
  shown: Exchange,
  values: Arguments,
  tags: string,
): Use<Rendered | undefined> {
  const locking = ofId(lock, values);
  const reading = [...locking, ...shown.steps(values)];
  return async ({ run, commit }) => {
    const results = await run([...reading, ...exchange.steps(values)]);
    const rendered = exchange.render(results.slice(reading.length), values);
    if (rendered === undefined) return undefined;

    const current = shown.render(results.slice(locking.length, reading.length), values);
    if (current === undefined || !lists(tags, entityTag(current.body)))
      throw new Problem("precondition_failed");
    await commit([]);
    return rendered;
  };
}

/**
 * The GET of the same path, or for what administrators change, the one by which residents read it.
 * A test says that there is one for each.
 */
function shownBefore({ path }: Route): Exchange {
  const paths = [path, path.replace(/^\/admin/, "")];
  const get = routes.find((route) => route.method === "GET" && paths.includes(route.path));
  if (get === undefined) throw new Error(`no GET shows what ${path} changes`);
  const { steps, render } = exchangeOf(get);
  // It takes the row alone from a change, and shows the first page of a list.
  const { properties } = pathParametersOf(get);
  const asked = (values: Arguments): Arguments => ({
    ...(isList(get) && { limit: field.limit.default, offset: field.offset.default }),
    ...Object.fromEntries(Object.entries(values).filter(([name]) => name in properties)),
  });
  return {
    steps: (values) => steps(asked(values)),
    render: (results, values) => render(results, asked(values)),
  };
}
