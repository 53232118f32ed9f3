import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { newAddress, newNumber, spotNumbered } from "../support/invitations.ts";
import type { Person } from "../support/person.ts";
import { notGranted, refusedBy, refusedByPolicy, type Statement } from "./support.ts";

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});

interface Given {
  readonly email?: string | null;
  readonly full_name?: string | null;
  readonly apartment_number?: string | null;
  readonly spots?: unknown;
}
const insert = ({
  email = newAddress(),
  full_name = null,
  apartment_number = "2B",
  spots = [],
}: Given = {}): Statement => [
  `insert into parking.invitations (email, full_name, apartment_number, spots)
   values ($1, $2, $3, $4)
   returning id`,
  [email, full_name, apartment_number, JSON.stringify(spots)],
];
const made = async (given?: Given): Promise<string> => {
  const { rows } = await administrator.sql<{ id: string }>(...insert(given));
  return rows[0]?.id ?? "";
};
const stored = async (id: string) => {
  const [row] = await building.rows<{ status: string; inviter_id: string; address: string }>(
    "select * from parking.invitations where id = $1",
    [id],
  );
  return row;
};

describe("administrator_required", () => {
  it("refuses an invitation by anybody else", async () => {
    const before = await building.rows("select id from parking.invitations");
    for (const person of [resident, await building.unapproved(), await building.newcomer()])
      expect(await person.sqlError(...insert())).toMatchObject(
        refusedByPolicy("administrator_required"),
      );
    expect(await building.rows("select id from parking.invitations")).toEqual(before);
  });

  it("hides invitations from anybody else, also from who is invited", async () => {
    const id = await made();
    expect((await resident.sql("select from parking.invitations")).rowCount).toBe(0);
    expect(await resident.sqlError("delete from parking.invitations")).toMatchObject(
      refusedBy("administrator_required", "42501"),
    );
    expect(await stored(id)).toMatchObject({ status: "open" });
  });

  it("lets an administrator invite, in their own name only", async () => {
    expect(await stored(await made())).toMatchObject({ inviter_id: administrator.id });
    const forged = `insert into parking.invitations (email, apartment_number, inviter_id)
                    values ('a@b.example', '1', '${resident.id}')`;
    expect(await administrator.sqlError(forged)).toMatchObject(notGranted);
  });

  it("lets nobody change an invitation", async () => {
    const id = await made();
    for (const assignment of ["status = 'accepted'", "email = 'x@y.example'", "spots = '[]'"])
      expect(
        await administrator.sqlError(`update parking.invitations set ${assignment}`),
      ).toMatchObject(notGranted);
    expect(await stored(id)).toMatchObject({ status: "open" });
  });
});

/** What a rule about the form of an invitation refuses. */
const refuses = (rule: string, given: readonly Given[]) =>
  it.each(given)("refuses %j", async (one) => {
    expect(await administrator.sqlError(...insert(one))).toMatchObject(refusedBy(rule));
  });

describe("invitations_email_is_an_address", () => {
  refuses("invitations_email_is_an_address", [
    { email: "nobody" },
    { email: " a@b.example" },
    { email: `${"a".repeat(310)}@b.example.org` },
    { email: "a\u200b@b.example" },
    { email: "<a@x.example>" },
    { email: "mailto:a@x.example" },
    { email: "a@x.example;" },
    { email: "Carla <a@x.example>" },
    { email: "a@x.example, b@x.example" },
    { email: "a b@x.example" },
    { email: "a@@x.example" },
    { email: "a@-" },
    { email: "a@x..example" },
    { email: "k\u212a@x.example" }, // the Kelvin sign
  ]);

  it("takes what a field of type email takes", async () => {
    for (const name of ["o'neil", "a+b.c", "a..b", "!#$%&*/=?^_`{|}~-"])
      await made({ email: `${name}${newAddress()}` });
    await made({ email: `a@${"b".repeat(63)}` });
  });

  it("lets an invitation that is over be what it was", async () => {
    const [row] = await building.rows(
      `insert into parking.invitations (email, apartment_number, status, inviter_id)
       values ('a@-', '1', 'lapsed', $1) returning status`,
      [administrator.id],
    );
    expect(row).toEqual({ status: "lapsed" });
  });
});

describe("invitations_full_name_is_one_line", () => {
  refuses("invitations_full_name_is_one_line", [
    { full_name: "" },
    { full_name: "x".repeat(201) },
    { full_name: "a\nb" },
  ]);
});

describe("invitations_apartment_number_is_one_line", () => {
  refuses("invitations_apartment_number_is_one_line", [
    { apartment_number: "" },
    { apartment_number: "x".repeat(33) },
  ]);
});

