import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { hours, spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { suspend, writePastRules } from "../support/rows.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { seen, tell, wishOf } from "../support/wishes.ts";
import {
  insertWindow,
  missing,
  notGranted,
  refusedBy,
  refusedByPolicy,
  run,
  type Statement,
} from "./support.ts";

const building = useArena(6);
let resident: Person;
let other: Person;
beforeAll(async () => {
  [resident, other] = [await building.resident(), await building.resident()];
});
afterEach(() => building.rows("delete from parking.wishes"));

interface Place {
  readonly section?: string | null;
  readonly spotId?: string;
}
const insertWish = (
  from: string | null = hours(2),
  until: string | null = hours(4),
  { section = null, spotId }: Place = {},
): Statement => [
  `insert into parking.wishes (start_time, end_time, building_section, spot_id)
   values ($1, $2, $3, $4)
   returning id`,
  [from, until, section, spotId ?? null],
];
const wishesOf = ({ id }: Person) =>
  building.rows("select from parking.wishes where wisher_id = $1", [id]);

describe("approved_account_required", () => {
  it.each(["newcomer", "unapproved"] as const)("refuses a wish by who is %s", async (who) => {
    const person = await building[who]();
    expect(await person.sqlError(...insertWish())).toMatchObject(
      refusedByPolicy("approved_account_required"),
    );
    expect(await person.sqlError("select api.create_wish(now(), now())")).toMatchObject(
      refusedBy("approved_account_required", "42501"),
    );
  });

  it("hides the wishes of a person whose approval was taken back, and keeps them", async () => {
    const person = await building.resident();
    await wishOf(person);
    await suspend(building, person);
    expect((await person.sql("select from parking.wishes")).rowCount).toBe(0);
    expect(await person.sqlError("delete from parking.wishes")).toMatchObject(
      refusedBy("approved_account_required", "42501"),
    );
    expect(await wishesOf(person)).toHaveLength(1);
  });
});

describe("the policies", () => {
  it("show and let withdraw own wishes only, also to administrators", async () => {
    await wishOf(resident);
    for (const person of [other, await building.administrator()]) {
      expect((await person.sql("select from parking.wishes")).rowCount).toBe(0);
      expect((await person.sql("delete from parking.wishes")).rowCount).toBe(0);
    }
    expect((await resident.sql("delete from parking.wishes")).rowCount).toBe(1);
  });

  it.each(["id", "wisher_id", "claim_id", "availability_id"])(
    "grant no insert of %s",
    async (name) => {
      const error = await resident.sqlError(
        `insert into parking.wishes (${name}, start_time, end_time) values ($1, $2, $3)`,
        [resident.id, hours(2), hours(3)],
      );
      expect(error).toMatchObject(notGranted);
    },
  );

  it("grant no update", async () => {
    expect(
      await resident.sqlError("update parking.wishes set offered_until = now()"),
    ).toMatchObject(notGranted);
  });
});

describe("wishes_made_by_a_resident", () => {
  it("refuses a wish for a person without a profile", async () => {
    const { id } = await building.newcomer();
    await expect(
      building.rows(
        "insert into parking.wishes (wisher_id, start_time, end_time) values ($1, $2, $3)",
        [id, hours(2), hours(3)],
      ),
    ).rejects.toMatchObject(refusedBy("wishes_made_by_a_resident", "23503"));
  });

  it("still requires one who waits", async () => {
    await expect(
      building.rows("insert into parking.wishes (start_time, end_time) values ($1, $2)", [
        hours(2),
        hours(3),
      ]),
    ).rejects.toMatchObject(missing("wisher_id"));
  });
});

describe("wishes_of_a_spot", () => {
  it("refuses an unknown spot", async () => {
    const error = await resident.sqlError(
      ...insertWish(hours(2), hours(4), { spotId: resident.id }),
    );
    expect(error).toMatchObject(refusedBy("wishes_of_a_spot", "23503"));
  });

  it("lets the spot be deleted, with the wishes for it", async () => {
    const spot = await spotOf(other);
    await wishOf(resident, 2, 4, { spot_id: spot.id });
    await wishOf(resident, 2, 4);
    await other.delete(`/parking-spots/${spot.id}`, 200);
    expect(await wishesOf(resident)).toHaveLength(1);
  });
});

describe("wishes_of_a_section_or_a_spot", () => {
  it("refuses both", async () => {
    const { id } = await spotOf(other);
    const both = { section: "North", spotId: id };
    expect(await resident.sqlError(...insertWish(hours(2), hours(4), both))).toMatchObject(
      refusedBy("wishes_of_a_section_or_a_spot"),
    );
    for (const one of [{ section: "North" }, { spotId: id }, {}]) {
      await resident.sql(...insertWish(hours(2), hours(4), one));
    }
  });
});

describe("wishes_building_section_is_one_line", () => {
  it.each(["", " North", "North\nSouth", "N\u200b", "N".repeat(101)])(
    "refuses %j",
    async (section) => {
      expect(await resident.sqlError(...insertWish(hours(2), hours(4), { section }))).toMatchObject(
        refusedBy("wishes_building_section_is_one_line"),
      );
    },
  );

  it("accepts 100 characters", async () => {
    await resident.sql(...insertWish(hours(2), hours(4), { section: "N".repeat(100) }));
  });
});

describe("wishes_start_before_end", () => {
  it.each([
    [4, 2],
    [2, 2],
  ])("refuses from hour %i to hour %i", async (from, until) => {
    expect(await resident.sqlError(...insertWish(hours(from), hours(until)))).toMatchObject(
      refusedBy("wishes_start_before_end"),
    );
  });

  it.each([
    ["start_time", null, hours(4)],
    ["end_time", hours(2), null],
  ])("still requires a %s", async (name, from, until) => {
    expect(await resident.sqlError(...insertWish(from, until))).toMatchObject(missing(name));
  });
});

describe("wishes_start_in_future", () => {
  it.each([hours(-5), "2020-01-01T00:00:00Z"])("refuses %s", async (from) => {
    expect(await resident.sqlError(...insertWish(from, hours(4)))).toMatchObject(
      refusedBy("wishes_start_in_future"),
    );
  });

  it("lets a wish be told when it has begun", async () => {
    const wish = await wishOf(resident);
    await writePastRules(building, "update parking.wishes set start_time = $2 where id = $1", [
      wish.id,
      hours(-5),
    ]);
    await building.rows("update parking.wishes set claim_id = id where id = $1", [wish.id]);
  });
});

describe("wishes_times_are_calendar_dates", () => {
  it.each([
    ["-infinity", hours(4)],
    ["0001-12-31T00:00:00Z BC", hours(4)],
    [hours(2), "infinity"],
    [hours(2), "10000-01-01T00:00:00Z"],
  ])("refuses from %s to %s", async (from, until) => {
    expect(await resident.sqlError(...insertWish(from, until))).toMatchObject({
      constraint: expect.stringMatching(/^wishes_(times_are_calendar_dates|start_in_future)$/),
    });
  });
});

describe("wishes_ten_open_at_most", () => {
  const refused = refusedBy("wishes_ten_open_at_most");
  const MANY = `insert into parking.wishes (start_time, end_time)
                select $1::timestamptz, $2 from generate_series(1, $3::integer)`;
  const many = (count: number): Statement => [MANY, [hours(2), hours(3), count]];

  it("refuses the eleventh, also within one statement", async () => {
    expect(await resident.sqlError(...many(11))).toMatchObject(refused);
    await resident.sql(...many(10));
    expect(await resident.sqlError(...insertWish())).toMatchObject(refused);
    await other.sql(...many(10));
  });

  it("does not count those that were fulfilled or have begun", async () => {
    await resident.sql(...many(10));
    await building.rows(
      `update parking.wishes set claim_id = id
        where id = (select id from parking.wishes order by id limit 1)`,
    );
    await writePastRules(
      building,
      `update parking.wishes set start_time = $1
        where id = (select id from parking.wishes order by id desc limit 1)`,
      [hours(-5)],
    );
    await resident.sql(...many(2));
    expect(await resident.sqlError(...insertWish())).toMatchObject(refused);
  });

  it("counts one that another transaction of the person is about to make", async () => {
    await resident.sql(...many(9));
    await withTransactionOf(building.direct, async (first) => {
      await setClaims(first, claimsOf(resident));
      await run(first, insertWish());
      const second = resident.sqlError(...insertWish());
      await untilWaiting(building, 1);
      await first.query("commit");
      expect(await second).toMatchObject(refused);
    });
    expect(await wishesOf(resident)).toHaveLength(10);
  });
});

describe("private.freed_times", () => {
  it("tells who asks of what a transaction under way publishes, and not of what they see", async () => {
    const spots = [await spotOf(other), await spotOf(other)] as const;
    await wishOf(resident, 50, 51);
    const seenBefore = await windowOf(other, spots[0], 1, 5);
    const wish = await withTransactionOf(building.direct, async (client) => {
      await setClaims(client, claimsOf(other));
      await run(client, insertWindow(spots[1], hours(1), hours(5)));
      const asked = await wishOf(resident);
      await client.query("commit");
      return asked;
    });
    const freed = await building.rows<{ availability_id: string }>(
      "select availability_id from private.freed_times",
    );
    const [fresh] = freed.filter((it) => it.availability_id !== seenBefore.id);
    expect(freed).toHaveLength(2);

    await tell(building);
    expect((await seen(resident, wish)).availability_id).toBe(fresh?.availability_id);
    await building.rows("update parking.notifications set is_read = true");
    await tell(building);
    expect((await seen(resident, wish)).availability_id).toBe(fresh?.availability_id);
  });

  it("has no row once the job has looked", async () => {
    const wish = await wishOf(resident);
    await windowOf(other, await spotOf(other), 1, 5);
    await windowOf(other, await spotOf(other), 30, 32);
    await resident.delete(`/wishes/${wish.id}`, 200);
    await tell(building);
    expect(await building.rows("select from private.freed_times")).toEqual([]);
  });

  it("has no row where nobody has ever waited", async () => {
    await building.rows("truncate parking.wishes");
    await windowOf(other, await spotOf(other), 1, 5);
    expect(await building.rows("select from private.freed_times")).toEqual([]);
  });

  it("is nobody's to read", async () => {
    expect(
      await (await building.administrator()).sqlError("select from private.freed_times"),
    ).toMatchObject(notGranted);
  });
});
