import { describe, expect, it } from "@jest/globals";
import { contradictions } from "../concurrency/consistency.ts";
import { claim } from "../rest/claiming.ts";
import { hours, offer, useBuilding } from "../support/building.ts";
import { layoutOf } from "./rest.ts";

const building = useBuilding();

describe("a window of which a part is kept, and that its owner moves", () => {
  it.each([
    ["away from the kept time", 20, 24, "20-24 free"],
    ["partly into it", 4.5, 8, "6-8 free"],
    ["to an end before it", 1, 3, "1-3 free"],
  ])("%s, is free where nothing is kept", async (_case, from, to, layout) => {
    const { owner, claimer, spot, window } = await offer(building);
    const keep = { spot_id: spot.id, kind: "keep", start_time: hours(4), end_time: hours(6) };
    await owner.post("/exceptions", keep, 201);
    expect(await layoutOf(building, window)).toBe("1-4 free");

    const times = { start_time: hours(from), end_time: hours(to) };
    await owner.put(`/availabilities/${window.id}`, times, 200);
    expect(await layoutOf(building, window)).toBe(layout);
    expect(await building.rows(contradictions)).toEqual([]);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
    expect(await claim(claimer, { ...window, ...times }, to - 1, to)).toMatchObject({
      status: 201,
    });
  });

  it("is shown again where it was kept wholly", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const keep = { spot_id: spot.id, kind: "keep", start_time: hours(0.5), end_time: hours(6) };
    await owner.post("/exceptions", keep, 201);
    expect((await claimer.get(`/availabilities/${window.id}`)).status).toBe(404);
    const times = { start_time: hours(20), end_time: hours(24) };
    await owner.put(`/availabilities/${window.id}`, times, 200);
    expect((await claimer.get(`/availabilities/${window.id}`)).status).toBe(200);
  });
});
