import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { takenSpot } from "../support/spot-reports.ts";
import { notGranted } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const administrator = building.shared("administrator");
const owner = building.shared("resident");
const claimer = building.shared("resident");
let spot: Spot;
beforeAll(async () => {
  ({ spot } = await takenSpot(building, owner, claimer));
});
afterEach(() => building.rows("delete from parking.spot_reports"));

const report = ({ id }: Pick<Spot, "id">): doors.BothWays => ({
  request: ["POST", "/spot-reports", { spot_id: id }],
  sql: ["insert into parking.spot_reports (spot_id) values ($1)", [id]],
});
const dealWith = "update parking.spot_reports set is_resolved = true";

describe("who reports a car", () => {
  const rule = "spot_reports_by_who_may_park";

  it("spot_reports_by_who_may_park: is the owner of the spot, or who has claimed it now", async () => {
    for (const person of [owner, claimer]) expect(await ended(person, report(spot))).toBe("done");
    for (const person of [await building.resident(), administrator])
      expect(await ended(person, report(spot))).toBe(rule);
    for (const status of ["completed", "cancelled"]) {
      const late = await building.resident();
      const taken = await takenSpot(building, owner, late);
      await late.put(`/claims/${taken.claim.id}`, { status }, 200);
      expect(await ended(late, report(taken.spot))).toBe(rule);
    }
  });

  it("administrator_required: does not deal with it", async () => {
    await owner.sql(...report(spot).sql);
    for (const person of [owner, claimer])
      expect(await ended(person, { sql: [dealWith, []] })).toBe("administrator_required");
    expect((await administrator.sql(dealWith)).rowCount).toBe(1);
  });

  it("says nothing but the spot, the plate and a note", async () => {
    for (const column of ["id", "reporter_id", "holder_id", "is_resolved"]) {
      const sql = `insert into parking.spot_reports (spot_id, ${column}) values ($1, null)`;
      expect(await owner.sqlError(sql, [spot.id])).toMatchObject(notGranted);
    }
  });
});

it("spot_reports_five_a_day_at_most: counts those that were dealt with, too", async () => {
  for (const _ of Array(5)) await owner.sql(...report(spot).sql);
  await administrator.sql(dealWith);
  expect(await ended(owner, report(spot))).toBe("spot_reports_five_a_day_at_most");
});

it("what was reported stays when its spot is removed", async () => {
  const gone = await spotOf(owner);
  await owner.sql(...report(gone).sql);
  await owner.delete(`/parking-spots/${gone.id}`, 200);
  expect((await administrator.sql("select from parking.spot_reports")).rowCount).toBe(1);
});
