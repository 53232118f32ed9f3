import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { databaseAfter, upgrade } from "./versions.ts";

let database: TestDatabase;
let owner: string;
beforeEach(async () => {
  database = await cloneDatabase("template1");
  owner = database.url("parking_owner");
});
afterEach(() => database.drop());

const query = (sql: string) => withClient(owner, async (client) => (await client.query(sql)).rows);

const limits = () =>
  query(
    `select building_section, horizon_days, longest_claim_minutes, most_active_claims
       from parking.limits order by building_section`,
  );
const ofBuilding = {
  building_section: null,
  horizon_days: 90,
  longest_claim_minutes: 600,
  most_active_claims: null,
};
const limit = "update parking.building set horizon_days = 90, longest_claim_minutes = 600";

describe("the limits of a building", () => {
  it("of 1.0.0 stay", async () => {
    await databaseAfter(owner, 1);
    await query(limit);
    await upgrade(owner);
    expect(await limits()).toEqual([ofBuilding]);
  });

  it("with limits of sections stay", async () => {
    await databaseAfter(owner, 9);
    await query(limit);
    await query(
      `insert into parking.section_limits (building_section, most_active_claims) values ('A', 2)`,
    );
    await upgrade(owner);
    expect(await limits()).toEqual([
      {
        ...ofBuilding,
        building_section: "A",
        horizon_days: null,
        longest_claim_minutes: null,
        most_active_claims: 2,
      },
      ofBuilding,
    ]);
  });
});
