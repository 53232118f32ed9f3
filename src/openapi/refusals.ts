import { isList, type Route } from "../contract/route.ts";
import type { Rule, Rules } from "../errors/catalogue.ts";
import { type Failure, failureOf } from "../errors/problem.ts";

/** A reason for which an operation may be refused. */
export interface Refusal extends Failure {
  /** The field of the request that it is about. */
  readonly field?: string | undefined;
}

const verbs = { GET: "select", POST: "insert", PUT: "update", DELETE: "delete" } as const;

/** The rules that can refuse, for each requirement of the account. */
const accountRules = {
  none: [],
  approved: ["approved_account_required"],
  staff: ["approved_account_required", "administrator_required"],
  administrator: ["approved_account_required", "administrator_required"],
} as const satisfies Readonly<Record<Route["requires"], readonly string[]>>;

/** The rules that can refuse a POST with a key. */
const keyRules = [
  "idempotency_key_in_use",
  "idempotency_key_reused",
  "idempotency_keys_few_per_person",
];

/**
 * The refusals of an operation besides those of every request: rules of its table that its verb and
 * columns can break, and rules of the caller's account and key. They come from the catalogue, so a
 * new rule appears at once. Some never occur, because another rule refuses first. Rules of tables
 * that triggers or cascades write are not found.
 */
export function refusalsOf(route: Route, { list, absences }: Rules): readonly Refusal[] {
  const found = list.filter(
    (rule) =>
      !route.bySecret && // a secret that lost its use is unknown
      (isOfAccount(rule, route) || isOfKey(rule, route) || canBreak(route, rule)),
  );
  const byName = new Map(found.map((rule) => [rule.name, rule])); // some exist on several tables
  const absence = isAboutOneRow(route) && absences.get(route.table ?? "");
  return [
    ...Array.from(byName.values(), refusalOf),
    ...(absence ? [{ ...failureOf("not_found"), message: absence }] : []),
  ];
}

const isOfAccount = ({ name }: Rule, { requires, scope }: Route): boolean =>
  name === "key_scope_required"
    ? scope !== undefined
    : accountRules[requires].some((rule) => rule === name);

const isOfKey = ({ name }: Rule, { method, secret }: Route): boolean =>
  method === "POST" && !secret && keyRules.includes(name);

function canBreak(route: Route, rule: Rule): boolean {
  const verb = isOfOneRow(route) ? "select" : verbs[route.method];
  if (route.alsoWrites?.includes(rule.table)) {
    // Any request may write what the identity provider says.
    if (rule.table === "users") return true;
    if (verb !== "update") return rule.verbs.includes(verb) && rule.insertable;
  }
  // Routes with CSV are reports, and so are routes without pages.
  const table = route.csv || route.sharesQuery ? "reports" : route.table;
  const isWritten = rule.table === table || route.alsoWrites?.includes(rule.table);
  if (!isWritten || !rule.verbs.includes(verb)) return false;
  if (rule.columns === null || verb === "select" || verb === "delete") return true;
  const written = Object.keys(route.body?.properties ?? {});
  return verb === "insert" ? rule.insertable : rule.columns.some((name) => written.includes(name));
}

/** Whether it is a POST that does something to one row and inserts none. */
const isOfOneRow = ({ method, path }: Route): boolean => method === "POST" && path.includes(":id");

/**
 * Whether the row may be absent. A list is empty instead, except a list below another row. A POST
 * that only tries may be about a change.
 */
const isAboutOneRow = (route: Route): boolean =>
  route.isPreview ||
  (isList(route) ? route.parentCheck !== undefined : route.method !== "POST" || isOfOneRow(route));

const refusalOf = ({ name, status, message, field }: Rule): Refusal => ({
  code: name,
  status,
  message: message ?? "",
  field: field ?? undefined,
});
