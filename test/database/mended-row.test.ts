import { expect, it } from "@jest/globals";
import { holding, useBuilding } from "../support/building.ts";

const building = useBuilding();

/** docs/dba.md shows it: a row that breaks a new rule, and that other rules keep as it is. */
it("a completed claim is mended without drift where one rule is off for a transaction", async () => {
  const { claim, claimer } = await holding(building);
  await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
  const mend = `update parking.claims set end_time = start_time + interval '1 hour' where id = '${claim.id}'`;
  await expect(building.rows(mend)).rejects.toMatchObject({ code: "23514" });

  await building.rows(`
    begin;
    alter table parking.claims disable trigger claims_closed_stay_closed;
    ${mend};
    alter table parking.claims enable trigger claims_closed_stay_closed;
    commit`);

  expect(await building.rows("table private.count_drifts")).toEqual([]);
  expect(
    await building.rows(
      "select end_time - start_time = interval '1 hour' as mended from parking.claims",
    ),
  ).toEqual([{ mended: true }]);
  await expect(building.rows(mend.replace("1 hour", "2 hours"))).rejects.toMatchObject({
    code: "23514",
  });
});
