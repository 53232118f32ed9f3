import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { hours, spotOf, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { opened } from "../support/opened.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { offersTo, readWish, tell, wishOf } from "../support/wishes.ts";
import { refusedBy, run } from "./support.ts";

const building = useArena(6);
const ended = doors.doorsOf(building);
const resident = building.shared("resident");
const other = building.shared("resident");
const spot = opened(() => spotOf(other));
afterEach(() => building.rows("delete from parking.wishes"));

interface Place {
  readonly building_section?: string;
  readonly spot_id?: string;
}
const insert = (from: doors.Time = 2, to: doors.Time = 4, place: Place = {}): doors.Act => {
  const [start_time, end_time] = [doors.at(from), doors.at(to)];
  return {
    request: ["POST", "/wishes", { start_time, end_time, ...place }],
    sql: [
      `insert into parking.wishes (start_time, end_time, building_section, spot_id)
       values ($1, $2, $3, $4)`,
      [start_time, end_time, place.building_section ?? null, place.spot_id ?? null],
    ],
  };
};
const wishesOf = ({ id }: Person) =>
  building.rows("select from parking.wishes where wisher_id = $1", [id]);

describe("the values of a wish", () => {
  it.each<[rule: string, acts: () => readonly doors.Act[]]>([
    ["wishes_start_before_end", () => [insert(4, 2), insert(2, 2)]],
    ["wishes_start_in_future", () => [insert(-5, 4), insert("2020-01-01T00:00:00Z", 4)]],
    ["wishes_of_a_spot", () => [insert(2, 4, { spot_id: resident.id })]],
    [
      "wishes_of_a_section_or_a_spot",
      () => [insert(2, 4, { building_section: "North", spot_id: spot.id })],
    ],
    [
      "done",
      () => [
        insert(),
        insert(2, 4, { building_section: "N".repeat(100) }),
        insert(2, 4, { spot_id: spot.id }),
      ],
    ],
  ])("end with %s", async (rule, acts) => {
    for (const act of acts()) expect(await ended(resident, act)).toBe(rule);
  });

  it.each<[rule: string, acts: readonly doors.Act[]]>([
    [
      "wishes_times_are_calendar_dates",
      [insert(2, "infinity"), insert(2, "10000-01-01T00:00:00Z")],
    ],
    // Either rule may refuse a past without a beginning.
    [
      "wishes_times_are_calendar_dates",
      [insert("-infinity", 4), insert("0001-12-31T00:00:00Z BC", 4)],
    ],
    ["start_time", [insert(null, 4)]],
    ["end_time", [insert(2, null)]],
  ])("by SQL alone, end with %s", async (rule, acts) => {
    for (const act of acts) expect(await ended(resident, doors.bySql(act))).toBe(rule);
  });

  it("lets a wish be fulfilled that has begun, and a spot be deleted with the wishes for it", async () => {
    const wish = await wishOf(resident);
    const begin = "update parking.wishes set start_time = $2 where id = $1";
    await writePastRules(building, begin, [wish.id, hours(-5)]);
    await building.rows("update parking.wishes set claim_id = id where id = $1", [wish.id]);
    const gone = await spotOf(other);
    await wishOf(resident, 2, 4, { spot_id: gone.id });
    await other.delete(`/parking-spots/${gone.id}`, 200);
    expect(await wishesOf(resident)).toHaveLength(1);
  });
});

describe("who waits", () => {
  it("wishes_made_by_a_resident: has a profile", async () => {
    const sql = "insert into parking.wishes (wisher_id, start_time, end_time) values ($1, $2, $3)";
    const { id } = await building.newcomer();
    for (const [wisher, refused] of [
      [id, refusedBy("wishes_made_by_a_resident", "23503")],
      [null, { column: "wisher_id" }],
    ] as const)
      await expect(building.rows(sql, [wisher, hours(2), hours(3)])).rejects.toMatchObject(refused);
  });
});

it("a new wish finds what a transaction under way publishes, and not what its person sees already", async () => {
  const spots = [await spotOf(other), await spotOf(other)] as const;
  await windowOf(other, spots[0], 1, 5);
  const wish = await withTransactionOf(building.direct, async (client) => {
    await setClaims(client, claimsOf(other));
    await run(client, doors.publish(spots[1], hours(1), hours(5)).sql);
    const asked = await wishOf(resident);
    await client.query("commit");
    return asked;
  });
  await tell(building);
  const fresh = "select id from parking.availabilities where spot_id = $1";
  const [window] = await building.rows<{ id: string }>(fresh, [spots[1].id]);
  expect((await readWish(resident, wish)).availability_id).toBe(window?.id);
  await building.rows("update parking.notifications set is_read = true");
  await tell(building);
  expect(await offersTo(resident)).toMatchObject([{ availability_id: window?.id, is_read: true }]);
});

it("freed_times_are_not_empty: what became free, and nobody was told yet, is some time", async () => {
  const { id } = await windowOf(other, await spotOf(other), 60, 62);
  const insert = "insert into private.freed_times (availability_id, during) values ($1, '{}')";
  await expect(building.rows(insert, [id])).rejects.toMatchObject(
    refusedBy("freed_times_are_not_empty"),
  );
});
