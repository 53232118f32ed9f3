import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { missing, type Statement } from "./support.ts";
import { type Doors, itJudges, oneLineTexts, otherTexts } from "./texts.ts";

let building: Building;
let resident: Person;
beforeAll(async () => {
  building = await openBuilding();
  resident = await building.resident();
});
afterAll(() => building.close());

type Field = "full_name" | "apartment_number" | "phone_number";

const write = (field: Field, text: string | null): Statement => [
  `update parking.profiles set ${field} = $2 where id = $1`,
  [resident.id, text],
];
const doorsOf = (field: Field): Doors => ({
  writeAsPerson: (text) => resident.sql(...write(field, text)),
  writeAsOwner: (text) => building.rows(...write(field, text)),
  read: () =>
    building.rows(`select ${field} as text from parking.profiles where id = $1`, [resident.id]),
});

describe("profiles_full_name_is_one_line", () => {
  const doors = doorsOf("full_name");
  itJudges("profiles_full_name_is_one_line", doors, oneLineTexts(200), otherTexts(200));

  it("lets it be absent", async () => {
    await doors.writeAsPerson(null);
    expect(await doors.read()).toEqual([{ text: null }]);
  });
});

describe("profiles_apartment_number_is_one_line", () => {
  const doors = doorsOf("apartment_number");
  itJudges("profiles_apartment_number_is_one_line", doors, oneLineTexts(32), otherTexts(32));

  it("does not excuse its absence", async () => {
    await expect(doors.writeAsPerson(null)).rejects.toMatchObject(missing("apartment_number"));
  });
});

describe("profiles_phone_number_is_dialable", () => {
  const doors = doorsOf("phone_number");
  const allowed = [
    { what: "3 characters", text: "112" },
    { what: "32 characters", text: "1".repeat(32) },
    { what: "every sign that is allowed", text: "+49 (0)30/123.456-7890" },
  ];
  const refused = [
    { what: "2 characters", text: "11" },
    { what: "33 characters", text: "1".repeat(33) },
    { what: "letters", text: "CALL 112" },
    { what: "a backslash", text: "1\\2\\3" },
    { what: "digits of another script", text: "١١٢" },
    { what: "an empty text", text: "" },
    { what: "white space around it", text: " 112 " },
    { what: "a line break", text: "112\n112" },
  ];
  itJudges("profiles_phone_number_is_dialable", doors, allowed, refused);

  it("lets it be absent", async () => {
    await doors.writeAsPerson(null);
    expect(await doors.read()).toEqual([{ text: null }]);
  });
});
