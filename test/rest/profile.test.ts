import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

interface Account {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
}

const details = {
  apartment_number: "2B",
  full_name: "Maria Silva",
  phone_number: "+49 (30) 123-45.67/8",
};

const building = useBuilding();

const stored = async ({ id }: Person) => {
  const [profile] = await building.rows(
    `select email, full_name, apartment_number, phone_number, is_approved, is_admin
       from parking.profiles
      where id = $1`,
    [id],
  );
  return profile;
};

/** A person with all details, registered long ago. */
const registered = async (): Promise<Person> => {
  const person = await building.newcomer();
  await person.post("/profile", details, 201);
  await backdateCreation(building, "profiles", person);
  return person;
};

describe("POST /profile", () => {
  it("registers the caller, neither approved nor an administrator", async () => {
    const person = await building.newcomer();

    const { status, body } = await person.post<Account>("/profile", details);

    expect(status).toBe(201);
    expect(body.profile).toMatchObject({
      ...details,
      id: person.id,
      email: person.email,
      is_approved: false,
      is_admin: false,
    });
    expect(body.user).toMatchObject({ id: person.id, email: person.email });
    expect(await stored(person)).toEqual({
      ...details,
      email: person.email,
      is_approved: false,
      is_admin: false,
    });
    expect(await eventsOf(building, person.id)).toEqual([
      { type: "profile.registered", actor_id: person.id },
    ]);
  });

  it("does not need a name and a phone number", async () => {
    const person = await building.newcomer();

    await person.post("/profile", { apartment_number: "3C" }, 201);

    expect(await stored(person)).toMatchObject({
      apartment_number: "3C",
      full_name: null,
      phone_number: null,
    });
  });
});

describe("PUT /profile", () => {
  it.each([
    ["apartment_number", "4D"],
    ["full_name", "Maria Souza"],
    ["phone_number", "112"],
  ])("changes %s alone", async (field, value) => {
    const person = await registered();

    const { body } = await person.put<Account>("/profile", { [field]: value }, 200);

    expect(body.profile).toMatchObject({ ...details, [field]: value });
    expect(body.profile.updated_at).not.toBe(longAgo);
    expect(body.user).toMatchObject({ id: person.id });
    expect(await stored(person)).toMatchObject({ ...details, [field]: value });
    expect(await eventsOf(building, person.id)).toEqual([
      { type: "profile.registered", actor_id: person.id },
      { type: "profile.updated", actor_id: person.id },
    ]);
  });

  it.each(["full_name", "phone_number"])("clears %s with null", async (field) => {
    const person = await registered();

    const { body } = await person.put<Account>("/profile", { [field]: null }, 200);

    expect(body.profile).toMatchObject({ ...details, [field]: null });
    expect(await stored(person)).toMatchObject({ ...details, [field]: null });
  });
});

describe("a phone number", () => {
  const pasted = "\u202a+49\u00a030\u20111234\u20135678\u202c";

  it("may have digits and what is written between them", async () => {
    const person = await registered();
    for (const phone_number of ["+49 (30) 123-45.67/8", "110", "((("]) {
      const { body } = await person.put<Account>("/profile", { phone_number }, 200);
      expect(body.profile).toMatchObject({ phone_number });
    }
  });

  it("loses what pasting adds to it, by direct SQL too", async () => {
    const person = await registered();
    const { body } = await person.put<Account>("/profile", { phone_number: pasted }, 200);
    expect(body.profile).toMatchObject({ phone_number: "+49 30-1234-5678" });
    const { rows } = await person.sql(
      "update parking.profiles set phone_number = $1 where id = $2 returning phone_number",
      [` ${pasted}\u2003`, person.id],
    );
    expect(rows).toEqual([{ phone_number: "+49 30-1234-5678" }]);
  });
});
