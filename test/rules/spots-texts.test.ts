import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
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
  const deleteOthers = () => building.rows("delete from parking.spots where id <> $1", [spot.id]);

  it("refuses what reads the same", () =>
    holdsForAll(
      [
        ["P-1", "P-1"],
        ["P-1a", "p-1A"],
        ...["P–1", "P‑1", "P−1"].map((dashed) => ["P-1", dashed]),
        ["Straße 1", "STRASSE 1"],
        ["gasse 1", "GAẞE 1"],
        ["ΟΔΟΣ", "οδος"],
        ["Ga\u0301la", "G\u00e1la"],
        ["\u00c5 1", "a\u030a 1"],
        ["P2", "P\u00b2"],
        ["\u0390 1", "\u03aa\u0301 1"],
      ],
      async ([taken = "", number = ""]) => {
        await deleteOthers();
        const neighbour = await building.resident();
        await owner.sql(...insertSpot(taken, "North"));
        const before = await numbers();

        expect(await owner.sqlError(...insertSpot(number, "South"))).toMatchObject(broken);
        expect(await neighbour.sqlError(...insertSpot(number, "South"))).toMatchObject(broken);
        await expect(renumber(number)).rejects.toMatchObject(broken);
        await expect(writeAsOwner(number)).rejects.toMatchObject(broken);

        expect(await numbers()).toEqual(before);
      },
    ));

  it("accepts what differs", () =>
    holdsForAll(
      [
        ["P-1", "P-2"],
        ["P 1", "P  1"],
        ["G\u00e1la", "G\u00e0la"],
        ["\u00c5 1", "A 1"],
      ],
      async ([taken = "", number = ""]) => {
        await deleteOthers();
        await owner.sql(...insertSpot(taken, "North"));
        await owner.sql(...insertSpot(number, "North"));
        expect(await numbers()).toHaveLength(3);
      },
    ));

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
