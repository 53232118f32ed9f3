import type { Requirement } from "./read-transaction.ts";

/** Asked of these, nothing tells of anybody but the caller; nor do payloads and the schema itself. */
const OPEN = /^(Query|Mutation|Profile|\w+Payload|__\w+)$/;
const OF_ADMINISTRATORS = /^Profile(Connection|Edge)$/;

/**
 * What REST demands of an account that asks for such things. Without it the policies would show
 * nothing, and not say why.
 *
 * @param types the names of the types whose fields are asked for
 */
export function requirementOf(types: ReadonlySet<string>): Requirement {
  const names = [...types];
  if (names.some((name) => OF_ADMINISTRATORS.test(name))) return "administrator";
  return names.every((name) => OPEN.test(name)) ? "none" : "approved";
}
