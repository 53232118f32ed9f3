import type { Requirement } from "../contract/route.ts";
import type { Step } from "../database/transaction.ts";

/** What refuses a caller whose account is not what a route requires. */
export const requirements: Readonly<Record<Requirement, readonly Step[]>> = {
  none: [],
  approved: [requirement("require_approved")],
  administrator: [requirement("require_administrator")],
};

function requirement(name: string): Step {
  return { name, text: `select private.${name}()`, isShort: true, values: [] };
}
