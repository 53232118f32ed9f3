import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding, type Spot, spotOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { complaint, malformed } from "./answers.ts";

let building: Building;
let resident: Person;
let spot: Spot;
beforeAll(async () => {
  building = await openBuilding();
  resident = await building.resident();
  spot = await spotOf(resident);
});
afterAll(() => building.close());

interface Field {
  readonly field: string;
  readonly table: "profiles" | "spots";
  readonly shortest: number;
  readonly longest: number;
  readonly filler: string;
}

const fields: readonly Field[] = [
  { field: "spot_number", table: "spots", shortest: 1, longest: 32, filler: "9" },
  { field: "building_section", table: "spots", shortest: 1, longest: 100, filler: "x" },
  { field: "apartment_number", table: "profiles", shortest: 1, longest: 32, filler: "x" },
  { field: "full_name", table: "profiles", shortest: 1, longest: 200, filler: "x" },
  { field: "phone_number", table: "profiles", shortest: 3, longest: 32, filler: "0" },
];

const write = ({ field, table }: Field, value: unknown) =>
  resident.put(table === "spots" ? `/parking-spots/${spot.id}` : "/profile", { [field]: value });

const stored = async ({ field, table }: Field) => {
  const [row] = await building.rows<Record<string, unknown>>(
    `select ${field} from parking.${table} where id = any ($1)`,
    [[spot.id, resident.id]],
  );
  return row?.[field];
};

describe.each(fields)("$field", (field) => {
  const { shortest, longest, filler } = field;

  it.each([shortest, longest])("may have %d characters", async (length) => {
    const value = filler.repeat(length);

    expect(await write(field, value)).toMatchObject({ status: 200 });
    expect(await stored(field)).toBe(value);
  });

  it.each([shortest - 1, longest + 1])("may not have %d characters", async (length) => {
    const before = await stored(field);

    expect(complaint(await write(field, filler.repeat(length)))).toEqual(malformed(field.field));
    expect(await stored(field)).toBe(before);
  });

  it("loses the white space around it, which counts for nothing", async () => {
    const value = filler.repeat(longest);

    expect(await write(field, ` \t\u00a0${value}\u2003\n`)).toMatchObject({ status: 200 });
    expect(await stored(field)).toBe(value);
  });

  it.each([
    ["nothing but white space", "   "],
    ["a NUL", "000\u0000000"],
    ["a control character", "000\u0007000"],
    ["a line feed", "000\n000"],
    ["a delete character", "000\u007f000"],
    ["a line separator", "000\u2028000"],
    ["half a character", "000\ud83c000"],
    ["a number", 12345],
    ["a boolean", true],
    ["a list", ["000"]],
    ["an object", { value: "000" }],
  ])("may not be %s", async (_case, value) => {
    const before = await stored(field);

    expect(complaint(await write(field, value))).toEqual(malformed(field.field));
    expect(await stored(field)).toBe(before);
  });
});

describe("characters", () => {
  it("are counted as people count them, not as UTF-16 does", async () => {
    const field = { field: "full_name", table: "profiles", longest: 200 } as const;
    const value = "🚗".repeat(field.longest);

    await resident.put("/profile", { full_name: value }, 200);

    const [row] = await building.rows("select full_name from parking.profiles where id = $1", [
      resident.id,
    ]);
    expect(row).toEqual({ full_name: value });
  });
});
