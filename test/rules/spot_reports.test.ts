import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { reportOf, takenSpot } from "../support/spot-reports.ts";
import { notGranted, refusedBy, refusedByPolicy, type Statement } from "./support.ts";

const building = useBuilding();
let administrator: Person;
let owner: Person;
let claimer: Person;
let other: Person;
let spot: Spot;
beforeAll(async () => {
  administrator = await building.administrator();
  [owner, claimer] = [await building.resident(), await building.resident()];
  other = await building.resident();
  ({ spot } = await takenSpot(building, owner, claimer));
});
afterEach(() => building.rows("delete from parking.spot_reports"));

const insert = (
  { id }: { readonly id: string },
  vehicle: string | null = null,
  note: string | null = null,
): Statement => [
  "insert into parking.spot_reports (spot_id, vehicle, note) values ($1, $2, $3) returning id",
  [id, vehicle, note],
];
/** By the owner of the database, who is no caller. */
const insertFor = (reporterId: string | null, holderId: string | null): Statement => [
  `insert into parking.spot_reports (spot_id, reporter_id, holder_id) values ($1, $2, $3)`,
  [spot.id, reporterId, holderId],
];
const unknown = { id: "018f0000-0000-7000-8000-000000000000" };

describe("approved_account_required", () => {
  it.each(["newcomer", "unapproved"] as const)("refuses a report by who is %s", async (who) => {
    const person = await building[who]();
    expect(await person.sqlError(...insert(spot))).toMatchObject(
      refusedByPolicy("approved_account_required"),
    );
    expect(await person.sqlError("select api.create_spot_report($1)", [spot.id])).toMatchObject(
      refusedBy("approved_account_required", "42501"),
    );
  });

  it("hides the reports of a person whose approval was taken back", async () => {
    const person = await building.resident();
    const own = await spotOf(person);
    await reportOf(person, own);
    await suspend(building, person);
    expect((await person.sql("select from parking.spot_reports")).rowCount).toBe(0);
  });
});

describe("spot_reports_by_who_may_park", () => {
  const broken = refusedByPolicy("spot_reports_by_who_may_park");

  it("lets the owner of the spot and who has claimed it now report", async () => {
    for (const person of [owner, claimer])
      expect((await person.sql(...insert(spot))).rowCount).toBe(1);
  });

  it("refuses everybody else, also an administrator", async () => {
    for (const person of [other, administrator])
      expect(await person.sqlError(...insert(spot))).toMatchObject(broken);
  });

  it.each(["completed", "cancelled"])("refuses who has a %s claim", async (status) => {
    const late = await building.resident();
    const taken = await takenSpot(building, owner, late);
    await late.put(`/claims/${taken.claim.id}`, { status }, 200);
    expect(await late.sqlError(...insert(taken.spot))).toMatchObject(broken);
  });
});

describe("spot_reports_five_a_day_at_most", () => {
  it("refuses the sixth, also of those that were dealt with, and not of others", async () => {
    for (const _ of Array(5)) await owner.sql(...insert(spot));
    await administrator.sql("update parking.spot_reports set is_resolved = true");

    expect(await owner.sqlError(...insert(spot))).toMatchObject(
      refusedBy("spot_reports_five_a_day_at_most"),
    );
    expect((await claimer.sql(...insert(spot))).rowCount).toBe(1);
  });

  it("forgets those of more than a day ago", async () => {
    for (const _ of Array(5)) await owner.sql(...insert(spot));
    await building.rows(
      "update parking.spot_reports set created_at = created_at - interval '25 hours'",
    );
    expect((await owner.sql(...insert(spot))).rowCount).toBe(1);
  });

  it("counts two at once one after the other", async () => {
    const outcomes = await Promise.allSettled(
      Array.from(Array(8), () => owner.sql(...insert(spot))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });
});

describe("spot_reports_vehicle_is_a_plate", () => {
  it.each(["", "-", " B-XY 99", "B-XY 99 B-XY 99 9", "B\n99"])("refuses %j", async (plate) => {
    expect(await owner.sqlError(...insert(spot, plate))).toMatchObject(
      refusedBy("spot_reports_vehicle_is_a_plate"),
    );
  });
});

describe("spot_reports_note_is_one_line", () => {
  it.each(["", " red", "a\nb", "x".repeat(301)])("refuses %j", async (note) => {
    expect(await owner.sqlError(...insert(spot, null, note))).toMatchObject(
      refusedBy("spot_reports_note_is_one_line"),
    );
  });

  it("allows 300 characters", async () => {
    expect((await owner.sql(...insert(spot, null, "x".repeat(300)))).rowCount).toBe(1);
  });
});

describe("spot_reports_of_a_spot", () => {
  it("refuses a spot that is none", async () => {
    await expect(
      building.rows("insert into parking.spot_reports (spot_id, reporter_id) values ($1, $2)", [
        unknown.id,
        owner.id,
      ]),
    ).rejects.toMatchObject(refusedBy("spot_reports_of_a_spot", "23503"));
  });

  it("lets the spot be removed, and what was reported stays", async () => {
    const gone = await spotOf(owner);
    await owner.sql(...insert(gone));
    await owner.delete(`/parking-spots/${gone.id}`, 200);
    expect((await administrator.sql("select from parking.spot_reports")).rowCount).toBe(1);
  });
});

describe("spot_reports_by_a_resident", () => {
  it("refuses a reporter who is none", async () => {
    await expect(building.rows(...insertFor(unknown.id, null))).rejects.toMatchObject(
      refusedBy("spot_reports_by_a_resident", "23503"),
    );
  });
});

describe("spot_reports_to_a_resident", () => {
  it("refuses a holder who is none", async () => {
    await owner.sql(...insert(spot));
    await expect(
      building.rows("update parking.spot_reports set holder_id = $1", [unknown.id]),
    ).rejects.toMatchObject(refusedBy("spot_reports_to_a_resident", "23503"));
  });
});

describe("the policies", () => {
  it("show a report to owner and claimer and to administrators", async () => {
    await claimer.sql(...insert(spot));
    const seen = async (person: Person) =>
      (await person.sql("select from parking.spot_reports")).rowCount;
    expect(await Promise.all([owner, claimer, administrator, other].map(seen))).toEqual([
      1, 1, 1, 0,
    ]);
  });

  it("let administrators alone deal with it", async () => {
    await owner.sql(...insert(spot));
    const resolve = "update parking.spot_reports set is_resolved = true";
    for (const person of [owner, claimer, other])
      expect(await person.sqlError(resolve)).toMatchObject(
        refusedBy("administrator_required", "42501"),
      );
    expect((await administrator.sql(resolve)).rowCount).toBe(1);
  });

  it.each(["id", "reporter_id", "holder_id", "is_resolved"])(
    "grant no insert of %s",
    async (name) => {
      const text = `insert into parking.spot_reports (spot_id, ${name}) values ($1, null)`;
      expect(await owner.sqlError(text, [spot.id])).toMatchObject(notGranted);
    },
  );

  it("grant no update of what was said, and no delete", async () => {
    for (const statement of [
      "update parking.spot_reports set note = 'x'",
      "delete from parking.spot_reports",
    ])
      expect(await administrator.sqlError(statement)).toMatchObject(notGranted);
  });
});
