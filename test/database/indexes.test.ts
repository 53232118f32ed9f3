import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { type Building, offer, openBuilding } from "../support/building.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());

/** The plan of a query as the API role, where a scan of the whole table is no choice. */
const planOf = (query: string, preparation = "select"): Promise<string> =>
  withClient(building.database.url("postgres"), async (client) => {
    await client.query("begin");
    await client.query(preparation);
    await client.query("set local role parking_api");
    await client.query("set local enable_seqscan = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${query}`);
    await client.query("rollback");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });

describe("the windows of a spot", () => {
  it("are not looked for in the index against overlaps, which begins with the time", async () => {
    const { spot } = await offer(building);
    const query = `select count(*) from parking.availabilities where spot_id = '${spot.id}'`;
    const withoutItsOwn = "drop index parking.availabilities_spot_id_start_time_idx";

    expect(await planOf(query)).toContain("availabilities_spot_id_start_time_idx");
    expect(await planOf(query, withoutItsOwn)).not.toContain("availabilities_do_not_overlap");
  });
});
