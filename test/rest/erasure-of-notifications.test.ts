import { beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, writePastRules } from "../support/rows.ts";

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

async function residentNamed(full_name: string): Promise<Person> {
  const person = await building.resident();
  await person.put("/profile", { full_name }, 200);
  return person;
}

const report = (reporter: Person, spot: Spot, more: object) =>
  reporter.post<{ report: { id: string } }>("/spot-reports", { spot_id: spot.id, ...more }, 201);

describe("a report of a stranger's car", () => {
  it("loses the number of the spot that names an erased person, whoever was told", async () => {
    const [person, claimer] = [await residentNamed("Zacharias Quill"), await building.resident()];
    const { body } = await person.post<{ spot: Spot }>(
      "/parking-spots",
      { spot_number: "Spot of Quill", building_section: "North" },
      201,
    );
    const window = await windowOf(person, body.spot);
    const claim = await claimOf(claimer, window);
    await backdate(building, "availabilities", window, -1, 5);
    await backdate(building, "claims", claim, -1, 5);
    await report(person, body.spot, { vehicle: "HH XY 1" });
    const told = async () =>
      [await toldTo(claimer), await toldTo(administrator)].map((of) => of[0]);
    const before = await told();
    expect(before).toMatchObject([
      { data: { spot_number: "Spot of Quill", vehicle: "HH XY 1" } },
      { data: { spot_number: "Spot of Quill", vehicle: "HH XY 1" } },
    ]);

    await erase(person);

    expect(await told()).toEqual(JSON.parse(JSON.stringify(before).replaceAll("Quill", "erased")));
  });

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
        { ...none, note: "It was erased again" },
      ],
      told: [none, none, others, none],
    });
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
  it("loses the name in a reason also where its event is kept no longer", async () => {
    const person = await residentNamed("Zorro Vega");
    const { neighbour, claim } = await cancelled(person, "Zorro wants it");
    await writePastRules(building, "delete from private.events where subject_id = $1", [claim.id]);
    const before = await toldTo(neighbour);
    expect(before.at(-1)).toMatchObject({ data: { reason: "Zorro wants it" } });

    await erase(person);

    expect(await toldTo(neighbour)).toEqual(
      JSON.parse(JSON.stringify(before).replaceAll("Zorro", "erased")),
    );
  });

  it("of the first release, which cannot be made anew, goes where a person wrote the name", async () => {
    const person = await residentNamed("Your Spot");
    const { neighbour: named } = await cancelled(person, "Ends. Reason: Spot wants it");
    const { neighbour: other } = await cancelled(person, "Repairs");
    const spot = { spot_number: "The Spot", building_section: "North" };
    const { body } = await person.post<{ spot: Spot }>("/parking-spots", spot, 201);
    const second = await building.administrator();
    await report(person, body.spot, {});
    await building.rows("update parking.notifications set data = null");
    const [reasonless] = await messagesOf(named);
    const before = await messagesOf(other);

    await erase(person);

    expect(await messagesOf(second)).toEqual([]);
    expect(await messagesOf(named)).toEqual([reasonless]);
    expect(await messagesOf(other)).toEqual(before);
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

  const blank = "\u00a0"; // no line may end with it
  it.each([
    ["Zorro Vega", "Flat 12 belongs to Zorro Vega", "Flat 12 belongs to erased"],
    ["Zoe", `Zoe ${"x".repeat(292)}${blank}Zoe`, `erased ${"x".repeat(292)}`],
  ])("loses the name of another person: %s", async (name, reason, left) => {
    const [person, rejected] = [await residentNamed(name), await building.unapproved()];
    const path = `/admin/profiles/${rejected.id}`;
    await administrator.put(path, { rejection_reason: reason }, 200);
    await rejected.put("/profile", { vehicle: "B-AB 123" }, 200); // an event that repeats it
    const known = async () => ({
      profile: (await rejected.get<{ profile: object }>("/profile", 200)).body.profile,
      told: await toldTo(rejected),
      events: await building.rows(
        `select type, reason, data ->> 'rejection_reason' as rejection_reason
           from private.events where subject_id = $1 order by id`,
        [rejected.id],
      ),
    });
    const before = await known();
    expect(before).toMatchObject({ profile: { rejection_reason: reason }, told: [{}] });

    await erase(person);

    expect(await known()).toEqual({
      ...JSON.parse(JSON.stringify(before).replaceAll(reason, left)),
      profile: { ...before.profile, rejection_reason: left, updated_at: expect.any(String) },
    });
  });

  it("is another one, whatever the administrator has set", async () => {
    const person = await building.unapproved();
    for (const reason of ["Who is this?", "Nobody knows you"])
      await administrator.sql(
        `select set_config('parking.erasing', 'on', true),
                api.update_profile_flags($1, rejection_reason => $2)`,
        [person.id, reason],
      );
    expect(await toldTo(person)).toHaveLength(2);
  });
});
