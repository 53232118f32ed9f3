import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Holding, holding, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { refusedBy, refusedByPolicy, type Statement } from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts } from "./texts.ts";

const building = useBuilding();
let held: Holding;
beforeEach(async () => {
  held = await holding(building);
  await held.owner.sql(...insert(held.spot.id, held.owner.id, "Code 4711"));
});

const insert = (spot: string, owner: string, notes: string): Statement => [
  "insert into parking.spot_access (spot_id, owner_id, access_notes) values ($1, $2, $3)",
  [spot, owner, notes],
];
const update = (notes: string | null): Statement => [
  "update parking.spot_access set access_notes = $2 where spot_id = $1",
  [held.spot.id, notes],
];
const kept = () =>
  building.rows("select access_notes as text from parking.spot_access where spot_id = $1", [
    held.spot.id,
  ]);
const seenBy = async ({ sql }: Person) =>
  (await sql("select access_notes from parking.spot_access where spot_id = $1", [held.spot.id]))
    .rows;

describe("parking.spot_access", () => {
  it("is read by the owner and by administrators", async () => {
    for (const person of [held.owner, await building.administrator()]) {
      expect(await seenBy(person)).toEqual([{ access_notes: "Code 4711" }]);
    }
  });

  it("is hidden from everybody else; the claimer reads it in parking.contacts", async () => {
    for (const person of [
      held.claimer,
      await building.resident(),
      await building.unapproved(),
      await building.newcomer(),
    ]) {
      expect(await seenBy(person)).toEqual([]);
    }
  });

  it("is changed by the owner alone", async () => {
    for (const person of [held.claimer, await building.administrator()]) {
      expect((await person.sql(...update("Mine"))).rowCount).toBe(0);
    }
    expect((await held.owner.sql(...update("Code 4712"))).rowCount).toBe(1);
    expect(await kept()).toEqual([{ text: "Code 4712" }]);
  });

  it("goes with the spot", async () => {
    const other = await spotOf(held.owner);
    await held.owner.sql(...insert(other.id, held.owner.id, "Code 1"));
    await held.owner.delete(`/parking-spots/${other.id}`, 200);
    const left = "select from parking.spot_access where spot_id = $1";
    expect(await building.rows(left, [other.id])).toEqual([]);
  });

  it("is in no event", async () => {
    await held.owner.sql(...update("Code 4712"));
    const told = await building.rows(
      "select from private.events where strpos(to_jsonb(events)::text, 'Code 47') > 0",
    );
    expect(told).toEqual([]);
  });
});

describe("approved_account_required", () => {
  it("hides their notes from owners whose approval was taken back, and refuses new ones", async () => {
    const spot = await spotOf(held.owner);
    await suspend(building, held.owner);
    expect(await seenBy(held.owner)).toEqual([]);
    expect(await held.owner.sqlError(...insert(spot.id, held.owner.id, "X"))).toMatchObject(
      refusedByPolicy("approved_account_required"),
    );
  });
});

describe("spot_access_written_by_owner", () => {
  it("refuses notes at the spot of another", async () => {
    const spot = await spotOf(held.owner);
    for (const person of [held.claimer, await building.administrator()]) {
      expect(await person.sqlError(...insert(spot.id, held.owner.id, "X"))).toMatchObject(
        refusedByPolicy("spot_access_written_by_owner"),
      );
    }
  });
});

describe("spot_access_of_a_spot", () => {
  it("refuses notes of one's own at the spot of another", async () => {
    const spot = await spotOf(held.owner);
    expect(await held.claimer.sqlError(...insert(spot.id, held.claimer.id, "X"))).toMatchObject(
      refusedBy("spot_access_of_a_spot", "23503"),
    );
  });
});

describe("spot_access_notes_are_one_line", () => {
  const column = {
    writeAsPerson: (text: string | null) => held.owner.sql(...update(text)),
    writeAsOwner: (text: string | null) => building.rows(...update(text)),
    read: kept,
  };
  itChecksTexts("spot_access_notes_are_one_line", column, oneLineTexts(300), otherTexts(300));

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});
