import type { Pool } from "pg";
import { runAlone } from "../database/transaction.ts";
import { type Counter, standingOf } from "./counters.ts";

/** One call for all windows of a request: a window is cheap compared with a call. */
const statement = {
  name: "charge_rate_limits",
  text: "select charged, milliseconds from private.charge_rate_limits($1, $2, $3, $4, $5)",
};

/**
 * For several processes that serve one building. The building's database holds the counts, and its
 * clock decides when a window ends. If it does not answer, the request fails like all others.
 */
export const countInPostgres = (pool: Pool): Counter => ({
  async charge(limits, key, points) {
    const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;
    const rows = await runAlone(pool, {
      ...statement,
      values: [
        key,
        String(points),
        arrayOf(limits.map(({ name }) => name)),
        arrayOf(limits.map((limit) => limit.points)),
        arrayOf(limits.map(({ seconds }) => seconds)),
      ],
    });
    const now = performance.now();
    return limits.flatMap((limit, i) => {
      const [charged, milliseconds] = rows[i] ?? [];
      if (charged === null) return []; // no window is open
      return [standingOf(limit, Number(charged), now + Number(milliseconds))];
    });
  },
});
