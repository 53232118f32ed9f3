import { describe, expect, it } from "@jest/globals";
import { type Holding, holding, hours, useBuilding } from "../support/building.ts";
import { writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { moveClaim, setStatus } from "./support.ts";

const building = useBuilding();

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
      claimer.sql(...setStatus(claim, status));

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
        ["claims", ({ claimer, claim }) => claimer.sql(...moveClaim(claim, hours(2), hours(3)))],
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
