import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../database/client.ts";
import { people } from "./people.ts";

/**
 * Fills a database without profiles with a building that shows every state. It uses one
 * transaction, because half a building would count as filled at the next start.
 * @param superuserUrl a login that may act as the owner and the service
 * @param moment the building's present, for tests of other days; never past, because later shares
 *   follow every rule
 */
export const fillDemoBuilding = (superuserUrl: string, moment?: Date): Promise<void> =>
  withClient(superuserUrl, async (client) => {
    const { rows } = await client.query("select from parking.profiles limit 1");
    if (rows.length > 0) return;
    await client.query("begin");
    await client.query(
      `select set_config('demo.people', $1, true),
              set_config('demo.now', coalesce($2::timestamptz, now())::text, true)`,
      [JSON.stringify(Object.values(people)), moment],
    );
    for (const file of ["demo-building.sql", "demo-past.sql"]) {
      await client.query(await readFile(join(import.meta.dirname, file), "utf8"));
    }
    await client.query("commit");
  });
