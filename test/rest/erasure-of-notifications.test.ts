import { beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const erase = ({ id }: Person) =>
  administrator.delete(`/admin/profiles/${id}?reason=${encodeURIComponent("Moved out")}`, 200);

interface Told {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const toldTo = ({ id }: Person) =>
  building.rows<Told>(
    "select message, data from parking.notifications where recipient_id = $1 order by id",
    [id],
  );

const report = (reporter: Person, spot: Spot, more: object) =>
  reporter.post<{ report: { id: string } }>("/spot-reports", { spot_id: spot.id, ...more }, 201);

describe("a report of a stranger's car", () => {
  it("loses the plate of an erased person, however it was written", async () => {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    await person.put("/profile", { vehicle: "B-AB 123" }, 200);
    const spot = await spotOf(neighbour);
    for (const vehicle of ["bab123", "B AB-123", "B-AB 1234"])
      await report(neighbour, spot, { vehicle });
    await report(neighbour, spot, { note: "It was BAB123 again" });
    const vehicles = async () => ({
      reported: await building.rows(
        "select vehicle, note from parking.spot_reports where spot_id = $1 order by id",
        [spot.id],
      ),
      told: await building.rows(
        `select n.data ->> 'vehicle' as vehicle
           from parking.notifications n where n.spot_id = $1 and n.recipient_id = $2 order by id`,
        [spot.id, administrator.id],
      ),
    });

    await erase(person);

    const others = { vehicle: "B-AB 1234" };
    const none = { vehicle: null };
    expect(await vehicles()).toEqual({
      reported: [
        { ...none, note: null },
        { ...none, note: null },
        { ...others, note: null },
        { ...none, note: "It was BAB123 again" },
      ],
      told: [none, none, others, none],
    });
  });
});

describe("a report by an erased person", () => {
  it("goes with the plate, for those who were told too", async () => {
    const person = await building.resident();
    await report(person, await spotOf(person), { vehicle: "HH XY 1", note: "A red one" });
    const told = async () => (await toldTo(administrator)).at(-1)?.data;
    expect(await told()).toMatchObject({ vehicle: "HH XY 1" });

    await erase(person);

    expect(await told()).not.toHaveProperty("vehicle");
    expect(
      await building.rows("select from parking.spot_reports where reporter_id = $1", [person.id]),
    ).toEqual([]);
  });
});

/** The neighbour's window is claimed by the person, and the administrator cancels that. */
async function cancelled(person: Person, reason: string) {
  const neighbour = await building.resident();
  const claim = await claimOf(person, await windowOf(neighbour, await spotOf(neighbour)));
  await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
  return { neighbour, claim };
}

const messagesOf = async (person: Person) => (await toldTo(person)).map(({ message }) => message);

describe("a notification", () => {
  it("loses the reason also where its event is kept no longer, or it has no data", async () => {
    const person = await building.resident();
    const { neighbour, claim } = await cancelled(person, "Zorro wants it");
    await writePastRules(building, "delete from private.events where subject_id = $1", [claim.id]);
    const { neighbour: old } = await cancelled(person, "Zorro wants it");
    // As in the first release.
    await building.rows("update parking.notifications set data = null where recipient_id = $1", [
      old.id,
    ]);

    await erase(person);

    for (const { message, data } of [...(await toldTo(neighbour)), ...(await toldTo(old))]) {
      expect(message).not.toMatch(/Zorro|Reason/);
      expect(data ?? {}).not.toHaveProperty("reason");
    }
    expect(await messagesOf(old)).toHaveLength(2);
  });
});

describe("the reason of a rejection", () => {
  it("goes as a whole, from the log too", async () => {
    const person = await building.unapproved();
    const rejection_reason = "The landlord says that you live with Ms Doe";
    await administrator.put(`/admin/profiles/${person.id}`, { rejection_reason }, 200);

    await erase(person);

    const [left] = await building.rows<{ log: string }>(
      "select string_agg(to_jsonb(e)::text, ' ') as log from private.events e where subject_id = $1",
      [person.id],
    );
    expect(left?.log).toContain("profile.rejected");
    expect(left?.log).not.toContain("landlord");
  });
});