describe("invitations_spots_can_be_registered", () => {
  refuses("invitations_spots_can_be_registered", [
    { spots: {} },
    { spots: "A-1" },
    { spots: null },
    { spots: ["A-1"] },
    { spots: [{ spot_number: "A-1" }] },
    { spots: [{ building_section: "North" }] },
    { spots: [{ spot_number: 7, building_section: "North" }] },
    { spots: [{ spot_number: "A-1", building_section: "x".repeat(101) }] },
    { spots: [spotNumbered("")] },
    { spots: [spotNumbered("x".repeat(33))] },
    { spots: Array.from({ length: 21 }, (_, i) => spotNumbered(`${newNumber()} ${i}`)) },
  ]);

  it("lets an invitation be as long as it may be", async () => {
    const spots = Array.from({ length: 20 }, () => ({
      spot_number: newNumber().padEnd(32, "x"),
      building_section: "x".repeat(100),
    }));
    const email = newAddress().padStart(320, "a");
    const all = { email, spots, full_name: "x".repeat(200), apartment_number: "x".repeat(32) };
    expect(await stored(await made(all))).toMatchObject(all);
  });
});

describe("invitations_status_is_known", () => {
  it.each([
    "status = 'lost'",
    "status = 'accepted'",
    "accepted_at = now(), profile_id = inviter_id",
  ])("refuses %s", async (assignment) => {
    const id = await made();
    await expect(
      building.rows(`update parking.invitations set ${assignment} where id = $1`, [id]),
    ).rejects.toMatchObject(refusedBy("invitations_status_is_known"));
  });
});

const withSomebodyUnknown = async (assignments: string) =>
  building.rows(`update parking.invitations set ${assignments} where id = $1`, [
    await made(),
    randomUUID(),
  ]);

describe("invitations_by_a_resident", () => {
  it("refuses an inviter without a profile", async () => {
    await expect(withSomebodyUnknown("inviter_id = $2")).rejects.toMatchObject(
      refusedBy("invitations_by_a_resident", "23503"),
    );
  });
});

describe("invitations_accepted_by_a_resident", () => {
  it("refuses somebody without a profile", async () => {
    const accepted = "profile_id = $2, status = 'accepted', accepted_at = now()";
    await expect(withSomebodyUnknown(accepted)).rejects.toMatchObject(
      refusedBy("invitations_accepted_by_a_resident", "23503"),
    );
  });
});

describe("invitations_address_is_invited_once", () => {
  const broken = refusedBy("invitations_address_is_invited_once", "23505");

  it("refuses a second open invitation to an address, whatever the case of its letters", async () => {
    const email = newAddress();
    await made({ email });
    expect(await administrator.sqlError(...insert({ email }))).toMatchObject(broken);
    expect(await administrator.sqlError(...insert({ email: email.toUpperCase() }))).toMatchObject(
      broken,
    );
  });

  it("lets an address be invited again once the invitation is gone", async () => {
    const email = newAddress();
    const id = await made({ email });
    await administrator.sql("delete from parking.invitations where id = $1", [id]);
    await made({ email });
  });
});

describe("invitations_spot_is_invited_once", () => {
  const broken = refusedBy("invitations_spot_is_invited_once", "23505");

  it("refuses a spot that another open invitation has, however it is written", async () => {
    const number = newNumber();
    await made({ spots: [spotNumbered(newNumber()), spotNumbered(number)] });
    for (const other of [number, number.toLowerCase(), number.replace("-", "\u2013")])
      expect(
        await administrator.sqlError(...insert({ spots: [spotNumbered(other)] })),
      ).toMatchObject(broken);
  });

  it("refuses a spot twice in one invitation", async () => {
    const number = newNumber();
    const spots = [spotNumbered(number), spotNumbered(number.toLowerCase())];
    expect(await administrator.sqlError(...insert({ spots }))).toMatchObject(broken);
  });

  it("lets a spot be invited again once the invitation is gone", async () => {
    const spots = [spotNumbered(newNumber())];
    const id = await made({ spots });
    await administrator.sql("delete from parking.invitations where id = $1", [id]);
    await made({ spots });
  });
});

describe("invitations_accepted_stay", () => {
  it("refuses to delete an invitation that somebody accepted", async () => {
    const person = await building.unapproved();
    const id = await made({ email: person.email });
    expect(await stored(id)).toMatchObject({ status: "accepted", profile_id: person.id });

    expect(
      await administrator.sqlError("delete from parking.invitations where id = $1", [id]),
    ).toMatchObject(refusedBy("invitations_accepted_stay"));
    expect(await stored(id)).toMatchObject({ status: "accepted" });
  });
});

describe("lapse_invitations", () => {
  it.each(["is_admin = false", "is_approved = false"])(
    "ends the open invitations of who administers no longer: %s",
    async (assignment) => {
      const former = await building.administrator();
      const email = newAddress();
      await former.sql(...insert({ email }));
      await administrator.sql(`update parking.profiles set ${assignment} where id = $1`, [
        former.id,
      ]);

      const [old] = await building.rows<{ id: string; status: string }>(
        "select id, status from parking.invitations where email = $1",
        [email],
      );
      expect(old?.status).toBe("lapsed");
      expect(await stored(await made({ email }))).toMatchObject({ status: "open" });
      await administrator.sql("delete from parking.invitations where id = $1", [old?.id]);
    },
  );
});
