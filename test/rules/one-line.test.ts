import { describe, expect, it } from "@jest/globals";
import { readColumns } from "../../src/contract/columns.ts";
import { isEmail } from "../../src/formats.ts";
import { complaint, malformed } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { insertSpot, refusedBy } from "./support.ts";

const building = useBuilding();

const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST = 0x10ffff;

/** Every code point that PostgreSQL can store and that passes the test. */
function codePoints(passes: (character: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (let code = 1; code <= LAST; code++) {
    if (code >= SURROGATES.first && code <= SURROGATES.last) continue;
    if (passes(String.fromCodePoint(code))) found.push(code.toString(16));
  }
  return found;
}

/** Those that the rule refuses at a place in a text. */
async function refusedByRule(text: string): Promise<readonly string[]> {
  const rows = await building.rows<{ code: string }>(
    `select to_hex(code) as code
       from generate_series(1, ${LAST}) code
      where code not between ${SURROGATES.first} and ${SURROGATES.last}
        and not private.is_one_line(${text}, 1, 3)
      order by code.code`,
  );
  return rows.map(({ code }) => code);
}

// U+2800 is a symbol without ink. NFKC turns every other space into U+0020, but not U+1680.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2800]/u;

describe("private.is_one_line, for every code point", () => {
  it("refuses what Unicode calls invisible", async () => {
    const refused = await refusedByRule("'a' || chr(code) || 'b'");
    expect(refused).toEqual(codePoints((character) => invisible.test(character)));
    expect(refused.length).toBeGreaterThan(4000);
  });

  it("refuses what the form of a request refuses", async () => {
    const form = new RegExp((await readColumns(building.service.pool)).oneLine);
    expect(await refusedByRule("'a' || chr(code) || 'b'")).toEqual(
      codePoints((character) => !form.test(`a${character}b`)),
    );
  });

  it("refuses nothing in an address that a token may carry", async () => {
    const refused = new Set(await refusedByRule("'a' || chr(code) || 'b'"));
    const taken = codePoints((character) => isEmail(`a${character}b@demo.example`));
    expect(taken.filter((code) => refused.has(code))).toEqual([]);
    expect(taken.length).toBeGreaterThan(1_000_000);
  });

  it.each([
    { end: "start", text: "chr(code) || 'b'" },
    { end: "end", text: "'a' || chr(code)" },
  ])("refuses at the $end also the white space that requests lose there", async ({ text }) => {
    expect(await refusedByRule(text)).toEqual(
      codePoints((character) => character.trim() === "" || invisible.test(character)),
    );
  });
});

const unseen: readonly (readonly [string, string])[] = [
  ["a zero-width space", "\u200b"],
  ["a soft hyphen", "\u00ad"],
  ["an override of the direction", "\u202e"],
  ["an isolate of the direction", "\u2066"],
  ["a Hangul filler", "\u3164"],
  ["a blank Braille pattern", "\u2800"],
  ["a variation selector", "\ufe0f"],
  ["a tag beyond the first plane", "\u{e0041}"],
];

describe.each(unseen)("%s", (_name, character) => {
  const number = `Q${character}-1`;

  it("is refused in a spot number by direct SQL", async () => {
    const resident = await building.resident();
    expect(await resident.sqlError(...insertSpot(number, "North"))).toMatchObject(
      refusedBy("spots_spot_number_is_one_line"),
    );
    expect(await resident.sqlError(...insertSpot("Q-1", number))).toMatchObject(
      refusedBy("spots_building_section_is_one_line"),
    );
  });

  it("is refused in every text of a request", async () => {
    const resident = await building.resident();
    const spot = { spot_number: number, building_section: number };
    const profile = { full_name: number, apartment_number: number };
    expect(complaint(await resident.post("/parking-spots", spot))).toEqual(
      malformed("spot_number", "building_section"),
    );
    const answer = complaint(await resident.put("/profile", profile));
    expect({ ...answer, fields: answer.fields.toSorted() }).toEqual(
      malformed("apartment_number", "full_name"),
    );
  });
});

describe("a spot number that looks like another", () => {
  it.each([
    ["in full-width letters", "Ｒ-1"],
    ["with a no-break space", "R\u00a0-1", "R -1"],
    ["with an ideographic space", "r\u3000-1", "R -1"],
    ["with a superscript", "R-\u00b9"],
    ["in a circle", "\u24c7-1"],
  ])("%s is taken", async (_how, lookAlike, number = "R-1") => {
    await building.rows("delete from parking.spots");
    const [owner, neighbour] = [await building.resident(), await building.resident()];
    const spot = { spot_number: number, building_section: "North" };
    await owner.post("/parking-spots", spot, 201);

    const answer = await neighbour.post("/parking-spots", { ...spot, spot_number: lookAlike });

    expect(answer).toMatchObject({
      status: 409,
      body: { error: "A parking spot with this number already exists" },
    });
    expect(await neighbour.sqlError(...insertSpot(lookAlike, "North"))).toMatchObject(
      refusedBy("spots_spot_number_is_unique", "23505"),
    );
  });
});
