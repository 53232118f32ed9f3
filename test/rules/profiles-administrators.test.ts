import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Client, DatabaseError } from "pg";
import { withClient } from "../../src/database/client.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf, writePastRules } from "../support/rows.ts";
import { setClaims } from "../support/sql.ts";
import { until } from "../support/waiting.ts";
import { refusedBy, run, type Statement } from "./support.ts";

const building = useBuilding();
let first: Person;
let second: Person;
beforeAll(async () => {
  first = await building.administrator();
  second = await building.administrator();
});

/** Makes exactly these people the administrators of the building. */
const appoint = (...people: readonly Person[]): Promise<void> =>
  writePastRules(
    building,
    "update parking.profiles set is_approved = true, is_admin = id = any($1)",
    [people.map(({ id }) => id)],
  );
const update = (person: Person, change: string): Statement => [
  `update parking.profiles set ${change} where id = $1`,
  [person.id],
];

const removals = [
  "is_admin = false",
  "is_approved = false",
  "is_approved = false, is_admin = false",
];

describe("profiles_keep_an_administrator", () => {
  const broken = refusedBy("profiles_keep_an_administrator");

  describe("with one administrator", () => {
    beforeEach(() => appoint(first));

    it.each(removals)("refuses %s", async (removal) => {
      expect(await first.sqlError(...update(first, removal))).toMatchObject(broken);
      await expect(building.rows(...update(first, removal))).rejects.toMatchObject(broken);
      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("refuses to delete the profile", async () => {
      const deletion = building.rows("delete from parking.profiles where id = $1", [first.id]);
      await expect(deletion).rejects.toMatchObject(broken);
      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("does not count one whose account is not approved", async () => {
      await building.rows(...update(second, "is_approved = false, is_admin = true"));
      expect(await first.sqlError(...update(first, "is_admin = false"))).toMatchObject(broken);
      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("lets one be removed whose account is not approved", async () => {
      await building.rows(...update(second, "is_approved = false, is_admin = true"));
      await first.sql(...update(second, "is_admin = false"));
      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("lets the last one change everything else, and set the flags to what they are", async () => {
      const change = "full_name = 'Ada', is_approved = true, is_admin = true";
      expect((await first.sql(...update(first, change))).rowCount).toBe(1);
    });

    it("lets residents be suspended and deleted", async () => {
      await first.sql(...update(second, "is_approved = false"));
      const newcomer = await building.unapproved();
      await building.rows("delete from parking.profiles where id = $1", [newcomer.id]);
      expect(await administratorsOf(building)).toEqual([first.id]);
    });
  });

  describe("with two administrators", () => {
    beforeEach(() => appoint(first, second));

    it.each(removals)("lets one resign: %s", async (removal) => {
      await first.sql(...update(first, removal));
      expect(await administratorsOf(building)).toEqual([second.id]);
    });

    it.each(removals)("lets one remove the other: %s", async (removal) => {
      await first.sql(...update(second, removal));
      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("lets the owner of the database delete one, not both", async () => {
      const third = await building.administrator();
      await appoint(first, third);
      const deletion = "delete from parking.profiles where id = any($1)";
      const both = building.rows(deletion, [[first.id, third.id]]);
      await expect(both).rejects.toMatchObject(broken);

      await building.rows(deletion, [[third.id]]);

      expect(await administratorsOf(building)).toEqual([first.id]);
    });

    it("refuses to remove both in one statement", async () => {
      const everybody = "update parking.profiles set is_admin = false";
      expect(await first.sqlError(everybody)).toMatchObject(broken);
      await expect(building.rows(everybody)).rejects.toMatchObject(broken);
      expect(await administratorsOf(building)).toEqual([first.id, second.id].toSorted());
    });

    it.each(["read committed", "repeatable read", "serializable"])(
      "lets one succeed of two who remove each other at once, %s",
      async (isolation) => {
        const codes = await removeEachOther(isolation, "commit");
        expect(codes).toEqual([undefined, expect.stringMatching(/^(42501|40001)$/)]);
        expect(await administratorsOf(building)).toEqual([first.id]);
      },
    );

    it("lets the second succeed when the first rolls back", async () => {
      expect(await removeEachOther("read committed", "rollback")).toEqual([undefined, undefined]);
      expect(await administratorsOf(building)).toEqual([second.id]);
    });
  });
});

/**
 * The first administrator removes the second; before that ends, the second removes the first.
 * Returns the SQLSTATE with which each was refused.
 */
async function removeEachOther(
  isolation: string,
  firstEnds: "commit" | "rollback",
): Promise<(string | undefined)[]> {
  const url = building.database.url("parking_api");
  return withClient(url, (client) =>
    withClient(url, async (rival) => {
      await begin(client, isolation, first);
      const rivalProcess = await begin(rival, isolation, second);

      await run(client, update(second, "is_admin = false"));
      let rivalHasEnded = false;
      const rivalRemoves = run(rival, update(first, "is_admin = false"));
      const rivalRefused = refusalOf(rivalRemoves.then(() => rival.query("commit"))).finally(() => {
        rivalHasEnded = true;
      });
      await until(
        "the rival ends or waits",
        async () => rivalHasEnded || (await isBlocked(rivalProcess)),
      );
      const refused = await refusalOf(client.query(firstEnds));

      return [refused, await rivalRefused];
    }),
  );
}

/** Begins a transaction of this person and returns the id of its server process. */
async function begin(client: Client, isolation: string, { id }: Person): Promise<number> {
  await client.query(`begin isolation level ${isolation}`);
  await setClaims(client, JSON.stringify({ sub: id }));
  const { rows } = await client.query<{ process: number }>("select pg_backend_pid() as process");
  return rows[0]?.process ?? 0;
}

const refusalOf = (statement: Promise<unknown>): Promise<string | undefined> =>
  statement.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof DatabaseError) return error.code;
      throw error;
    },
  );

async function isBlocked(process: number): Promise<boolean> {
  const blocking = await building.rows("select unnest(pg_blocking_pids($1))", [process]);
  return blocking.length > 0;
}
