import { afterEach, describe, expect, it } from "@jest/globals";
import { hours, spotOf, useBuilding } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import { itLimitsWindows } from "./limits.ts";
import { insertWindow, later, refusedBy } from "./support.ts";

const building = useBuilding();
afterEach(() => setLimits(building, {}));

const start = hours(30);

describe("availabilities_no_longer_than_allowed", () => {
  itLimitsWindows(() => building, {
    rule: "availabilities_no_longer_than_allowed",
    limits: { longest_window_days: 1 },
    allowed: [start, later(start, 86_400_000)],
    refused: [start, later(start, 86_400_001)],
  });

  it("counts the days of the building's calendar", async () => {
    const owner = await building.resident();
    await building.rows("update parking.building set time_zone = 'Europe/Berlin'");
    await setLimits(building, { longest_window_days: 1 });
    // The clocks of the 28th of October 2035 go back: it has 25 hours.
    const [midnight, next] = ["2035-10-27T22:00:00Z", "2035-10-28T23:00:00Z"];

    expect(
      await owner.sqlError(...insertWindow(await spotOf(owner), midnight, later(next, 1))),
    ).toMatchObject(refusedBy("availabilities_no_longer_than_allowed"));
    await owner.sql(...insertWindow(await spotOf(owner), midnight, next));

    await building.rows("update parking.building set time_zone = 'UTC'");
  });
});

describe("availabilities_within_horizon", () => {
  itLimitsWindows(() => building, {
    rule: "availabilities_within_horizon",
    limits: { horizon_days: 2 },
    allowed: [start, hours(40)],
    refused: [start, hours(60)],
  });
});
