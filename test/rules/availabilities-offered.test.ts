import { describe, expect, it } from "@jest/globals";
import { hours, offer, useBuilding } from "../support/building.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();

describe("availabilities_offered_within_window", () => {
  const set = "update parking.availabilities set offered = $2 where id = $1";

  it("refuses an offer beyond the window, also to the owner of the database", async () => {
    const { window } = await offer(building);
    await expect(
      building.rows(set, [window.id, `{[${hours(4)},${hours(6)})}`]),
    ).rejects.toMatchObject(refusedBy("availabilities_offered_within_window", "23514"));
  });

  it("lets a part of it, or nothing, be offered, by functions alone", async () => {
    const { owner, window } = await offer(building);
    for (const offered of [`{[${hours(2)},${hours(3)})}`, "{}", null])
      await building.rows(set, [window.id, offered]);
    expect(await owner.sqlError(set, [window.id, "{}"])).toMatchObject({ code: "42501" });
  });
});

describe("a window of which nothing is offered", () => {
  it("is shown to its owner alone, and counted for nobody else", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const administrator = await building.administrator();
    const keep = { spot_id: spot.id, kind: "keep", start_time: hours(0.5), end_time: hours(6) };
    await owner.post("/exceptions", keep, 201);

    const list = `/availabilities?spot_id=${spot.id}`;
    expect((await owner.get(list, 200)).body).toMatchObject({
      availabilities: [{ id: window.id, is_claimed: false, free: [] }],
      total: 1,
    });
    for (const person of [claimer, administrator]) {
      expect((await person.get(list, 200)).body).toEqual({ availabilities: [], total: 0 });
      expect((await person.get(`/availabilities/${window.id}`)).status).toBe(404);
      const { rows } = await person.sql("select from parking.availabilities where id = $1", [
        window.id,
      ]);
      expect(rows).toEqual([]);
    }
    const totalOf = async (person: typeof owner) =>
      (await person.get<{ total: number }>("/availabilities", 200)).body.total;
    expect(await totalOf(owner)).toBe((await totalOf(claimer)) + 1);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });
});
