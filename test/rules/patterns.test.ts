import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { dayAfter, everyDay, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { changedWindows } from "./changed-windows.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
let owner: Person;
let other: Person;
let spot: Spot;
beforeEach(async () => {
  [owner, other] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});

type Values = Readonly<Record<string, unknown>>;
const past = {
  weekdays: ["MO"],
  starts_at: "08:00",
  ends_at: "18:00",
  first_day: "2020-01-01",
  last_day: "2020-01-31",
};
/** A pattern that is over, so it has no windows. */
const insert = (change: Values = {}): doors.Act => {
  const body = { spot_id: spot.id, ...past, ...change };
  const row = { owner_id: spot.owner_id, ...body };
  const columns = Object.keys(row);
  return {
    request: ["POST", "/patterns", body],
    sql: [
      `insert into parking.patterns (${columns.join()})
       values (${columns.map((_, i) => `$${i + 1}`).join()})`,
      Object.values(row),
    ],
  };
};
const change = ({ id }: { readonly id: string }, changes: Values): doors.Act => ({
  request: ["PUT", `/patterns/${id}`, changes],
  sql: [
    `update parking.patterns
        set ${Object.keys(changes).map((column, i) => `${column} = $${i + 2}`)} where id = $1`,
    [id, ...Object.values(changes)],
  ],
});

describe("the values of a pattern", () => {
  const of = (name: string, values: readonly unknown[]) => values.map((it) => ({ [name]: it }));
  const times = ["24:00", "8:00", "08:60", "08:00:00", "08:00\n", "now", ""];
  /** From one day to another of January 2020, of which the 6th is a Monday. */
  const days = (text: string) => {
    const [first, last, ...weekdays] = text.split(" ");
    return { first_day: `2020-01-${first}`, last_day: `2020-01-${last}`, weekdays };
  };
  const lastDays = (last_day: string | null) => [{ last_day }];
  type Cases = readonly Values[];

  it.each<[rule: string, isSql: boolean, refused: Cases, allowed: Cases]>([
    [
      "patterns_weekdays_fall_within_days",
      false,
      ["06 10 SU", "06 10 SA SU", "06 06 TU"].map(days),
      [...["06 12 SU", "06 10 SU FR", "05 05 SU"].map(days), ...lastDays(null)],
    ],
    ["patterns_first_day_before_last", false, lastDays("2019-12-31"), [days("01 01 WE")]],
    [
      "patterns_weekdays_are_known",
      true,
      of("weekdays", [[], ["MO", "MO"], ["mo"], ["MO", null], [null], [["MO"], ["XX"]]]),
      of("weekdays", [everyDay, ["SU", "MO"]]),
    ],
    [
      "patterns_times_are_of_a_day",
      true,
      [...of("starts_at", times), ...of("ends_at", times)],
      [{ starts_at: "00:00", ends_at: "23:59" }, ...of("ends_at", ["08:00"])],
    ],
    [
      "patterns_days_are_calendar_dates",
      true,
      [
        ...of("first_day", ["-infinity", "0001-01-01 BC"]),
        ...of("last_day", ["infinity", "10000-01-01"]),
        { first_day: "infinity", last_day: null },
      ],
      [{ first_day: "0001-01-01", last_day: "9999-12-31" }],
    ],
  ])("%s: in new patterns and in those that are there", async (rule, isSql, refused, allowed) => {
    const pattern = await patternOf(owner, { spot_id: spot.id, ...past });
    for (const values of refused)
      for (const act of [insert(values), change(pattern, values)])
        expect(await ended(owner, isSql ? doors.bySql(act) : act)).toBe(rule);
    for (const values of allowed)
      expect(await ended(owner, doors.bySql(insert(values)))).toBe("done");
  });

  it("are required", async () => {
    for (const column of ["weekdays", "starts_at", "ends_at", "first_day"])
      expect(await ended(owner, doors.bySql(insert({ [column]: null })))).toBe(column);
  });

  it("patterns_withdrawn_times_are_calendar_dates: what is withdrawn has an end", async () => {
    await patternOf(owner, { spot_id: spot.id, ...past });
    const set = "update parking.patterns set withdrawn = $2 where owner_id = $1";
    for (const times of ["{[2027-01-01,)}", "{(,2027-01-01)}"])
      await expect(building.rows(set, [owner.id, times])).rejects.toMatchObject(
        refusedBy("patterns_withdrawn_times_are_calendar_dates"),
      );
    await building.rows(set, [owner.id, "{[2027-01-01,2027-01-02)}"]);
    expect(await owner.sqlError(set, [owner.id, "{}"])).toMatchObject({ code: "42501" });
  });
});

describe("who makes and sees a pattern", () => {
  it("patterns_created_by_spot_owner, patterns_of_a_spot: hide and refuse those of others", async () => {
    await owner.sql(...insert().sql);
    for (const person of [other, await building.administrator()]) {
      expect(await ended(person, insert())).toBe("patterns_created_by_spot_owner");
    }
    spot = { ...spot, owner_id: other.id };
    expect(await ended(other, doors.bySql(insert()))).toBe("patterns_of_a_spot");
    spot = { ...spot, id: randomUUID(), owner_id: owner.id };
    expect(await ended(owner, insert())).toBe("patterns_of_a_spot");
  });
});

describe("patterns_change_10000_windows_a_day_at_most", () => {
  const rule = "patterns_change_10000_windows_a_day_at_most";

  it("refuses to make and change patterns after as many, and lets them go", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await changedWindows(building, owner, 9_998);
    // Each change of three windows withdraws three.
    expect(await ended(owner, change(pattern, { ends_at: "17:00" }))).toBe("done");
    expect(await ended(owner, change(pattern, { ends_at: "16:00" }))).toBe(rule);
    expect(await ended(owner, insert())).toBe(rule);
    await owner.delete(`/patterns/${pattern.id}`, 200);
  });

  it("forgets those of the day before", async () => {
    await changedWindows(building, owner, 10_001, 1);
    expect(await ended(owner, insert())).toBe("done");
  });

  it("ends what makes and deletes patterns without end, also by direct SQL", async () => {
    await changedWindows(building, owner, 9_900);
    const daily = insert({ ...threeDays(spot), last_day: null });
    let made = 0;
    while (made < 9 && (await ended(owner, doors.bySql(daily))) === "done") {
      await owner.sql(...daily.sql);
      await owner.sql("delete from parking.patterns");
      made++;
    }
    expect(made).toBeGreaterThan(0);
    expect(await ended(owner, daily)).toBe(rule);
  });

  it("does not count what changes nothing, a preview, or the job", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await changedWindows(building, owner, 10_000);
    await owner.put(`/patterns/${pattern.id}`, { ends_at: pattern.ends_at }, 200);
    await owner.post("/patterns/preview", { ...threeDays(spot), ends_at: "12:00" }, 200);
    const extend = "select private.extend_pattern($1, $2)";
    await building.service.pool.query(extend, [pattern.id, owner.id]);
    expect(await ended(owner, change(pattern, { ends_at: "17:00" }))).toBe("done");
  });
});

