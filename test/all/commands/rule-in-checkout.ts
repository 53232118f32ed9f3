import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Checkout, makeCheckout } from "./checkout.ts";

/** A rule that a DBA adds to a checkout, and the commands that make a migration of it. */
export const RULE = "claims/rules/claims_are_short.sql";

export interface RuleInCheckout {
  readonly checkout: Checkout;
  /** The migrations that the project has. */
  readonly foundation: readonly string[];
  writeRule(condition: string, comment?: string): Promise<void>;
  commit(message?: string): ReturnType<Checkout["run"]>;
  committed(): Promise<readonly string[]>;
  /** Removes a file or a folder of the checkout. */
  remove(path: string): Promise<void>;
  /** The number of a migration that comes after those of the project. */
  number(after?: number): string;
}

export async function makeRuleInCheckout(): Promise<RuleInCheckout> {
  const checkout = await makeCheckout();
  const committed = () => checkout.list("migrations/committed");
  const foundation = await committed();
  return {
    checkout,
    foundation,
    committed,
    remove: (path) => rm(join(checkout.folder, path), { recursive: true }),
    writeRule: (condition, comment = "A claim is short") =>
      checkout.write(
        `sql/${RULE}`,
        `alter table parking.claims
  drop constraint if exists claims_are_short,
  add constraint claims_are_short
    check (${condition});

comment on constraint claims_are_short on parking.claims is
  E'${comment}';
`,
      ),
    commit: (message = "claims are short") =>
      checkout.run("commands/db-commit", ["--message", message]),
    number: (after = 1) => String(foundation.length + after).padStart(6, "0"),
  };
}
