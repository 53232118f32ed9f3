import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { insertSpot, missing, refusedBy, type Statement } from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts, type TextColumn } from "./texts.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});

type Field = "spot_number" | "building_section" | "notes";

const write = (field: Field, text: string | null): Statement => [
  `update parking.spots set ${field} = $2 where id = $1`,
  [spot.id, text],
];
const columnOf = (field: Field): TextColumn => ({
  writeAsPerson: (text) => owner.sql(...write(field, text)),
  writeAsOwner: (text) => building.rows(...write(field, text)),
  read: () => building.rows(`select ${field} as text from parking.spots where id = $1`, [spot.id]),
});

describe("spots_spot_number_is_one_line", () => {
  const column = columnOf("spot_number");
  itChecksTexts("spots_spot_number_is_one_line", column, oneLineTexts(32), otherTexts(32));

  it("still requires it", async () => {
    await expect(column.writeAsPerson(null)).rejects.toMatchObject(missing("spot_number"));
  });
});

describe("spots_building_section_is_one_line", () => {
  const column = columnOf("building_section");
  itChecksTexts("spots_building_section_is_one_line", column, oneLineTexts(100), otherTexts(100));

  it("still requires it", async () => {
    await expect(column.writeAsPerson(null)).rejects.toMatchObject(missing("building_section"));
  });
});

describe("spots_notes_are_one_line", () => {
  const column = columnOf("notes");
  itChecksTexts("spots_notes_are_one_line", column, oneLineTexts(300), otherTexts(300));

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

describe("spots_spot_number_is_unique", () => {
  const broken = refusedBy("spots_spot_number_is_unique", "23505");
  const { writeAsPerson: renumber, writeAsOwner, read } = columnOf("spot_number");
  const numbers = () => building.rows("select spot_number from parking.spots");
  beforeEach(async () => {
    await building.rows("delete from parking.spots where id <> $1", [spot.id]);
  });

  it.each([
    { what: "the same number", taken: "P-1", number: "P-1" },
    { what: "the number in other case", taken: "P-1a", number: "p-1A" },
    { what: "a dash for the hyphen", taken: "P-1", number: "P–1" },
    { what: "the hyphen that does not break for the hyphen", taken: "P-1", number: "P‑1" },
    { what: "the minus for the hyphen", taken: "P-1", number: "P−1" },
    { what: "SS for ß", taken: "Straße 1", number: "STRASSE 1" },
    { what: "the capital ẞ for ss", taken: "gasse 1", number: "GAẞE 1" },
    { what: "a final sigma for another", taken: "ΟΔΟΣ", number: "οδος" },
    { what: "a composed accent for a decomposed", taken: "Ga\u0301la", number: "G\u00e1la" },
    { what: "a decomposed accent for a composed", taken: "\u00c5 1", number: "a\u030a 1" },
    { what: "a superscript", taken: "P2", number: "P\u00b2" },
    { what: "two accents on a capital", taken: "\u0390 1", number: "\u03aa\u0301 1" },
  ])("refuses $what", async ({ taken, number }) => {
    const neighbour = await building.resident();
    await owner.sql(...insertSpot(taken, "North"));
    const before = await numbers();

    expect(await owner.sqlError(...insertSpot(number, "South"))).toMatchObject(broken);
    expect(await neighbour.sqlError(...insertSpot(number, "South"))).toMatchObject(broken);
    await expect(renumber(number)).rejects.toMatchObject(broken);
    await expect(writeAsOwner(number)).rejects.toMatchObject(broken);

    expect(await numbers()).toEqual(before);
  });

  it.each([
    { what: "another number", taken: "P-1", number: "P-2" },
    { what: "the number with one more space", taken: "P 1", number: "P  1" },
    { what: "another accent", taken: "G\u00e1la", number: "G\u00e0la" },
    { what: "no accent", taken: "\u00c5 1", number: "A 1" },
  ])("accepts $what", async ({ taken, number }) => {
    await owner.sql(...insertSpot(taken, "North"));
    await owner.sql(...insertSpot(number, "North"));
    expect(await numbers()).toHaveLength(3);
  });

  it("lets a spot change the case of its own number", async () => {
    await renumber("lower");
    await renumber("LOWER");
    expect(await read()).toEqual([{ text: "LOWER" }]);
  });

  it("frees the number of a spot that is deleted", async () => {
    await owner.sql(...insertSpot("P-3", "North"));
    await owner.sql("delete from parking.spots where spot_number = 'P-3'");
    await owner.sql(...insertSpot("p-3", "North"));
    expect(await numbers()).toContainEqual({ spot_number: "p-3" });
  });
});