describe("functions with the rights of their owner", () => {
  it("do nothing to the patterns and windows of others, and tell nothing of them", async () => {
    const pattern = await patternOf(owner, { ...threeDays(spot), last_day: null });
    const rows = () =>
      Promise.all(
        ["patterns", "availabilities"].map((table) =>
          building.rows(`select * from parking.${table} where spot_id = $1 order by id`, [spot.id]),
        ),
      );
    await building.rows("update parking.patterns set published_until = null");
    const before = await rows();
    for (const call of [
      "private.note_published(a.spot_id, private.building(), private.limits_of(a.spot_id))",
      "private.leave_out(a)",
    ])
      for (const person of [other, await building.administrator()])
        expect(
          await person.sqlError(
            `select ${call} from parking.availabilities a where a.pattern_id = $1`,
            [pattern.id],
          ),
        ).toMatchObject({ code: "42501" });
    for (const person of [owner, await building.administrator(), await building.unapproved()])
      expect((await person.sql("select * from private.due_patterns()")).rowCount).toBe(0);
    expect(await building.rows("select owner_id from private.due_patterns()")).toContainEqual({
      owner_id: owner.id,
    });
    expect(await rows()).toEqual(before);
  });

  it("leave out no time of another's pattern by a window that names it", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const { id: spotId } = await spotOf(other);
    const forged = async () => {
      const { rows } = await other.sql<{ id: string }>(
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time, source_id)
         values ($1, $2, $3, $4, $5) returning id`,
        [
          spotId,
          other.id,
          ...["08", "18"].map((hour) => `${dayAfter(3)}T${hour}:00:00Z`),
          pattern.id,
        ],
      );
      return rows[0]?.id;
    };
    await other.delete(`/availabilities/${await forged()}`, 200);
    const administrator = await building.administrator();
    await administrator.delete(`/admin/availabilities/${await forged()}?reason=works`, 200);
    const withdrawn = "select withdrawn::text from parking.patterns where id = $1";
    expect(await building.rows(withdrawn, [pattern.id])).toEqual([{ withdrawn: "{}" }]);
  });
});
