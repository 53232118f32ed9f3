import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { newAddress, newNumber, spotNumbered } from "../support/invitations.ts";
import { refusedBy, refusedByPolicy, type Statement } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");

const insert = ({ email = newAddress(), spots = [] as readonly object[] } = {}): Statement => [
  `insert into parking.invitations (email, apartment_number, spots)
   values ($1, '2B', $2)
   returning id`,
  [email, JSON.stringify(spots)],
];
const made = async (given?: Parameters<typeof insert>[0]): Promise<string> => {
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

it("administrator_required: an invitation is made by an administrator", async () => {
  for (const person of [resident, await building.unapproved(), await building.newcomer()])
    expect(await person.sqlError(...insert())).toMatchObject(
      refusedByPolicy("administrator_required"),
    );
  expect(await stored(await made())).toMatchObject({
    status: "open",
    inviter_id: administrator.id,
  });
});

it("lets an invitation that is over be what it was", async () => {
  const [row] = await building.rows(
    `insert into parking.invitations (email, apartment_number, status, inviter_id)
     values ('a@-', '1', 'lapsed', $1) returning status`,
    [administrator.id],
  );
  expect(row).toEqual({ status: "lapsed" });
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
    const twice = [spotNumbered("Twice-1"), spotNumbered("twice-1")];
    expect(await administrator.sqlError(...insert({ spots: twice }))).toMatchObject(broken);
  });
});

it("invitations_accepted_stay refuses to delete an invitation that somebody accepted", async () => {
  const person = await building.unapproved();
  const id = await made({ email: person.email });
  expect(await stored(id)).toMatchObject({ status: "accepted", profile_id: person.id });

  expect(
    await administrator.sqlError("delete from parking.invitations where id = $1", [id]),
  ).toMatchObject(refusedBy("invitations_accepted_stay"));
  expect(await stored(id)).toMatchObject({ status: "accepted" });
});

it.each(["is_admin = false", "is_approved = false"])(
  "lapse_invitations ends the open invitations of who administers no longer: %s",
  async (assignment) => {
    const former = await building.administrator();
    const email = newAddress();
    await former.sql(...insert({ email }));
    await administrator.sql(`update parking.profiles set ${assignment} where id = $1`, [former.id]);

    const [old] = await building.rows<{ id: string; status: string }>(
      "select id, status from parking.invitations where email = $1",
      [email],
    );
    expect(old?.status).toBe("lapsed");
    expect(await stored(await made({ email }))).toMatchObject({ status: "open" });
    await administrator.sql("delete from parking.invitations where id = $1", [old?.id]);
  },
);
