import { beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import { dayAfter, everyDay, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { changedWindows } from "./changed-windows.ts";
import { refusedBy, refusedByPolicy, run, type Statement, tryWithClaims } from "./support.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});

type Values = Readonly<Record<string, unknown>>;

/** A pattern that is over: it has no windows. */
const past: Values = {
  weekdays: ["MO"],
  starts_at: "08:00",
  ends_at: "18:00",
  first_day: "2020-01-01",
  last_day: "2020-01-31",
};

const insertPattern = (change: Values = {}): Statement => {
  const row = { spot_id: spot.id, owner_id: spot.owner_id, ...past, ...change };
  const columns = Object.keys(row);
  return [
    `insert into parking.patterns (${columns.join()})
     values (${columns.map((_, i) => `$${i + 1}`).join()})`,
    Object.values(row),
  ];
};

const setPattern = (change: Values): Statement => {
  const assignments = Object.keys(change).map((column, i) => `${column} = $${i + 2}`);
  return [
    `update parking.patterns set ${assignments.join()} where spot_id = $1`,
    [spot.id, ...Object.values(change)],
  ];
};

/** Declares that the rule refuses such values, and lets others pass. */
function itChecks(rule: string, refused: readonly Values[], allowed: readonly Values[]): void {
  it.each(refused)("refuses %j, also in a pattern that is there", async (change) => {
    expect(await owner.sqlError(...insertPattern(change))).toMatchObject(refusedBy(rule));
    await owner.sql(...insertPattern());
    expect(await owner.sqlError(...setPattern(change))).toMatchObject(refusedBy(rule));
  });

  it.each(allowed)("allows %j", async (change) => {
    await owner.sql(...insertPattern(change));
  });
}

describe("approved_account_required", () => {
  it("refuses a pattern by somebody who is not approved any more, and hides theirs", async () => {
    await owner.sql(...insertPattern());
    await suspend(building, owner);

    expect(await owner.sqlError(...insertPattern())).toMatchObject(
      refusedByPolicy("approved_account_required"),
    );
    expect((await owner.sql("select from parking.patterns")).rowCount).toBe(0);
    for (const statement of [
      "update parking.patterns set ends_at = '09:00'",
      "delete from parking.patterns",
    ])
      expect(await owner.sqlError(statement)).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
  });
});

describe("patterns_created_by_spot_owner", () => {
  it("refuses a pattern in the name of another", async () => {
    const other = await building.resident();
    expect(await other.sqlError(...insertPattern())).toMatchObject(
      refusedByPolicy("patterns_created_by_spot_owner"),
    );
  });

  it("hides the patterns of others, also from administrators", async () => {
    await owner.sql(...insertPattern());
    for (const person of [await building.resident(), await building.administrator()])
      expect((await person.sql("select from parking.patterns")).rowCount).toBe(0);
  });
});

describe("patterns_of_a_spot", () => {
  it("refuses a pattern of a spot that belongs to another", async () => {
    const other = await building.resident();
    expect(await other.sqlError(...insertPattern({ owner_id: other.id }))).toMatchObject(
      refusedBy("patterns_of_a_spot", "23503"),
    );
  });
});

describe("patterns_weekdays_fall_within_days", () => {
  // 2020-01-06 is a Monday.
  const days = (first_day: string, last_day: string | null, ...weekdays: readonly string[]) => ({
    first_day,
    last_day,
    weekdays,
  });
  itChecks(
    "patterns_weekdays_fall_within_days",
    [
      days("2020-01-06", "2020-01-10", "SU"),
      days("2020-01-06", "2020-01-10", "SA", "SU"),
      days("2020-01-06", "2020-01-06", "TU"),
    ],
    [
      days("2020-01-06", "2020-01-12", "SU"),
      days("2020-01-06", "2020-01-10", "SU", "FR"),
      days("2020-01-05", "2020-01-05", "SU"),
      days("2020-01-06", null, "SU"),
    ],
  );

  it("is 400 by name", async () => {
    const body = { spot_id: spot.id, starts_at: "08:00", ends_at: "18:00" };
    const never = days("2030-01-07", "2030-01-11", "SU");
    for (const path of ["/patterns", "/patterns/preview"]) {
      const answer = await owner.post(path, { ...body, ...never });
      expect(answer.headers.get("X-Error-Code")).toBe("patterns_weekdays_fall_within_days");
      expect(answer).toMatchObject({ status: 400, body: { details: { weekdays: {} } } });
    }
  });
});

describe("patterns_weekdays_are_known", () => {
  itChecks(
    "patterns_weekdays_are_known",
    [
      { weekdays: [] },
      { weekdays: ["MO", "MO"] },
      { weekdays: ["mo"] },
      { weekdays: ["MO", null] },
      { weekdays: [null] },
      { weekdays: [["MO"], ["XX"]] },
    ],
    [{ weekdays: everyDay }, { weekdays: ["SU", "MO"] }],
  );
});

describe("patterns_times_are_of_a_day", () => {
  itChecks(
    "patterns_times_are_of_a_day",
    ["24:00", "8:00", "08:60", "08:00:00", "08:00\n", "now", ""].flatMap((time) => [
      { starts_at: time },
      { ends_at: time },
    ]),
    [
      { starts_at: "00:00", ends_at: "23:59" },
      { starts_at: "08:00", ends_at: "08:00" },
    ],
  );
});

describe("patterns_first_day_before_last", () => {
  itChecks(
    "patterns_first_day_before_last",
    [{ last_day: "2019-12-31" }],
    [{ last_day: "2020-01-01", weekdays: ["WE"] }, { last_day: null }],
  );
});

describe("patterns_days_are_calendar_dates", () => {
  itChecks(
    "patterns_days_are_calendar_dates",
    [
      { first_day: "-infinity" },
      { first_day: "0001-01-01 BC" },
      { last_day: "infinity" },
      { last_day: "10000-01-01" },
      { first_day: "infinity", last_day: null },
    ],
    [{ first_day: "0001-01-01", last_day: "9999-12-31" }],
  );
});

describe("a value that is not there", () => {
  it.each(["weekdays", "starts_at", "ends_at", "first_day"])("is refused: %s", async (column) => {
    expect(await owner.sqlError(...insertPattern({ [column]: null }))).toMatchObject({
      code: "23502",
      column,
    });
  });
});

const manyPatterns = (count: number): Statement => [
  `insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
   select $1, $2, '{MO}', '08:00', '18:00', '2020-01-01', '2020-01-31'
     from generate_series(1, ${count})`,
  [spot.id, spot.owner_id],
];

describe("patterns_no_more_than_200", () => {
  const refused = refusedBy("patterns_no_more_than_200");

  it("refuses the 201st, also within one statement, and on another spot", async () => {
    expect(await owner.sqlError(...manyPatterns(201))).toMatchObject(refused);
    await owner.sql(...manyPatterns(200));
    spot = await spotOf(owner);
    expect(await owner.sqlError(...insertPattern())).toMatchObject(refused);
    await owner.sql(
      "delete from parking.patterns where id = (select id from parking.patterns limit 1)",
    );
    await owner.sql(...insertPattern());
  });

  it("does not bind the owner of the database", async () => {
    await building.rows(...manyPatterns(201));
  });

  it("counts what another transaction of the resident is about to commit", async () => {
    await owner.sql(...manyPatterns(199));
    const other = await spotOf(owner);
    const claims = JSON.stringify({ sub: owner.id, email: owner.email });
    const error = await tryWithClaims(building, claims, async (first) => {
      await run(first, insertPattern());
      spot = other;
      const second = owner.sqlError(...insertPattern());
      await first.query("commit");
      return second;
    });
    expect(error).toMatchObject(refused);
  });
});

describe("patterns_change_10000_windows_a_day_at_most", () => {
  const refused = refusedBy("patterns_change_10000_windows_a_day_at_most");

  it("refuses to make and change patterns after as many, and lets them go", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await changedWindows(building, owner, 9_998);
    // Of three windows, each change withdraws three.
    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    const change = { ends_at: "16:00" };
    expect(await owner.sqlError(...setPattern(change))).toMatchObject(refused);
    expect(await owner.sqlError(...insertPattern())).toMatchObject(refused);
    expect(answerOf(await owner.put(`/patterns/${pattern.id}`, change))).toEqual(
      refusal(409, "Your patterns have changed 10000 windows today: try again tomorrow"),
    );
    await owner.delete(`/patterns/${pattern.id}`, 200);
  });

  it("forgets those of the day before", async () => {
    await changedWindows(building, owner, 10_001, 1);
    await owner.sql(...insertPattern());
  });

  it("ends what makes and deletes patterns without end, also by direct SQL", async () => {
    await changedWindows(building, owner, 9_900);
    const daily = { ...threeDays(spot), last_day: null };
    let error: unknown;
    for (let i = 0; !error && i < 9; i++) {
      await owner.sql(...insertPattern(daily)).catch((reason: unknown) => {
        error = reason;
      });
      await owner.sql("delete from parking.patterns");
    }
    expect(error).toMatchObject(refused);
  });

  it("does not count what changes nothing, a preview, or the job", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await changedWindows(building, owner, 10_000);
    await owner.put(`/patterns/${pattern.id}`, { ends_at: pattern.ends_at }, 200);
    await owner.post("/patterns/preview", { ...threeDays(spot), ends_at: "12:00" }, 200);
    await building.service.pool.query("select private.extend_pattern($1, $2)", [
      pattern.id,
      owner.id,
    ]);
    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);
  });
});

