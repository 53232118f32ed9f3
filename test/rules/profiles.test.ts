import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";
import { missing, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const insertProfile = (id: string, email: string | null): Statement => [
  "insert into parking.profiles (id, email, apartment_number) values ($1, $2, '1A') returning id",
  [id, email],
];
const setProfile = (id: string, assignments: string): Statement => [
  `update parking.profiles set ${assignments} where id = $1`,
  [id],
];
/** A person who has signed in and has no profile yet. */
async function signedIn(): Promise<Person> {
  const person = await building.newcomer();
  await person.sql("select private.remember_user()");
  return person;
}

describe("administrator_required", () => {
  const broken = refusedBy("administrator_required", "42501");

  it.each([
    { who: "unapproved", change: "is_approved = true" },
    { who: "unapproved", change: "is_admin = true" },
    { who: "resident", change: "is_admin = true" },
    { who: "resident", change: "is_approved = false" },
    { who: "resident", change: "is_admin = null" },
    { who: "unapproved", change: "rejection_reason = 'I would not want me'" },
    { who: "resident", change: "full_name = 'Eve', is_admin = true" },
  ] as const)("refuses $change by a person who is $who", async ({ who, change }) => {
    const person = await building[who]();
    const before = await stored(building, "profiles", person.id);

    expect(await person.sqlError(...setProfile(person.id, change))).toMatchObject(broken);

    expect(await stored(building, "profiles", person.id)).toEqual(before);
  });

  it("refuses an administrator whose approval was taken back", async () => {
    const suspended = await building.administrator();
    await building.rows(...setProfile(suspended.id, "is_approved = false"));

    const error = await suspended.sqlError(...setProfile(suspended.id, "is_approved = true"));

    expect(error).toMatchObject(broken);
    expect(await stored(building, "profiles", suspended.id)).toMatchObject({ is_approved: false });
  });

  it("lets everybody set their flags to what they are", async () => {
    const resident = await building.resident();
    const same = setProfile(resident.id, "is_approved = true, is_admin = false");
    expect((await resident.sql(...same)).rowCount).toBe(1);
  });

  it("still requires both flags", async () => {
    const { id } = await building.resident();
    const error = await administrator.sqlError(...setProfile(id, "is_approved = null"));
    expect(error).toMatchObject(missing("is_approved"));
  });
});

describe("profiles_describe_oneself", () => {
  it.each([
    "full_name = 'Eve'",
    "apartment_number = '9Z'",
    "phone_number = '+1 555'",
    "shares_phone_number = true",
  ])("refuses %s of another by an administrator", async (change) => {
    const { id } = await building.resident();
    const before = await stored(building, "profiles", id);

    const error = await administrator.sqlError(...setProfile(id, change));

    expect(error).toMatchObject(refusedBy("profiles_describe_oneself", "42501"));
    expect(await stored(building, "profiles", id)).toEqual(before);
  });

  it("lets an administrator set another's fields to what they are", async () => {
    const { id } = await building.resident();
    const same = setProfile(id, "full_name = null, apartment_number = '1A', phone_number = null");
    expect((await administrator.sql(...same)).rowCount).toBe(1);
  });
});

describe("profiles_email_is_the_users", () => {
  const broken = refusedBy("profiles_email_is_the_users", "23503");

  it.each([
    { what: "another's address", emailOf: () => administrator.email },
    { what: "their own address in another case", emailOf: (own: string) => own.toUpperCase() },
    { what: "nobody's address", emailOf: () => "nobody@test.example" },
  ])("refuses $what", async ({ emailOf }) => {
    const person = await signedIn();
    const forged = insertProfile(person.id, emailOf(person.email));

    expect(await person.sqlError(...forged)).toMatchObject(broken);
    await expect(building.rows(...forged)).rejects.toMatchObject(broken);

    expect(await stored(building, "profiles", person.id)).toBeUndefined();
  });

  it("refuses a profile of a person who has not signed in", async () => {
    const newcomer = await building.newcomer();
    const error = await newcomer.sqlError(...insertProfile(newcomer.id, newcomer.email));
    expect(error).toMatchObject(broken);
  });

  it("accepts the address of the sign-in", async () => {
    const person = await signedIn();
    const result = await person.sql(...insertProfile(person.id, person.email));
    expect(result.rows).toEqual([{ id: person.id }]);
  });

  it("refuses the owner of the database a change in one table only", async () => {
    const { id, email } = await building.resident();
    const forged = setProfile(id, "email = 'nobody@test.example'");
    const removed: Statement = ["delete from private.users where id = $1", [id]];

    await expect(building.rows(...forged)).rejects.toMatchObject(broken);
    await expect(building.rows(...removed)).rejects.toMatchObject(broken);

    expect(await stored(building, "profiles", id)).toMatchObject({ email });
  });

  it("still requires an address", async () => {
    const person = await signedIn();
    const error = await person.sqlError(...insertProfile(person.id, null));
    expect(error).toMatchObject(missing("email"));
  });
});

describe("profiles_one_per_user", () => {
  it("refuses a second profile", async () => {
    const resident = await building.resident();
    const second = insertProfile(resident.id, resident.email);
    const broken = refusedBy("profiles_one_per_user", "23505");

    expect(await resident.sqlError(...second)).toMatchObject(broken);
    await expect(building.rows(...second)).rejects.toMatchObject(broken);
  });

  it("lets every person have one", async () => {
    for (const person of [await signedIn(), await signedIn()]) {
      await person.sql(...insertProfile(person.id, person.email));
      expect(await stored(building, "profiles", person.id)).toMatchObject({ id: person.id });
    }
  });
});

describe("profiles_erased_stay_erased", () => {
  it.each([
    "full_name = 'Eve'",
    "apartment_number = '1A'",
    "phone_number = '123'",
    "shares_phone_number = true",
  ])("refuses %s by the person", async (change) => {
    const person = await building.resident();
    await building.rows("select private.erase_person($1)", [person.id]);
    const before = await stored(building, "profiles", person.id);

    expect(await person.sqlError(...setProfile(person.id, change))).toMatchObject(
      refusedBy("profiles_erased_stay_erased", "42501"),
    );
    expect(await stored(building, "profiles", person.id)).toEqual(before);
  });

  it("refuses approval by an administrator", async () => {
    const person = await building.resident();
    await building.rows("select private.erase_person($1)", [person.id]);

    expect(
      await administrator.sqlError(...setProfile(person.id, "is_approved = true")),
    ).toMatchObject(refusedBy("profiles_erased_stay_erased", "42501"));
  });

  it("permits an update that changes nothing", async () => {
    const person = await building.resident();
    await building.rows("select private.erase_person($1)", [person.id]);
    await person.sql(...setProfile(person.id, "full_name = null"));
  });
});
