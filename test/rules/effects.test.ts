import { describe, expect, it } from "@jest/globals";
import {
  type Claim,
  type Holding,
  holding,
  hours,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";
import { isClaimed, stored, writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import type { Statement } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

describe("a claim that gets another claimer or window", () => {
  const flags = async (...windows: readonly Window[]) =>
    Promise.all(windows.map(({ id }) => isClaimed(building, id)));
  const drifts = () => building.rows("select * from private.count_drifts");
  const pointTo = ({ id }: Claim, window: Window, more = ""): Statement => [
    `update parking.claims set availability_id = $2, spot_id = $3 ${more} where id = $1`,
    [id, window.id, window.spot_id],
  ];

  it.each(["active", "completed", "cancelled"])(
    "is counted for its claimer: %s",
    async (status) => {
      const { claimer, claim } = await holding(building);
      const other = await building.resident();
      await claimer.sql(...doors.close(claim, status).sql);

      await building.rows("update parking.claims set claimer_id = $2 where id = $1", [
        claim.id,
        other.id,
      ]);

      expect(await drifts()).toEqual([]);
      expect((await other.get("/dashboard", 200)).body).toMatchObject({
        stats: { total_claims: 1 },
      });
    },
  );

  it.each([
    ["active", true],
    ["completed", true],
    ["cancelled", false],
  ])("frees its window and takes the other: %s", async (status, takes) => {
    const { owner, claimer, window, claim } = await holding(building);
    const other = await windowOf(owner, await spotOf(owner), 1, 5);
    await claimer.sql(...doors.close(claim, status).sql);

    await building.rows(...pointTo(claim, other));
    expect(await flags(window, other)).toEqual([false, takes]);
    await building.rows(...pointTo(claim, window));
    expect(await flags(window, other)).toEqual([takes, false]);
    expect(await drifts()).toEqual([]);
  });

  it("frees the window that it leaves where it is cancelled at once", async () => {
    const { owner, window, claim } = await holding(building);
    const other = await windowOf(owner, await spotOf(owner), 1, 5);
    await building.rows(...pointTo(claim, other, ", status = 'cancelled'"));
    expect(await flags(window, other)).toEqual([false, false]);
    expect(await drifts()).toEqual([]);
  });
});

describe("is_verified of a spot", () => {
  async function verifiedSpotOf(owner: Person) {
    const spot = await spotOf(owner);
    await administrator.sql("update parking.spots set is_verified = true where id = $1", [spot.id]);
    return spot;
  }

  it.each([
    { change: "spot_number = 'A1'", expected: false },
    { change: "building_section = 'South'", expected: false },
    { change: "building_section = 'south', is_verified = true", expected: false },
    { change: "building_section = building_section", expected: true },
  ])("is $expected once the owner sets $change", async ({ change, expected }) => {
    const owner = await building.resident();
    const spot = await verifiedSpotOf(owner);
    const other = await verifiedSpotOf(owner);

    await owner.sql(`update parking.spots set ${change} where id = $1`, [spot.id]);

    expect(await stored(building, "spots", spot.id)).toMatchObject({ is_verified: expected });
    expect(await stored(building, "spots", other.id)).toMatchObject({ is_verified: true });
  });

  it("is false after a change, even if an administrator who owns the spot sets it", async () => {
    const spot = await verifiedSpotOf(administrator);
    await administrator.sql(
      "update parking.spots set spot_number = 'A2', is_verified = true where id = $1",
      [spot.id],
    );
    expect(await stored(building, "spots", spot.id)).toMatchObject({ is_verified: false });
  });
});

describe("updated_at", () => {
  const longAgo = "2000-01-01T00:00:00.000Z";

  /** What is done, and the row whose time is looked at. */
  type Action = readonly [table: keyof typeof rows, act: (held: Holding) => Promise<unknown>];
  const rows = {
    profiles: ({ owner }: Holding) => ["id", owner.id],
    spots: ({ spot }: Holding) => ["id", spot.id],
    availabilities: ({ window }: Holding) => ["id", window.id],
    claims: ({ claim }: Holding) => ["id", claim.id],
    notifications: ({ claim }: Holding) => ["claim_id", claim.id],
  };
  const set = (who: "owner" | "claimer", table: string, change: string) => (held: Holding) =>
    held[who].sql(`update parking.${table} set ${change}`);
  const close =
    (status: string) =>
    ({ claimer, claim }: Holding) =>
      claimer.sql(...doors.close(claim, status).sql);

  /** Backdates the row, acts, and returns whether each of its two times has changed. */
  async function timesAfter([table, act]: Action): Promise<unknown> {
    const held = await holding(building);
    const [column, value] = rows[table](held);
    await writePastRules(
      building,
      `update parking.${table} set created_at = $2, updated_at = $2 where ${column} = $1`,
      [value, longAgo],
    );
    await act(held);
    return building.rows(
      `select updated_at > $2 as touched, created_at = $2 as kept_created_at
         from parking.${table}
        where ${column} = $1
        order by id
        limit 1`,
      [value, longAgo],
    );
  }

  it("is new for a row that changes", () =>
    holdsForAll<Action>(
      [
        ["profiles", set("owner", "profiles", "full_name = 'Ada'")],
        ["spots", set("owner", "spots", "building_section = 'South'")],
        ["availabilities", close("cancelled")],
        [
          "claims",
          ({ claimer, claim }) => claimer.sql(...doors.move(claim, hours(2), hours(3)).sql),
        ],
        ["claims", close("completed")],
        ["notifications", set("owner", "notifications", "is_read = true")],
        ["notifications", close("cancelled")],
      ],
      async (action) =>
        expect(await timesAfter(action)).toEqual([{ touched: true, kept_created_at: true }]),
    ));

  it("stays for a row that is what it was", () =>
    holdsForAll<Action>(
      [
        ["claims", close("active")],
        ["spots", set("owner", "spots", "building_section = 'North'")],
        ["availabilities", close("completed")],
        ["spots", close("cancelled")],
      ],
      async (action) =>
        expect(await timesAfter(action)).toEqual([{ touched: false, kept_created_at: true }]),
    ));

  it.each([
    ["profiles", "apartment_number"],
    ["spots", "building_section"],
  ])("of %s is the time of the statement, not of the transaction", async (table, column) => {
    const { owner } = await holding(building);
    const result = await owner.sql(
      `update parking.${table} set ${column} = ${column} || '!' from pg_sleep(0.02)
       returning updated_at > now() as is_later`,
    );
    expect(result.rows).toEqual([{ is_later: true }]);
  });
});
