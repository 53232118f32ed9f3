import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import {
  later,
  missing,
  notGranted,
  refusedBy,
  refusedByPolicy,
  type Statement,
  tryAsOwner,
} from "./support.ts";

const building = useBuilding();
let owner: Person;
let stranger: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
  stranger = await building.resident();
  spot = await spotOf(owner);
});

const insertException = (
  spotId: string | null,
  ownerId: string | null,
  start: string | null = hours(10),
  end: string | null = hours(20),
  kind: string | null = "keep",
): Statement => [
  `insert into parking.exceptions (spot_id, owner_id, start_time, end_time, kind)
   values ($1, $2, $3, $4, $5)
   returning id`,
  [spotId, ownerId, start, end, kind],
];
/** One of the spot by its owner. */
const insertOwn = (start?: string | null, end?: string | null, kind?: string | null) =>
  insertException(spot.id, owner.id, start, end, kind);

const exceptionsOf = ({ id }: Person) =>
  building.rows<{ id: string }>("select id from parking.exceptions where owner_id = $1", [id]);

/** Refused to the owner of the spot and to the owner of the database. */
async function expectRefused(statement: Statement, broken: object): Promise<void> {
  const before = await everything(building);
  expect(await owner.sqlError(...statement)).toMatchObject(broken);
  await expect(building.rows(...statement)).rejects.toMatchObject(broken);
  expect(await everything(building)).toEqual(before);
}

describe("exceptions_start_before_end", () => {
  it.each([hours(10), hours(9)])("refuses an end at %s", (end) =>
    expectRefused(insertOwn(hours(10), end), refusedBy("exceptions_start_before_end")),
  );

  it("accepts 1 ms, and still requires both times", async () => {
    await owner.sql(...insertOwn(hours(10), later(hours(10), 1)));
    expect(await owner.sqlError(...insertOwn(null))).toMatchObject(missing("start_time"));
    expect(await owner.sqlError(...insertOwn(hours(10), null))).toMatchObject(missing("end_time"));
  });
});

describe("exceptions_end_in_future", () => {
  it("refuses an end in the past, and not a start", async () => {
    const broken = refusedBy("exceptions_end_in_future");
    await expectRefused(insertOwn(hours(-20), hours(-2)), broken);
    await owner.sql(...insertOwn(hours(-20), hours(2)));
  });
});

describe("exceptions_last_a_year_at_most", () => {
  it("refuses more than 366 days", async () => {
    const aYear = 366 * 24 * 3_600_000;
    const end = later(hours(10), aYear);
    await owner.sql(...insertOwn(hours(10), end));
    await expectRefused(
      insertOwn(hours(10), later(end, 1)),
      refusedBy("exceptions_last_a_year_at_most"),
    );
  });
});

describe("exceptions_times_are_calendar_dates", () => {
  const broken = refusedBy("exceptions_times_are_calendar_dates");
  it.each([
    ["9999-12-31T00:00:00Z", "10000-01-01T00:00:00Z"],
    ["9999-12-31T00:00:00Z", "infinity"],
    ["-infinity", hours(10)],
  ])("refuses %s until %s", async (start, end) => {
    const error = await owner.sqlError(...insertOwn(start, end));
    // Of an endless one, the rule of the year says it first.
    expect([broken, refusedBy("exceptions_last_a_year_at_most")]).toContainEqual(
      expect.objectContaining({ constraint: error.constraint }),
    );
  });

  it("accepts the last moment of the year 9999", async () => {
    const last = "9999-12-31T23:59:59.999Z";
    await tryAsOwner(building, (client) => {
      const [text, values] = insertOwn("9999-12-31T00:00:00Z", last);
      return client.query(text, [...values]);
    });
  });
});

describe("exceptions_kind_is_known", () => {
  it.each(["Keep", "", "away"])("refuses %j", (kind) =>
    expectRefused(insertOwn(hours(10), hours(20), kind), refusedBy("exceptions_kind_is_known")),
  );

  it("still requires one", async () => {
    const error = await owner.sqlError(...insertOwn(hours(10), hours(20), null));
    expect(error).toMatchObject(missing("kind"));
  });
});

describe("exceptions_created_by_spot_owner", () => {
  it.each(["resident", "administrator"] as const)(
    "refuses one in another's name, by a %s",
    async (who) => {
      const person = await building[who]();
      const broken = refusedByPolicy("exceptions_created_by_spot_owner");
      for (const spotId of [spot.id, null])
        expect(await person.sqlError(...insertException(spotId, owner.id))).toMatchObject(broken);
    },
  );
});

