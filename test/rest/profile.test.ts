import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { askWith } from "../support/invitations.ts";
import { type Person, requestJson } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";

interface Account {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
}

const building = useBuilding();

const details = {
  apartment_number: "2B",
  full_name: "Maria Silva",
  phone_number: "+49 (30) 123-45.67/8",
};
/** A person with all details, registered long ago. */
const registered = async (): Promise<Person> => {
  const person = await building.newcomer();
  await person.post("/profile", details, 201);
  await backdateCreation(building, "profiles", person);
  return person;
};
const accountOf = async (person: Person) => (await person.get<Account>("/profile", 200)).body;

describe("POST /profile", () => {
  it("registers the caller, neither approved nor an administrator", async () => {
    const person = await building.newcomer();
    const { body } = await person.post<Account>("/profile", details, 201);
    const { id, email } = person;
    const flags = { is_approved: false, is_admin: false };
    expect(body.profile).toMatchObject({ ...details, id, email, ...flags });
    expect(body.user).toMatchObject({ id, email });
    expect(await accountOf(person)).toEqual(body);
  });

  it("does not need a name and a phone number", async () => {
    const person = await building.newcomer();
    await person.post("/profile", { apartment_number: "3C" }, 201);
    expect((await accountOf(person)).profile).toMatchObject({
      apartment_number: "3C",
      full_name: null,
      phone_number: null,
    });
  });
});

describe("PUT /profile", () => {
  it("changes what it names alone, and clears by null what is not required", () =>
    holdsForAll(
      [
        { apartment_number: "4D" },
        { full_name: "Maria Souza" },
        { phone_number: "112" },
        { phone_number: "(((" },
        { full_name: null },
        { phone_number: null },
      ],
      async (change) => {
        const person = await registered();
        const { body } = await person.put<Account>("/profile", change, 200);
        expect(body.profile).toMatchObject({ ...details, ...change });
        expect(body.profile.updated_at).not.toBe(longAgo);
        expect(await accountOf(person)).toEqual(body);
        expect(await eventsOf(building, person.id)).toEqual([
          { type: "profile.registered", actor_id: person.id },
          { type: "profile.updated", actor_id: person.id },
        ]);
      },
    ));

  it("takes from a phone number what pasting adds to it, by direct SQL too", async () => {
    const pasted = "\u202a+49\u00a030\u20111234\u20135678\u202c";
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

describe("the email address", () => {
  const before = "maria@old.example";
  const after = "maria@new.example";
  const register = async (claims: object) => {
    const sub = randomUUID();
    const body = { apartment_number: "1A" };
    return { sub, ...(await askWith<Account>(building, { sub, ...claims }, "POST", body)) };
  };
  const emailsOf = ({ profile, user }: Account) => [profile.email, user.email];

  it("is required to register", () =>
    holdsForAll([{}, { email: "maria" }], async (claims) => {
      const { sub, status, body } = await register(claims);
      expect([status, body]).toEqual([400, { error: expect.stringContaining("email") }]);
      expect(await building.rows("select from private.users where id = $1", [sub])).toEqual([]);
    }));

  it.each([
    ["GET", undefined],
    ["PUT", { full_name: "Maria" }],
  ])("follows a later token at %s /profile", async (method, change) => {
    const { sub } = await register({ email: before });
    const claims = { sub, email: after };
    const { body } = await askWith<Account>(building, claims, method, change);
    expect(emailsOf(body)).toEqual([after, after]);
  });

  it("stays what a later token said when the earlier one comes again", async () => {
    const { issuer, origin } = building.service;
    const now = Math.floor(Date.now() / 1_000);
    const { sub } = await register({ email: before, iat: now - 3 });
    const [earlier, later] = await Promise.all([
      issuer.token({ sub, email: before, iat: now - 2 }),
      issuer.token({ sub, email: after, iat: now - 1 }),
    ]);
    const emails = async (token: string) =>
      emailsOf((await requestJson<Account>(origin, "GET", "/api/profile", { token })).body);
    expect([await emails(earlier), await emails(earlier)].flat()).toEqual(Array(4).fill(before));
    expect([await emails(later), await emails(later)].flat()).toEqual(Array(4).fill(after));
    expect(await emails(earlier)).toEqual([after, after]);
  });

  it("stays when a later token has one with a character that no address may have", () =>
    holdsForAll(
      ["\ufe0f", "\u034f", "\u3164", "\u2800", "\u00ad", "\u{e0041}", "\u{1d173}"],
      async (invisible) => {
        const { sub } = await register({ email: before });
        const claims = { sub, email: `maria${invisible}@new.example` };
        const { body } = await askWith<Account>(building, claims, "GET");
        expect(emailsOf(body)).toEqual([before, before]);
      },
    ));

  it("is not updated by any other GET, because those only read", async () => {
    const { sub } = await register({ email: before });
    await askWith(building, { sub, email: after }, "GET", undefined, "/api/dashboard");
    expect(await building.rows("select email from private.users where id = $1", [sub])).toEqual([
      { email: before },
    ]);
  });
});
