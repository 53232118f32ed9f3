import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Account {
  readonly profile: { readonly is_approved: boolean; readonly is_suspended?: boolean };
}

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const own = async (person: Person) => {
  const { profile } = (await person.get<Account>("/profile", 200)).body;
  return { approved: profile.is_approved, suspended: profile.is_suspended };
};
const byRest = async (person: Person, is_approved: boolean) => {
  await administrator.put(`/admin/profiles/${person.id}`, { is_approved }, 200);
};
const bySql = async (person: Person, is_approved: boolean) => {
  await administrator.sql("update parking.profiles set is_approved = $2 where id = $1", [
    person.id,
    is_approved,
  ]);
};

describe("an account", () => {
  it("that was never approved waits, and is not suspended", async () => {
    expect(await own(await building.unapproved())).toEqual({ approved: false });
  });

  it.each([
    ["REST", byRest],
    ["direct SQL as the API role", bySql],
  ])("is suspended once its approval is taken back, by %s", async (_, setApproved) => {
    const person = await building.resident();
    expect(await own(person)).toEqual({ approved: true });

    await setApproved(person, false);
    expect(await own(person)).toEqual({ approved: false, suspended: true });

    await person.put("/profile", { full_name: "Still Suspended" }, 200);
    expect(await own(person)).toEqual({ approved: false, suspended: true });

    await setApproved(person, true);
    expect(await own(person)).toEqual({ approved: true });
  });

  it.each([
    [
      "REST",
      async ({ id }: Person) => {
        const change = { is_approved: false, is_suspended: false };
        await administrator.put(`/admin/profiles/${id}`, change, 200);
      },
    ],
    [
      "direct SQL as the API role",
      async (person: Person) => {
        await bySql(person, false);
        const sql = "update parking.profiles set is_suspended = false where id = $1";
        await administrator.sql(sql, [person.id]);
      },
    ],
  ])("waits again where it was approved by mistake, by %s", async (_, takeBack) => {
    const person = await building.resident();
    await takeBack(person);
    expect(await own(person)).toEqual({ approved: false });
  });

  it("cannot say itself that it is not", async () => {
    const person = await building.resident();
    await byRest(person, false);
    const sql = "update parking.profiles set is_suspended = false where id = $1";

    expect(await person.sqlError(sql, [person.id])).toMatchObject({ code: "42501" });
    expect((await person.put("/profile", { is_suspended: false })).status).toBe(400);
  });
});
