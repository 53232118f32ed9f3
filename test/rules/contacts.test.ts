import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";
import { backdate } from "../support/rows.ts";

const building = useBuilding();

let held: Holding;
beforeEach(async () => {
  held = await holding(building);
  await describeAs(held.owner, "Olga Owner", "7A", "+49 111", true);
  await describeAs(held.claimer, "Clara Claimer", "8B", "+49 222", false);
});

const describeAs = (
  { sql }: Person,
  name: string,
  apartment: string,
  phone: string,
  shares: boolean,
) =>
  sql(
    `update parking.profiles
        set full_name = $1, apartment_number = $2, phone_number = $3, shares_phone_number = $4`,
    [name, apartment, phone, shares],
  );

const contactsSeenBy = async ({ sql }: Person) =>
  (await sql("select role, full_name, apartment_number, phone_number from parking.contacts")).rows;

const owner = {
  role: "owner",
  full_name: "Olga Owner",
  apartment_number: "7A",
  phone_number: "+49 111",
};
const claimer = {
  role: "claimer",
  full_name: "Clara Claimer",
  apartment_number: "8B",
  phone_number: null,
};

describe("the contact of a claim", () => {
  it("is the other person, with the phone number of those who share it", async () => {
    expect(await contactsSeenBy(held.claimer)).toEqual([owner]);
    expect(await contactsSeenBy(held.owner)).toEqual([claimer]);

    await held.claimer.sql("update parking.profiles set shares_phone_number = true");
    await held.owner.sql("update parking.profiles set shares_phone_number = false");

    expect(await contactsSeenBy(held.claimer)).toEqual([{ ...owner, phone_number: null }]);
    expect(await contactsSeenBy(held.owner)).toEqual([{ ...claimer, phone_number: "+49 222" }]);
  });

  it("is shown for a completed claim, and not for a cancelled or deleted one", async () => {
    const other = await holding(building);
    await held.claimer.sql(...doors.close(held.claim, "completed").sql);
    await other.claimer.sql(...doors.close(other.claim, "cancelled").sql);

    expect(await contactsSeenBy(held.claimer)).toEqual([owner]);
    expect(await contactsSeenBy(held.owner)).toEqual([claimer]);
    expect(await contactsSeenBy(other.claimer)).toEqual([]);
    expect(await contactsSeenBy(other.owner)).toEqual([]);

    await other.claimer.sql("delete from parking.claims");
    expect(await contactsSeenBy(other.owner)).toEqual([]);
  });

  it("says nothing of a person who was erased", async () => {
    await held.claimer.sql(...doors.close(held.claim, "completed").sql);
    await building.rows("select private.erase_person($1)", [held.owner.id]);

    expect(await contactsSeenBy(held.claimer)).toEqual([
      { role: "owner", full_name: null, apartment_number: "erased", phone_number: null },
    ]);
  });

  it("is shown to no function of a query before its conditions", async () => {
    await building.rows(
      `create function private.leak(text) returns boolean language plpgsql cost 0.0001
       as $$ begin raise 'leaked %', $1; end $$;
       grant execute on function private.leak to parking_api`,
    );
    const stranger = await building.resident();
    const { rows } = await stranger.sql(
      "select from parking.contacts where private.leak(full_name)",
    );
    expect(rows).toEqual([]);
  });
});

describe("the access notes of a spot", () => {
  const notesSeenBy = async ({ sql }: Person) =>
    (await sql("select access_notes from parking.contacts where access_notes is not null")).rows;
  const seen = [{ access_notes: "Code 4711" }];
  beforeEach(async () => {
    await held.owner.sql(
      "insert into parking.spot_access (spot_id, owner_id, access_notes) select id, owner_id, 'Code 4711' from parking.spots where id = $1",
      [held.spot.id],
    );
  });

  it("are shown to the claimer, and to nobody else", async () => {
    expect(await notesSeenBy(held.claimer)).toEqual(seen);
    for (const person of [
      held.owner, // who reads them in the table
      await building.resident(),
      await building.administrator(),
      await building.unapproved(),
    ]) {
      expect(await notesSeenBy(person)).toEqual([]);
    }
  });

  it.each(["completed", "cancelled"] as const)(
    "are not shown once the claim is %s",
    async (status) => {
      await held.claimer.sql(...doors.close(held.claim, status).sql);
      expect(await notesSeenBy(held.claimer)).toEqual([]);
    },
  );

  it("are not shown once the claim is over, though nobody completed it", async () => {
    await backdate(building, "claims", held.claim, -5, -3);
    expect(await notesSeenBy(held.claimer)).toEqual([]);
    expect(await contactsSeenBy(held.claimer)).toEqual([owner]);
  });
});
