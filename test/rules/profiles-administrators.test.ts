import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf, writePastRules } from "../support/rows.ts";
import { refusedBy, type Statement } from "./support.ts";

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
  });
});