describe("private.due_patterns", () => {
  it("tells nothing to a person", async () => {
    await owner.sql(...insertPattern({ last_day: null }));
    await building.rows("update parking.patterns set published_until = null");
    for (const person of [owner, await building.administrator(), await building.unapproved()])
      expect((await person.sql("select * from private.due_patterns()")).rowCount).toBe(0);
    expect(await building.rows("select owner_id from private.due_patterns()")).toContainEqual({
      owner_id: owner.id,
    });
  });
});

describe("functions with the rights of their owner", () => {
  it("do nothing to the patterns and windows of others", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const rows = () =>
      Promise.all(
        ["patterns", "availabilities"].map((table) =>
          building.rows(`select * from parking.${table} where spot_id = $1 order by id`, [spot.id]),
        ),
      );
    const before = await rows();
    const other = await building.resident();
    for (const call of ["private.note_published(a.spot_id)", "private.leave_out(a)"])
      await other.sql(`select ${call} from parking.availabilities a where a.pattern_id = $1`, [
        pattern.id,
      ]);
    for (const call of ["reconcile", "set_offered", "lock_spot_to_reconcile"])
      expect(await other.sqlError(`select private.${call}($1)`, [spot.id])).toMatchObject({
        code: "42501",
      });
    expect(await other.sqlError("select private.freed_by_claims('{}')")).toMatchObject({
      code: "42501",
    });
    expect(await rows()).toEqual(before);
  });

  it("leave out no time of another's pattern by a window that names it", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const other = await building.resident();
    const administrator = await building.administrator();
    const forged = `insert into parking.availabilities (spot_id, owner_id, start_time, end_time, source_id)
                    values ($1, $2, $3, $4, $5) returning id`;
    const { id: spotId } = await spotOf(other);
    const times = [`${dayAfter(3)}T08:00:00Z`, `${dayAfter(3)}T18:00:00Z`];
    const insert = async () =>
      (await other.sql<{ id: string }>(forged, [spotId, other.id, ...times, pattern.id])).rows[0]
        ?.id;
    await other.delete(`/availabilities/${await insert()}`, 200);
    await administrator.delete(`/admin/availabilities/${await insert()}?reason=works`, 200);
    expect(
      await building.rows("select withdrawn::text from parking.patterns where id = $1", [
        pattern.id,
      ]),
    ).toEqual([{ withdrawn: "{}" }]);
  });
});
