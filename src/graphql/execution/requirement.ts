import type { Requirement } from "../../rest/route.ts";
import { tables } from "../schema/tables.ts";

const fromLeastToMost: readonly Requirement[] = ["none", "approved", "administrator"];

/** What reading the fields of a type requires. Edges and aggregates are read from connections. */
const requirements: ReadonlyMap<string, Requirement> = new Map([
  ["Node", "approved"], // a row of any table
  ...Object.values(tables).flatMap(({ type, requires }): [string, Requirement][] => [
    [type, requires.row],
    [`${type}Connection`, requires.list],
  ]),
]);

/**
 * What an operation requires of the caller's account. Without it, the policies would show an
 * account that is not approved empty lists instead of the reason.
 *
 * @param types the names of the types whose fields the operation reads
 */
export function requirementOf(types: ReadonlySet<string>): Requirement {
  const required = new Set([...types].map((type) => requirements.get(type)));
  return fromLeastToMost.findLast((requirement) => required.has(requirement)) ?? "none";
}
