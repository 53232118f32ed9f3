import type { Pool } from "pg";
import { isLoopbackHost } from "../config/formats.ts";
import { invalidField } from "../errors/problem.ts";
import { RefusedTarget, targetOf } from "../webhooks/target.ts";
import type { Arguments } from "./validation.ts";
import { zoneProblem } from "./zone.ts";

/** What this program alone can judge of a request, by the function of its route. */
export type Checks = Readonly<Record<string, (values: Arguments) => void | Promise<void>>>;

/** @param allowsLoopback in development: webhooks and pushes to this machine, too */
export function checksOf(pool: Pool, allowsLoopback: boolean): Checks {
  const check = (field: string) => (values: Arguments) =>
    checkUrl(field, values[field], allowsLoopback);
  return {
    create_webhook: check("url"),
    update_webhook: check("url"),
    create_push_subscription: check("endpoint"),
    async update_building({ time_zone: zone }) {
      if (typeof zone !== "string") return;
      const known = "select where private.is_time_zone($1)"; // else a rule refuses it
      if ((await pool.query(known, [zone])).rowCount === 0) return;
      const problem = await zoneProblem(pool, zone);
      if (problem) throw invalidField("time_zone", problem);
    },
  };
}

/** Where a name leads is found out when something is sent. */
function checkUrl(field: string, url: unknown, allowsLoopback: boolean): void {
  if (typeof url !== "string") return;
  try {
    targetOf(url, allowsLoopback);
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    const isHere = isLoopbackHost(URL.parse(url)?.hostname ?? "");
    // In its own words, a rule refuses what is not https or has a password.
    if (isHere || !/^must (begin|not have)/.test(error.message))
      throw invalidField(field, error.message);
  }
}
