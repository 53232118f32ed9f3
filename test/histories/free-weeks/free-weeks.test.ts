import { afterEach, beforeEach, describe, it } from "@jest/globals";
import { keepRest } from "../../rules/rest.ts";
import { useBuilding } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import { expectOrder } from "../../support/exceptions.ts";
import { setZone } from "../../support/patterns.ts";
import { seeds } from "../seeds.ts";
import { liveWeek } from "./week.ts";

const WEEKS = effort(2, 50);
const STEPS = 25;

const building = useBuilding();
afterEach(() => expectOrder(building));

describe.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["America/New_York", false],
])("random weeks of a building in %s (the rest stays on offer: %s)", (zone, keepsRest) => {
  beforeEach(async () => {
    await setZone(building, zone);
    await keepRest(building, keepsRest);
  });

  it.each(seeds)(
    "offer what is free, taken and kept, to the millisecond (seed %i)",
    async (seed) => {
      for (let week = 0; week < WEEKS; week++) {
        await building.rows("delete from parking.patterns");
        const [owner, claimer] = [await building.resident(), await building.resident()];
        await liveWeek(building, owner, claimer, { zone, keepsRest }, 100 * seed + week, STEPS);
      }
    },
    300_000,
  );
});
