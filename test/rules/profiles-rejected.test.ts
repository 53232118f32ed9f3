import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const update = ({ id }: Person, change: string): Statement => [
  `update parking.profiles set ${change} where id = $1`,
  [id],
];
const reasonOf = async ({ id }: Person) => {
  const [row] = await building.rows<{ reason: string | null }>(
    "select rejection_reason as reason from parking.profiles where id = $1",
    [id],
  );
  return row?.reason;
};
const reject = (person: Person) =>
  administrator.sql(...update(person, "rejection_reason = 'Unknown here'"));

describe("profiles_rejection_reason_is_one_line", () => {
  it.each(["''", "' x'", "E'a\\nb'", "repeat('x', 301)"])("refuses %s", async (reason) => {
    const person = await building.unapproved();
    const change = `rejection_reason = ${reason}`;
    expect(await administrator.sqlError(...update(person, change))).toMatchObject(
      refusedBy("profiles_rejection_reason_is_one_line"),
    );
    expect(await reasonOf(person)).toBeNull();
  });

  it("allows 300 characters", async () => {
    const person = await building.unapproved();
    await administrator.sql(...update(person, "rejection_reason = repeat('x', 300)"));
    expect(await reasonOf(person)).toHaveLength(300);
  });
});

describe("profiles_approved_are_not_rejected", () => {
  const broken = refusedBy("profiles_approved_are_not_rejected");

  it("refuses to reject who is approved, and to approve and reject at once", async () => {
    const approved = await building.resident();
    const other = await building.unapproved();
    const change = "rejection_reason = 'Moved out'";

    expect(await administrator.sqlError(...update(approved, change))).toMatchObject(broken);
    expect(
      await administrator.sqlError(...update(other, `is_approved = true, ${change}`)),
    ).toMatchObject(broken);
    await expect(building.rows(...update(approved, change))).rejects.toMatchObject(broken);
  });

  it("lets an administrator take the approval back with a reason", async () => {
    const person = await building.resident();
    await administrator.sql(
      ...update(person, "is_approved = false, rejection_reason = 'Moved out'"),
    );
    expect(await reasonOf(person)).toBe("Moved out");
  });
});

describe("a rejection", () => {
  it("ends when the account is approved", async () => {
    const person = await building.unapproved();
    await reject(person);
    await administrator.sql(...update(person, "is_approved = true"));
    expect(await reasonOf(person)).toBeNull();
  });

  it.each(["full_name = 'Ada Lovelace'", "apartment_number = '9Z'", "phone_number = '112'"])(
    "ends when the person writes %s",
    async (change) => {
      const person = await building.unapproved();
      await reject(person);
      await person.sql(...update(person, change));
      expect(await reasonOf(person)).toBeNull();
    },
  );

  it("stays when the person writes what they had written", async () => {
    const person = await building.unapproved();
    await reject(person);
    await person.sql(...update(person, "apartment_number = '1A', vehicle = 'B-AB 1'"));
    expect(await reasonOf(person)).toBe("Unknown here");
  });

  it("is not the person's to take away", async () => {
    const person = await building.unapproved();
    await reject(person);
    expect(await person.sqlError(...update(person, "rejection_reason = null"))).toMatchObject(
      refusedBy("administrator_required", "42501"),
    );
  });
});
