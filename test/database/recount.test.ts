import { expect, it } from "@jest/globals";
import { holding, useBuilding } from "../support/building.ts";
import { backdate, writePastRules } from "../support/rows.ts";

const building = useBuilding();

const drifts = () => building.rows("select counted from private.count_drifts order by counted");

it("private.recount makes the counts right again that private.count_drifts shows to be wrong", async () => {
  const { window, claim } = await holding(building);
  const { claim: gone } = await holding(building);
  expect(await drifts()).toEqual([]);

  await backdate(building, "availabilities", window, -50, -46);
  await backdate(building, "claims", claim, -50, -46);
  await writePastRules(building, "delete from parking.claims where id = $1", [gone.id]);
  expect(await drifts()).toContainEqual({ counted: "active_started" });
  expect(await drifts()).toContainEqual({ counted: "windows_ended" });

  await building.rows("select private.recount()");
  expect(await drifts()).toEqual([]);
});
