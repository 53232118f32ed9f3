import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { missing, type Statement } from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts, type TextColumn } from "./texts.ts";

const building = useBuilding();
let resident: Person;
beforeAll(async () => {
  resident = await building.resident();
});

type Field = "full_name" | "apartment_number" | "phone_number" | "vehicle";

const write = (field: Field, text: string | null): Statement => [
  `update parking.profiles set ${field} = $2 where id = $1`,
  [resident.id, text],
];
const columnOf = (field: Field): TextColumn => ({
  writeAsPerson: (text) => resident.sql(...write(field, text)),
  writeAsOwner: (text) => building.rows(...write(field, text)),
  read: () =>
    building.rows(`select ${field} as text from parking.profiles where id = $1`, [resident.id]),
});

describe("profiles_full_name_is_one_line", () => {
  const column = columnOf("full_name");
  itChecksTexts("profiles_full_name_is_one_line", column, oneLineTexts(200), otherTexts(200));

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

describe("profiles_apartment_number_is_one_line", () => {
  const column = columnOf("apartment_number");
  itChecksTexts("profiles_apartment_number_is_one_line", column, oneLineTexts(32), otherTexts(32));

  it("still requires it", async () => {
    await expect(column.writeAsPerson(null)).rejects.toMatchObject(missing("apartment_number"));
  });
});

describe("profiles_phone_number_is_dialable", () => {
  const column = columnOf("phone_number");
  const allowed = ["112", "1".repeat(32), "+49 (0)30/123.456-7890"];
  const refused = ["11", "1".repeat(33), "CALL 112", "1\\2\\3", "١١٢", "", "112\n112"];
  itChecksTexts("profiles_phone_number_is_dialable", column, allowed, refused);

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

describe("profiles_vehicle_is_a_plate", () => {
  const column = columnOf("vehicle");
  const refused = [...otherTexts(16), "- – -"];
  itChecksTexts("profiles_vehicle_is_a_plate", column, oneLineTexts(16), refused);

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});
