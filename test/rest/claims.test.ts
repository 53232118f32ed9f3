import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, claimOf, hours, openBuilding, spotOf, windowOf } from "../support/building.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());

describe("POST /claims", () => {
  it("claims the window for the caller", async () => {
    const owner = await building.resident();
    const claimer = await building.resident();
    const window = await windowOf(owner, await spotOf(owner), 1, 5);

    const answer = await claimer.post("/claims", {
      availability_id: window.id,
      start_time: hours(2),
      end_time: hours(3),
    });

    expect(answer).toMatchObject({
      status: 201,
      body: { claim: { availability_id: window.id, claimer_id: claimer.id, status: "active" } },
    });
    expect(await building.rows("select is_claimed from parking.availabilities")).toEqual([
      { is_claimed: true },
    ]);
  });
});
