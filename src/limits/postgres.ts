import type { Pool } from "pg";
import { runAlone } from "../database/transaction.ts";
import { type Counter, standingOf } from "./counters.ts";

/** For all windows of a request: what each costs more is little beside the way to the database. */
const statement = {
  name: "charge_rate_limits",
  text: "select charged, milliseconds from private.charge_rate_limits($1, $2, $3, $4, $5)",
};

/**
 * For several processes that serve one building: its database holds the counts, and its clock says
 * when a window ends. Where it does not answer, the request fails like all others.
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
