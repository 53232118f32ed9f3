import { describe, expect, it } from "@jest/globals";
import { hours, spotOf, useBuilding } from "../support/building.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();

describe("exceptions_withdrawn_times_are_calendar_dates", () => {
  it("refuses times without an end, also to the owner of the database", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    await owner.post(
      "/exceptions",
      {
        spot_id: spot.id,
        kind: "share",
        start_time: hours(48),
        end_time: hours(50),
      },
      201,
    );
    const set = "update parking.exceptions set withdrawn = $2 where owner_id = $1";
    for (const times of ["{[2027-01-01,)}", "{(,2027-01-01)}"])
      await expect(building.rows(set, [owner.id, times])).rejects.toMatchObject(
        refusedBy("exceptions_withdrawn_times_are_calendar_dates", "23514"),
      );
    await building.rows(set, [owner.id, "{[2027-01-01,2027-01-02)}"]);
    expect(await owner.sqlError(set, [owner.id, "{}"])).toMatchObject({ code: "42501" });
  });
});
