import { beforeAll, describe, expect, it } from "@jest/globals";
import { complaint, malformed } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
let resident: Person;
let spot: Spot;
beforeAll(async () => {
  resident = await building.resident();
  spot = await spotOf(resident);
});

interface Field {
  readonly field: string;
  readonly table: "profiles" | "spots";
  readonly shortest: number;
  readonly longest: number;
  readonly filler: string;
}

interface Account {
  readonly profile: { readonly full_name: string; readonly phone_number: string };
}

const fields: readonly Field[] = [
  { field: "spot_number", table: "spots", shortest: 1, longest: 32, filler: "9" },
  { field: "building_section", table: "spots", shortest: 1, longest: 100, filler: "x" },
  { field: "apartment_number", table: "profiles", shortest: 1, longest: 32, filler: "x" },
  { field: "full_name", table: "profiles", shortest: 1, longest: 200, filler: "x" },
  { field: "phone_number", table: "profiles", shortest: 3, longest: 32, filler: "0" },
];

/** Valid bodies for a new spot or profile. */
const whole = {
  spots: { path: "/parking-spots", body: { spot_number: "A-1", building_section: "North" } },
  profiles: { path: "/profile", body: { apartment_number: "1A" } },
} as const;

/** Creates a row in which only this field may be invalid. */
const create = ({ field, table }: Field, value: string) =>
  resident.post(whole[table].path, { ...whole[table].body, [field]: value });

const update = ({ field, table }: Field, value: string) =>
  resident.put(table === "spots" ? `/parking-spots/${spot.id}` : "/profile", { [field]: value });

const stored = async ({ field, table }: Field) => {
  const [row] = await building.rows<Record<string, unknown>>(
    `select ${field} from parking.${table} where id = $1`,
    [table === "spots" ? spot.id : resident.id],
  );
  return row?.[field];
};

describe("a text", () => {
  it("may be as short and as long as its column says, and loses the white space around it", () =>
    holdsForAll(fields, async (field) => {
      for (const length of [field.shortest, field.longest]) {
        const value = field.filler.repeat(length);
        expect(await update(field, ` \t\u00a0${value}\u2003\n`)).toMatchObject({ status: 200 });
        expect(await stored(field)).toBe(value);
      }
    }));

  it("may not be shorter or longer", () =>
    holdsForAll(fields, async (field) => {
      const before = await stored(field);
      for (const length of [field.shortest - 1, field.longest + 1]) {
        const value = field.filler.repeat(length);
        expect(complaint(await create(field, value))).toEqual(malformed(field.field));
        expect(complaint(await update(field, value))).toEqual(malformed(field.field));
      }
      expect(await stored(field)).toBe(before);
    }));
});

describe("full_name", () => {
  it("is measured in characters as people count them, not as UTF-16 does", async () => {
    const value = "🚗".repeat(200);

    const { body } = await resident.put<Account>("/profile", { full_name: value }, 200);

    expect(body.profile.full_name).toBe(value);
  });
});

describe("phone_number", () => {
  it("may have digits and what is written between them", () =>
    holdsForAll(["+49 (30) 123-45.67/8", "110", "((("], async (value) => {
      const { body } = await resident.put<Account>("/profile", { phone_number: value }, 200);
      expect(body.profile.phone_number).toBe(value);
    }));

  const pasted = "\u202a+49\u00a030\u20111234\u20135678\u202c";

  it("loses what pasting adds to it", async () => {
    const body = { phone_number: pasted };
    const answer = await resident.put<Account>("/profile", body, 200);
    expect(answer.body.profile.phone_number).toBe("+49 30-1234-5678");
  });

  it("loses it by direct SQL", async () => {
    const { rows } = await resident.sql(
      "update parking.profiles set phone_number = $1 where id = $2 returning phone_number",
      [` ${pasted}\u2003`, resident.id],
    );
    expect(rows).toEqual([{ phone_number: "+49 30-1234-5678" }]);
  });

  it("may not have letters, or other signs", () =>
    holdsForAll(
      ["call me", "123#", "123*456", "１２３", "\u202a\u202c", "\u{1f4de}123"],
      async (value) =>
        expect(complaint(await resident.put("/profile", { phone_number: value }))).toEqual(
          malformed("phone_number"),
        ),
    ));
});
