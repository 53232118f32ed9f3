import { describe, expect, it } from "@jest/globals";
import { hours, spotOf, useBuilding } from "../support/building.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();

describe("patterns_withdrawn_times_are_calendar_dates", () => {
  it("refuses times without an end, also to the owner of the database", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    await owner.post(
      "/patterns",
      {
        spot_id: spot.id,
        weekdays: ["MO", "TU", "WE", "TH", "FR", "SA", "SU"],
        starts_at: "08:00",
        ends_at: "18:00",
        first_day: hours(48).slice(0, 10),
      },
      201,
    );
    const set = "update parking.patterns set withdrawn = $2 where owner_id = $1";
    for (const times of ["{[2027-01-01,)}", "{(,2027-01-01)}"])
      await expect(building.rows(set, [owner.id, times])).rejects.toMatchObject(
        refusedBy("patterns_withdrawn_times_are_calendar_dates", "23514"),
      );
    await building.rows(set, [owner.id, "{[2027-01-01,2027-01-02)}"]);
    expect(await owner.sqlError(set, [owner.id, "{}"])).toMatchObject({ code: "42501" });
  });
});
