import { describe, expect, it } from "@jest/globals";
import { claimOf, holding, offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { orderEvents } from "../support/events.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

interface View {
  readonly type: string | null;
  readonly data: object;
  readonly seen_by: readonly number[] | null;
}

/** What an act tells these people: the types of events with those who see them, by their places. */
async function told(people: readonly Person[], act: () => Promise<unknown>) {
  await orderEvents(building.service);
  const [last] = await building.rows<{ position: string }>(
    "select position from private.last_position",
  );
  await act();
  await orderEvents(building.service);
  const { rows } = await building.service.pool.query<View>(
    "select * from private.read_events($1, $2)",
    [last?.position, people.map(({ id }) => id)],
  );
  return rows.flatMap(({ type, data, seen_by }) =>
    type === null ? [] : [{ type, data, seen_by }],
  );
}

describe("events of settings", () => {
  it("tell all who are approved that the limits of the building changed, and once", async () => {
    const limit = (claim_notice_minutes: number | null) =>
      administrator.put("/admin/building", { claim_notice_minutes }, 200);
    const everybody = { type: "building.updated", data: { id: expect.any(String) }, seen_by: null };

    expect(await told([administrator], () => limit(30))).toEqual([everybody]);
    expect(await told([administrator], () => limit(30))).toEqual([]);
    await limit(null);
  });

  it("tell who may read how to get in that it changed, and not how", async () => {
    const [owner, claimer, other] = [
      await building.resident(),
      await building.resident(),
      await building.resident(),
    ];
    const spot = await spotOf(owner);
    await claimOf(claimer, await windowOf(owner, spot));
    const path = `/parking-spots/${spot.id}/access`;
    const write = () => owner.put(path, { access_notes: "Code 4711" }, 200);
    const people = [owner, claimer, other, administrator];
    const sorted = async () =>
      (await told(people, write)).map((it) => ({ ...it, seen_by: it.seen_by?.toSorted() }));

    expect(await sorted()).toEqual([
      { type: "access.updated", data: { id: spot.id }, seen_by: [1, 2, 4] },
    ]);
    expect(await sorted()).toEqual([]);
  });
});

describe("events_reason_is_one_line", () => {
  const broken = refusedBy("events_reason_is_one_line");

  it.each([
    ["no text", "''"],
    ["nothing", "null"],
    ["two lines", "E'a\\nb'"],
    ["301 characters", "repeat('x', 301)"],
  ])("refuses %s as a reason of a function", async (_what, reason) => {
    const { claim } = await holding(building);
    const { spot, window } = await offer(building); // nothing else refuses to remove it
    for (const call of [
      `api.cancel_claim('${claim.id}', 'cancelled', ${reason})`,
      `api.remove_spot('${spot.id}', ${reason})`,
      `api.remove_availability('${window.id}', ${reason})`,
      `api.erase_profile('${spot.owner_id}', ${reason})`,
    ]) {
      expect(await administrator.sqlError(`select ${call}`)).toMatchObject(broken);
    }
  });

  it("refuses it as a reason in the event log", async () => {
    const { spot } = await offer(building);
    expect(
      await administrator.sqlError(
        `do $$ begin
           perform set_config('request.reason', repeat('x', 301), true);
           delete from parking.spots where id = '${spot.id}';
         end $$`,
      ),
    ).toMatchObject(broken);
    expect(await stored(building, "spots", spot.id)).toMatchObject({ id: spot.id });
  });
});

it("an administrator's deletion needs a reason by direct SQL too", async () => {
  const spot = await spotOf(await building.resident());
  const deletion = "delete from parking.spots where id = $1";
  expect((await administrator.sql(deletion, [spot.id])).rowCount).toBe(0);
  await administrator.sql(
    `do $$ begin
       perform private.give_reason('Squatted');
       delete from parking.spots where id = '${spot.id}';
     end $$`,
  );
  expect(await stored(building, "spots", spot.id)).toBeUndefined();
});
