import { beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import type { Person } from "../support/person.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useArena(2);
let person: Person;
let other: Person;
beforeAll(async () => {
  person = await building.resident();
  other = await building.resident();
  await person.sql("insert into parking.preferences default values");
});

const set = (column: string, value: unknown) =>
  [`update parking.preferences set ${column} = $1`, [value]] as const;

describe("preferences", () => {
  it("are of the caller alone", async () => {
    await other.sql("insert into parking.preferences (language) values ('de')");
    await person.sql(...set("language", "en"));
    expect((await person.sql("select language from parking.preferences")).rows).toEqual([
      { language: "en" },
    ]);
    expect((await other.sql("select language from parking.preferences")).rows).toEqual([
      { language: "de" },
    ]);
  });

  it.each([
    "insert into parking.preferences (person_id) values (gen_random_uuid())",
    "update parking.preferences set person_id = gen_random_uuid()",
    "delete from parking.preferences",
  ])("may not: %s", async (statement) => {
    expect(await person.sqlError(statement)).toMatchObject(notGranted);
  });

  it("stay as they are when nothing is given", async () => {
    await person.sql("select api.update_preferences(array['wish.fits'], 'de', 30)");
    const { rows } = await person.sql("select * from api.update_preferences()");
    expect(rows).toEqual([
      { person_id: person.id, mail: ["wish.fits"], language: "de", remind_minutes: 30 },
    ]);
  });
});

const refuses = (
  rule: string,
  column: string,
  wrong: readonly unknown[],
  right: readonly unknown[],
) => {
  it.each(wrong.map((value) => [value]))(`refuses %j`, async (value) => {
    expect(await person.sqlError(...set(column, value))).toMatchObject(refusedBy(rule));
  });

  it.each(right.map((value) => [value]))("takes %j", async (value) => {
    await person.sql(...set(column, value));
  });
};

describe("preferences_mail_is_of_known_kinds", () => {
  refuses(
    "preferences_mail_is_of_known_kinds",
    "mail",
    [["x"], ["wish.fits", "wish.fits"], [null], [["wish.fits"], ["claim.ends"]]],
    [["wish.fits", "claim.ends"], [], null],
  );
});

describe("preferences_language_is_known", () => {
  refuses("preferences_language_is_known", "language", ["fr", "", "DE"], ["en", "de", null]);
});

describe("preferences_remind_in_time", () => {
  refuses("preferences_remind_in_time", "remind_minutes", [4, 0, -1, 10_081], [5, 10_080, null]);
});

describe("preferences_of_a_resident", () => {
  it("refuses those of somebody who has not registered", async () => {
    const newcomer = await building.newcomer();
    expect(await newcomer.sqlError("insert into parking.preferences default values")).toMatchObject(
      refusedBy("preferences_of_a_resident", "23503"),
    );
  });
});
