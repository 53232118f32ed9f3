import { describe, expect, it } from "@jest/globals";
import { readColumns } from "../../src/contract/columns.ts";
import { isEmail } from "../../src/formats.ts";
import { complaint, malformed } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { holdsForAll } from "../support/table.ts";
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

// U+2800 is a symbol without ink. NFKC turns every other space into U+0020, but not U+1680. Emoji and
// scripts need joiners and the selectors of two looks.
const invisible =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2800]/u;
const joiner = /\u200c|\u200d/;

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
    { end: "start", text: "chr(code) || 'b'", misplaced: /\u200c|\u200d|\ufe0e|\ufe0f/ },
    { end: "end", text: "'a' || chr(code)", misplaced: joiner },
  ])(
    "refuses at the $end also joiners, and the white space that requests lose there",
    async ({ text, misplaced }) => {
      expect(await refusedByRule(text)).toEqual(
        codePoints(
          (character) =>
            character.trim() === "" || invisible.test(character) || misplaced.test(character),
        ),
      );
    },
  );

  it.each([
    {
      place: "after a space",
      text: "'a ' || chr(code) || 'b'",
      misplaced: "\u200c\u200d\ufe0e\ufe0f",
    },
    {
      place: "after a joiner",
      text: "'a\u200d' || chr(code) || 'b'",
      misplaced: "\u200c\u200d\ufe0e\ufe0f",
    },
    { place: "after a selector", text: "'a\ufe0f' || chr(code) || 'b'", misplaced: "\ufe0e\ufe0f" },
  ])("refuses $place what is between no visible characters", async ({ text, misplaced }) => {
    const [row] = await building.rows<{ refused: string[] }>(
      `select array(
         select chr(code)
           from unnest(array[32, 8204, 8205, 65038, 65039]) code
          where not private.is_one_line(${text}, 1, 9)
       ) as refused`,
    );
    expect(row?.refused.join("")).toBe(misplaced);
  });
});

it("what nobody sees is refused in every text, by requests and by direct SQL", () =>
  holdsForAll(["\u200b", "\u202e", "\u3164", "\ufe00", "\u{e0041}"], async (character) => {
    const resident = await building.resident();
    const text = `Q${character}-1`;
    expect(await resident.sqlError(...insertSpot(text, "North"))).toMatchObject(
      refusedBy("spots_spot_number_is_one_line"),
    );
    expect(await resident.sqlError(...insertSpot("Q-1", text))).toMatchObject(
      refusedBy("spots_building_section_is_one_line"),
    );
    const spot = { spot_number: text, building_section: text };
    expect(complaint(await resident.post("/parking-spots", spot))).toEqual(
      malformed("spot_number", "building_section"),
    );
    const profile = { full_name: text, apartment_number: text };
    const { fields } = complaint(await resident.put("/profile", profile));
    expect(fields.toSorted()).toEqual(["apartment_number", "full_name"]);
  }));

describe("emoji, and names with joiners,", () => {
  const texts = ["⚠️ ♿️ 4️⃣ 👨‍👩‍👧 🏳️‍🌈 ❤️ ⚡️", "علی‌رضا می‌خواهم", "ශ්‍රී ලක්‍ෂ්මී", "क्‍ष र्‍य", "രാജന്‍ നായർ"];

  it("are taken, unchanged", () =>
    holdsForAll(texts, async (text) => {
      const resident = await building.resident();
      const { body } = await resident.put("/profile", { full_name: text }, 200);
      expect(body).toMatchObject({ profile: { full_name: text } });
      expect((await resident.sql(...insertSpot(text.slice(0, 32), text))).rowCount).toBe(1);
    }));

  it("are refused with what nobody sees in them, and with a joiner around them", async () => {
    const resident = await building.resident();
    await holdsForAll(
      texts.flatMap((text) => [
        ...["\u202e", "\u200b", "\u{e0041}"].map((hidden) => text.replace(" ", ` ${hidden}`)),
        ...["\u200c", "\u200d"].flatMap((joined) => [joined + text, text + joined]),
      ]),
      async (full_name) =>
        expect(complaint(await resident.put("/profile", { full_name }))).toEqual(
          malformed("full_name"),
        ),
    );
  });
});
