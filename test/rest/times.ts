import { withClient } from "../../src/database/client.ts";
import { type Building, hours } from "../support/building.ts";

/** Writes what no door lets anybody write: for this statement triggers and foreign keys sleep. */
export const forceSql = (building: Building, sql: string, values: readonly unknown[]) =>
  withClient(building.database.url("postgres"), async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(sql, [...values]);
  });

/** As if it had been made for these hours long ago; negative ones have passed. */
export const backdate = (
  building: Building,
  table: "availabilities" | "claims",
  { id }: { readonly id: string },
  from: number,
  to: number,
) =>
  forceSql(building, `update parking.${table} set start_time = $2, end_time = $3 where id = $1`, [
    id,
    hours(from),
    hours(to),
  ]);

export const longAgo = "2020-01-01T00:00:00.000Z";

/** As if the row had been made then, and nobody had touched it since. */
export const untouched = (
  building: Building,
  table: "profiles" | "spots" | "availabilities" | "claims" | "notifications",
  { id }: { readonly id: string },
) =>
  forceSql(building, `update parking.${table} set created_at = $2, updated_at = $2 where id = $1`, [
    id,
    longAgo,
  ]);

export interface Change {
  readonly status?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A body that sets times: test names tell them in hours, which are the same whenever they run. */
export const bodyOf = ({ status, from, to }: Change) => ({
  ...(status !== undefined && { status }),
  ...(from !== undefined && { start_time: hours(from) }),
  ...(to !== undefined && { end_time: hours(to) }),
});
