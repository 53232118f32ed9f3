import { isList, type Route } from "../contract/route.ts";
import type { Rule, Rules } from "../errors/catalogue.ts";
import { type Failure, failureOf } from "../errors/failures.ts";

/** Something that an operation may refuse. */
export interface Refusal extends Failure {
  /** The request's field that it is about. */
  readonly field?: string | undefined;
}

const verbs = { GET: "select", POST: "insert", PUT: "update", DELETE: "delete" } as const;

/** The rules that each requirement of the account is refused under. */
const accountRules = {
  none: [],
  approved: ["approved_account_required"],
  administrator: ["approved_account_required", "administrator_required"],
} as const satisfies Readonly<Record<Route["requires"], readonly string[]>>;

/** What a POST with a key may be refused under. */
const keyRules = [
  "idempotency_key_in_use",
  "idempotency_key_reused",
  "idempotency_keys_few_per_person",
];

/**
 * What an operation may refuse beside what every request can meet: the rules of its table that its
 * verb and its columns can break, and those of the caller's account and key. They come from the catalogue,
 * so that a new rule is there at once. Some never show, because another rule refuses first. Rules of
 * other tables, which a trigger or a cascade may write, are not found.
 */
export function refusalsOf(route: Route, { list, absences }: Rules): readonly Refusal[] {
  const found = list.filter(
    (rule) =>
      !route.bySecret && // a secret that is good for nothing is unknown
      (isOfAccount(rule, route) || isOfKey(rule, route) || canBreak(route, rule)),
  );
  const byName = new Map(found.map((rule) => [rule.name, rule])); // some stand on several tables
  const absence = isAboutOneRow(route) && absences.get(route.table ?? "");
  return [
    ...Array.from(byName.values(), refusalOf),
    ...(absence ? [{ ...failureOf("not_found"), message: absence }] : []),
  ];
}

const isOfAccount = ({ name }: Rule, { requires }: Route): boolean =>
  accountRules[requires].some((rule) => rule === name);

const isOfKey = ({ name }: Rule, { method, secret }: Route): boolean =>
  method === "POST" && !secret && keyRules.includes(name);

function canBreak(route: Route, rule: Rule): boolean {
  const verb = isOfOneRow(route) ? "select" : verbs[route.method];
  if (route.alsoWrites?.includes(rule.table)) {
    // What an identity provider says is written whatever the request is.
    if (rule.table === "users") return true;
    if (verb !== "update") return rule.verbs.includes(verb) && rule.insertable;
  }
  // What can be had as CSV is a report, and so is what has no pages.
  const table = route.csv || route.sharesQuery ? "reports" : route.table;
  const isWritten = rule.table === table || route.alsoWrites?.includes(rule.table);
  if (!isWritten || !rule.verbs.includes(verb)) return false;
  if (rule.columns === null || verb === "select" || verb === "delete") return true;
  const written = Object.keys(route.body?.properties ?? {});
  return verb === "insert" ? rule.insertable : rule.columns.some((name) => written.includes(name));
}

/** A POST that makes no row of its table, but does something to one. */
const isOfOneRow = ({ method, path }: Route): boolean => method === "POST" && path.includes(":id");

/** A list is empty where a row would be absent, but for one of what belongs to another row. What is tried may be a change. */
const isAboutOneRow = (route: Route): boolean =>
  route.onlyTries ||
  (isList(route) ? route.within !== undefined : route.method !== "POST" || isOfOneRow(route));

const refusalOf = ({ name, status, message, field }: Rule): Refusal => ({
  code: name,
  status,
  message: message ?? "",
  field: field ?? undefined,
});