describe("exceptions_of_a_spot", () => {
  const broken = refusedBy("exceptions_of_a_spot", "23503");
  it("refuses another's spot with a forged owner, and one that is not there", async () => {
    for (const spotId of [spot.id, randomUUID()]) {
      const forged = insertException(spotId, stranger.id);
      expect(await stranger.sqlError(...forged)).toMatchObject(broken);
      await expect(building.rows(...forged)).rejects.toMatchObject(broken);
    }
  });
});

describe("exceptions_made_by_a_resident", () => {
  it("refuses one for nobody", async () => {
    const nobody = insertException(null, randomUUID());
    await expect(building.rows(...nobody)).rejects.toMatchObject(
      refusedBy("exceptions_made_by_a_resident", "23503"),
    );
  });
});

describe("approved_account_required", () => {
  it("hides and refuses all, also the person's own", async () => {
    const person = await building.resident();
    await person.sql(...insertException(null, person.id));
    await building.rows("update parking.profiles set is_approved = false where id = $1", [
      person.id,
    ]);
    expect((await person.sql("select from parking.exceptions")).rowCount).toBe(0);
    expect(await person.sqlError("delete from parking.exceptions")).toMatchObject(
      refusedBy("approved_account_required", "42501"),
    );
    expect(await person.sqlError(...insertException(null, person.id))).toMatchObject(
      refusedByPolicy("approved_account_required"),
    );
    for (const call of [
      "api.create_exception(now(), now() + interval '1 day', 'keep')",
      "api.delete_exception(uuidv7())",
    ])
      expect(await person.sqlError(`select ${call}`)).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
  });
});

describe("exceptions_fifty_at_most", () => {
  it("refuses the fifty-first that has not ended, also several in one statement", async () => {
    const person = await building.resident();
    const insertMany = (count: number): Statement => [
      `insert into parking.exceptions (owner_id, start_time, end_time, kind)
       select $1, now(), now() + interval '1 day', 'keep' from generate_series(1, $2::integer)`,
      [person.id, count],
    ];
    const broken = refusedBy("exceptions_fifty_at_most");
    expect(await person.sqlError(...insertMany(51))).toMatchObject(broken);
    await person.sql(...insertMany(50));
    expect(await person.sqlError(...insertMany(1))).toMatchObject(broken);
    expect(await exceptionsOf(person)).toHaveLength(50);
  });
});

describe("who sees and changes an exception", () => {
  it("is its owner alone", async () => {
    const person = await building.resident();
    const { rows } = await person.sql<{ id: string }>(...insertException(null, person.id));
    const values = [rows[0]?.id];
    for (const other of [stranger, await building.administrator()]) {
      const seen = await other.sql("select from parking.exceptions where id = $1", values);
      const gone = await other.sql("delete from parking.exceptions where id = $1", values);
      expect([seen.rowCount, gone.rowCount]).toEqual([0, 0]);
    }
    const change = "update parking.exceptions set end_time = now() where id = $1";
    expect(await person.sqlError(change, values)).toMatchObject(notGranted);
    expect((await person.sql("delete from parking.exceptions")).rowCount).toBe(1);
  });
});

describe("the tools of exceptions", () => {
  it("do nothing to what is another's", async () => {
    const person = await building.resident();
    const own = await spotOf(person);
    const window = await windowOf(person, own, 5, 30);
    const made = await person.sql<{ id: string }>(
      "select id from api.create_exception($1, $2, 'keep')",
      [hours(10), hours(20)],
    );
    const away = await person.sql<{ id: string }>(
      "select id from api.create_exception($1, $2, 'share')",
      [hours(40), hours(50)],
    );
    const changes = () => building.rows("table private.exception_changes");
    const before = [await everything(building), await changes()];

    const values = [made.rows[0]?.id, away.rows[0]?.id, window.id];
    for (const call of [
      "private.keep_own_spots($1)",
      "private.withdraw_shared($2)",
      "private.taken_times($1)",
      "private.note_shared($1, array[$3::uuid])",
      "private.note_origin($3, uuidv7())",
      "private.lock_spots_of_exception($1)",
    ]) {
      const used = values.map((_, i) => `$${i + 1}::uuid`).join(", ");
      await stranger.sql(`select ${call} from (select ${used}) given`, values);
    }
    expect([await everything(building), await changes()]).toEqual(before);
  });

  it.each(["private.withdraw_window(uuidv7())", "private.withdraw_freed()"])(
    "leave %s to functions with the rights of the owner",
    async (call) => {
      expect(await owner.sqlError(`select ${call}`)).toMatchObject(notGranted);
    },
  );
});
