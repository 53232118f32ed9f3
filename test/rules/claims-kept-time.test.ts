import { describe, expect, it } from "@jest/globals";
import { claim } from "../rest/claiming.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { hours, offer, useBuilding } from "../support/building.ts";
import { layoutOf } from "./rest.ts";
import { insertClaim, moveClaim, refusedBy } from "./support.ts";

const building = useBuilding();

/** A window from 1 to 5, of which the owner needs the hour from 3 to 4. */
async function kept() {
  const offered = await offer(building);
  const { owner, spot } = offered;
  const exception = { spot_id: spot.id, kind: "keep", start_time: hours(3), end_time: hours(4) };
  await owner.post("/exceptions", exception, 201);
  return offered;
}

describe("claims_not_in_kept_time", () => {
  const broken = refusedBy("claims_not_in_kept_time", "23514");

  it.each([
    ["in it", 3, 4],
    ["that begins before it", 2, 3.5],
    ["around it", 2, 5],
  ])("refuses a claim %s, by SQL and by REST", async (_case, from, to) => {
    const { claimer, window } = await kept();
    expect(await claimer.sqlError(...insertClaim(window, hours(from), hours(to)))).toMatchObject(
      broken,
    );
    expect(answerOf(await claim(claimer, window, from, to))).toEqual(
      refusal(409, "The owner does not offer this time any more"),
    );
  });

  it("lets what is beside it be claimed: all that is connected is taken", async () => {
    const { claimer, window } = await kept();
    expect(await claim(claimer, window, 1.5, 2)).toMatchObject({ status: 201 });
    expect(await layoutOf(building, window)).toBe("1-3 claimed, 4-5 free");
  });

  it("lets a claim that is there stay and become shorter, not longer", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const { rows } = await claimer.sql<{ id: string }>(...insertClaim(window, hours(2), hours(4)));
    const id = rows[0]?.id ?? "";
    const mine = { id } as Parameters<typeof moveClaim>[0];
    const exception = { spot_id: spot.id, kind: "keep", start_time: hours(3), end_time: hours(5) };
    await owner.post("/exceptions", exception, 201);
    await claimer.sql(...moveClaim(mine, hours(2), hours(3.5)));
    expect(await claimer.sqlError(...moveClaim(mine, hours(2), hours(4.5)))).toMatchObject(broken);
  });

  it("lets the time be claimed when the owner needs it no longer", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const exception = { spot_id: spot.id, kind: "keep", start_time: hours(3), end_time: hours(4) };
    const { body } = await owner.post<{ exception: { id: string } }>("/exceptions", exception, 201);
    await owner.delete(`/exceptions/${body.exception.id}`, 200);
    expect(await layoutOf(building, window)).toBe("1-5 free");
    await claimer.sql(...insertClaim(window, hours(3), hours(4)));
  });
});
