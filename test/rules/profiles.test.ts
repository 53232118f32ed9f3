import { beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf, stored, writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { missing, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const administrator = building.shared("administrator");

type Fields = Readonly<Record<string, string | boolean | null>>;
const update = ({ id }: Person, fields: Fields): Statement => [
  `update parking.profiles set ${Object.keys(fields).map((name, i) => `${name} = $${i + 2}`)} where id = $1`,
  [id, ...Object.values(fields)],
];
/** What people write about themselves, and what administrators decide about others. */
const describing = (person: Person, fields: Fields): doors.Act => ({
  request: ["PUT", "/profile", fields],
  sql: update(person, fields),
});
const deciding = (person: Person, fields: Fields): doors.Act => ({
  request: ["PUT", `/admin/profiles/${person.id}`, fields],
  sql: update(person, fields),
});
const erase = ({ id }: Person) => building.rows("select private.erase_person($1)", [id]);
const profileOf = async (person: Person) =>
  (await stored(building, "profiles", person.id)) as Readonly<Record<string, unknown>>;

const ownFields: readonly Fields[] = [
  { full_name: "Eve" },
  { apartment_number: "9Z" },
  { phone_number: "+1 555" },
  { shares_phone_number: true },
];

describe("administrator_required", () => {
  it("refuses that people decide about themselves", () =>
    holdsForAll<readonly ["unapproved" | "resident", Fields]>(
      [
        ["unapproved", { is_approved: true }],
        ["unapproved", { is_admin: true }],
        ["unapproved", { rejection_reason: "I would not want me" }],
        ["resident", { is_admin: true }],
        ["resident", { is_approved: false }],
        ["resident", { is_suspended: false, is_approved: false }],
        ["resident", { full_name: "Eve", is_admin: true }],
      ],
      async ([who, fields]) => {
        const person = await building[who]();
        const act = deciding(person, fields);
        const isAsked = who === "resident" && !("full_name" in fields);
        expect(await ended(person, isAsked ? act : doors.bySql(act))).toBe(
          "administrator_required",
        );
      },
    ));

  it("refuses who lost their approval to take it back", async () => {
    for (const person of [await building.administrator(), await building.resident()]) {
      await building.rows(...update(person, { is_approved: false }));
      for (const fields of [{ is_approved: true }, { is_suspended: false }])
        expect(await ended(person, doors.bySql(deciding(person, fields)))).toBe(
          "administrator_required",
        );
    }
  });

  it("lets everybody set their flags to what they are, and requires them", async () => {
    const person = await building.resident();
    const same = deciding(person, { is_approved: true, is_admin: false });
    expect(await ended(person, doors.bySql(same))).toBe("done");
    const none = doors.bySql(deciding(person, { is_approved: null }));
    expect(await ended(administrator, none)).toBe("is_approved");
  });
});

describe("profiles_describe_oneself", () => {
  it("refuses what an administrator writes of another, but not what is there", async () => {
    const person = await building.resident();
    await holdsForAll(ownFields, async (fields) =>
      expect(await ended(administrator, doors.bySql(describing(person, fields)))).toBe(
        "profiles_describe_oneself",
      ),
    );
    const same = describing(person, { full_name: null, apartment_number: "1A" });
    expect(await ended(administrator, doors.bySql(same))).toBe("done");
  });
});

describe("who registers", () => {
  const insert = (id: string, email: string | null): Statement => [
    "insert into parking.profiles (id, email, apartment_number) values ($1, $2, '1A')",
    [id, email],
  ];
  /** A person who has signed in and has no profile yet. */
  const signedIn = async () => {
    const person = await building.newcomer();
    await person.sql("select private.remember_user()");
    return person;
  };
  const forged = refusedBy("profiles_email_is_the_users", "23503");

  it("profiles_email_is_the_users: has the address of their sign-in", async () => {
    const person = await signedIn();
    for (const email of [administrator.email, person.email.toUpperCase(), "nobody@test.example"]) {
      expect(await person.sqlError(...insert(person.id, email))).toMatchObject(forged);
      await expect(building.rows(...insert(person.id, email))).rejects.toMatchObject(forged);
    }
    const stranger = await building.newcomer();
    expect(await stranger.sqlError(...insert(stranger.id, stranger.email))).toMatchObject(forged);
    expect(await person.sqlError(...insert(person.id, null))).toMatchObject(missing("email"));
    expect((await person.sql(...insert(person.id, person.email))).rowCount).toBe(1);
  });

  it("profiles_email_is_the_users: keeps it, also where the owner of the database writes", async () => {
    const person = await building.resident();
    for (const [text, values] of [
      update(person, { email: "nobody@test.example" }),
      ["delete from private.users where id = $1", [person.id]],
    ] as const)
      await expect(building.rows(text, values)).rejects.toMatchObject(forged);
  });

  it("profiles_one_per_user: does so once", async () => {
    const person = await building.resident();
    const request = ["POST", "/profile", { apartment_number: "1A" }] as const;
    const again = { request, sql: insert(person.id, person.email) };
    expect(await ended(person, again)).toBe("profiles_one_per_user");
  });
});

describe("profiles_erased_stay_erased", () => {
  const rule = "profiles_erased_stay_erased";

  it("refuses what the person writes, and another approval", async () => {
    const person = await building.resident();
    await erase(person);
    await holdsForAll(ownFields, async (fields) =>
      expect(await ended(person, describing(person, fields))).toBe(rule),
    );
    expect(await ended(administrator, deciding(person, { is_approved: true }))).toBe(rule);
    expect(await ended(person, describing(person, { full_name: null }))).toBe("done");
  });
});

describe("a rejection", () => {
  const rejected = async () => {
    const person = await building.unapproved();
    expect(await ended(administrator, deciding(person, { rejection_reason: "Unknown here" }))).toBe(
      "done",
    );
    return person;
  };
  const reasonOf = async (person: Person) => (await profileOf(person)).rejection_reason;

  it("profiles_approved_are_not_rejected: takes the approval back", async () => {
    const reason = { rejection_reason: "Moved out" };
    const [approved, waiting] = [await building.resident(), await building.unapproved()];
    const rule = "profiles_approved_are_not_rejected";
    expect(await ended(administrator, deciding(approved, reason))).toBe(rule);
    const both = deciding(waiting, { is_approved: true, ...reason });
    expect(await ended(administrator, both)).toBe(rule);
    const back = deciding(approved, { is_approved: false, ...reason });
    expect(await ended(administrator, back)).toBe("done");
    expect(await reasonOf(approved)).toBe("Moved out");
  });

  it("ends when the account is approved, or null is written", async () => {
    for (const fields of [{ is_approved: true }, { rejection_reason: null }]) {
      const person = await rejected();
      expect(await ended(administrator, deciding(person, fields))).toBe("done");
      expect(await reasonOf(person)).toBeNull();
    }
  });

  it("ends when the person changes their details, and not otherwise", async () => {
    for (const fields of ownFields.slice(0, 3)) {
      const person = await rejected();
      const same = describing(person, { apartment_number: "1A", vehicle: "B-AB 1" });
      expect(await ended(person, same)).toBe("done");
      expect(await reasonOf(person)).toBe("Unknown here");
      const none = doors.bySql(deciding(person, { rejection_reason: null }));
      expect(await ended(person, none)).toBe("administrator_required");
      expect(await ended(person, describing(person, fields))).toBe("done");
      expect(await reasonOf(person)).toBeNull();
    }
  });
});

describe("is_suspended", () => {
  const own = async (person: Person) => {
    type Account = { profile: { is_approved: boolean; is_suspended?: boolean } };
    const { profile } = (await person.get<Account>("/profile", 200)).body;
    return { approved: profile.is_approved, suspended: profile.is_suspended };
  };
  const decide = async (person: Person, fields: Fields) =>
    expect(await ended(administrator, deciding(person, fields))).toBe("done");

  it("is shown once an approval is taken back, until it is given again", async () => {
    expect(await own(await building.unapproved())).toEqual({ approved: false });
    const person = await building.resident();
    expect(await own(person)).toEqual({ approved: true });
    await decide(person, { is_approved: false });
    await person.put("/profile", { full_name: "Still Suspended" }, 200);
    expect(await own(person)).toEqual({ approved: false, suspended: true });
    await decide(person, { is_approved: true });
    expect(await own(person)).toEqual({ approved: true });
  });

  it("is not shown where it was approved by mistake", async () => {
    const person = await building.resident();
    await decide(person, { is_approved: false, is_suspended: false });
    expect(await own(person)).toEqual({ approved: false });
  });
});

describe("profiles_keep_an_administrator", () => {
  const rule = "profiles_keep_an_administrator";
  const first = building.shared("administrator");
  const second = building.shared("administrator");
  /** Makes exactly these people the administrators of the building. */
  const appoint = (...people: readonly Person[]) =>
    writePastRules(
      building,
      "update parking.profiles set is_approved = is_approved or id = any($1), is_admin = id = any($1)",
      [people.map(({ id }) => id)],
    );
  const removals = [
    { is_admin: false },
    { is_approved: false },
    { is_approved: false, is_admin: false },
  ];
  const remaining = () => administratorsOf(building);
  const deletion = (...people: readonly Person[]) =>
    building.rows("delete from parking.profiles where id = any($1)", [people.map(({ id }) => id)]);

  describe("with one administrator", () => {
    beforeEach(() => appoint(first));

    it("refuses to remove them, also where another is one who is not approved", async () => {
      for (const fields of [...removals, { is_approved: true, is_admin: false }])
        expect(await ended(first, deciding(first, fields))).toBe(rule);
      await expect(deletion(first)).rejects.toMatchObject(refusedBy(rule));
      await building.rows(...update(second, { is_approved: false, is_admin: true }));
      expect(await ended(first, deciding(first, { is_admin: false }))).toBe(rule);
      expect(await ended(first, deciding(second, { is_admin: false }))).toBe("done");
      expect(await remaining()).toEqual([first.id]);
    });

    it("lets everything else change", async () => {
      const same = describing(first, { full_name: "Ada" });
      expect(await ended(first, same)).toBe("done");
      expect(await ended(first, deciding(first, { is_approved: true, is_admin: true }))).toBe(
        "done",
      );
      expect(await ended(first, deciding(second, { is_approved: false }))).toBe("done");
      await deletion(await building.unapproved());
      expect(await remaining()).toEqual([first.id]);
    });
  });

  describe("with two administrators", () => {
    beforeEach(() => appoint(first, second));

    it.each(removals)("lets one resign, or remove the other: %j", async (fields) => {
      expect(await ended(first, deciding(first, fields))).toBe("done");
      expect(await remaining()).toEqual([second.id]);
      await appoint(first, second);
      expect(await ended(first, deciding(second, fields))).toBe("done");
      expect(await remaining()).toEqual([first.id]);
    });

    it("refuses to remove both in one statement", async () => {
      const everybody = "update parking.profiles set is_admin = false where is_admin";
      expect(await ended(first, { sql: [everybody, []] })).toBe(rule);
      const third = await building.administrator();
      await appoint(first, third);
      await expect(deletion(first, third)).rejects.toMatchObject(refusedBy(rule));
      await deletion(third);
      expect(await remaining()).toEqual([first.id]);
    });
  });
});
