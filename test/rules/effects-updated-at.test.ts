import { describe, expect, it } from "@jest/globals";
import { type Holding, holding, hours, useBuilding } from "../support/building.ts";
import { writePastRules } from "../support/rows.ts";
import { moveClaim, moveWindow, setStatus } from "./support.ts";

const building = useBuilding();

describe("updated_at", () => {
  const longAgo = "2000-01-01T00:00:00.000Z";

  interface Action {
    readonly what: string;
    /** The row to look at: its table, a column, and the value there. */
    readonly row: (held: Holding) => readonly [table: string, column: string, value: string];
    readonly act: (held: Holding) => Promise<unknown>;
  }
  const ofProfile: Action["row"] = ({ owner }) => ["profiles", "id", owner.id];
  const ofSpot: Action["row"] = ({ spot }) => ["spots", "id", spot.id];
  const ofWindow: Action["row"] = ({ window }) => ["availabilities", "id", window.id];
  const ofClaim: Action["row"] = ({ claim }) => ["claims", "id", claim.id];
  const ofNotification: Action["row"] = ({ claim }) => ["notifications", "claim_id", claim.id];

  /** Backdates the row, acts, and returns whether each of its two times has changed. */
  async function timesAfter({ row, act }: Action): Promise<unknown> {
    const held = await holding(building);
    const [table, column, value] = row(held);
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

  it.each<Action>([
    {
      what: "a profile that its owner edits",
      row: ofProfile,
      act: ({ owner }) => owner.sql("update parking.profiles set full_name = 'Ada'"),
    },
    {
      what: "a spot whose section changes",
      row: ofSpot,
      act: ({ owner }) => owner.sql("update parking.spots set building_section = 'South'"),
    },
    {
      what: "a window that is moved",
      row: ofWindow,
      act: async ({ owner, claimer, claim, window }) => {
        await claimer.sql(...setStatus(claim, "cancelled"));
        await writePastRules(
          building,
          "update parking.availabilities set updated_at = $2 where id = $1",
          [window.id, longAgo],
        );
        await owner.sql(...moveWindow(window, hours(6), hours(7)));
      },
    },
    {
      what: "a window that is freed",
      row: ofWindow,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "cancelled")),
    },
    {
      what: "a claim that is moved",
      row: ofClaim,
      act: ({ claimer, claim }) => claimer.sql(...moveClaim(claim, hours(2), hours(3))),
    },
    {
      what: "a claim that is closed",
      row: ofClaim,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "completed")),
    },
    {
      what: "a notification that is read",
      row: ofNotification,
      act: ({ owner }) => owner.sql("update parking.notifications set is_read = true"),
    },
    {
      what: "a notification that is resolved",
      row: ofNotification,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "cancelled")),
    },
  ])("is new for $what", async (action) => {
    expect(await timesAfter(action)).toEqual([{ touched: true, kept_created_at: true }]);
  });

  it.each<Action>([
    {
      what: "a claim whose update changes nothing",
      row: ofClaim,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "active")),
    },
    {
      what: "a spot whose update changes nothing",
      row: ofSpot,
      act: ({ owner }) => owner.sql("update parking.spots set building_section = 'North'"),
    },
    {
      what: "a window whose claim is completed",
      row: ofWindow,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "completed")),
    },
    {
      what: "a spot that is claimed",
      row: ofSpot,
      act: ({ claimer, claim }) => claimer.sql(...setStatus(claim, "cancelled")),
    },
  ])("stays for $what", async (action) => {
    expect(await timesAfter(action)).toEqual([{ touched: false, kept_created_at: true }]);
  });

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
