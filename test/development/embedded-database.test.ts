import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { fillDemoBuilding } from "../../src/development/demo-building.ts";
import { people } from "../../src/development/people.ts";
import { type Building, openBuilding } from "../support/building.ts";

let building: Building;
beforeEach(async () => {
  building = await openBuilding({ connections: 1 });
});
afterEach(() => building.close());

const fill = () => fillDemoBuilding(building.database.url("postgres"));
const count = async (table: string) => (await building.rows(`select from ${table}`)).length;

describe("the demo building", () => {
  it("has its people, an administrator, spots, windows and a claim", async () => {
    await fill();
    expect(await building.rows("select id from parking.profiles where is_admin")).toEqual([
      { id: people.ada.id },
    ]);
    expect(await count("parking.profiles")).toBe(Object.keys(people).length);
    expect(await count("parking.spots where is_verified")).toBe(2);
    expect(await count("parking.availabilities")).toBe(4);
    expect(await count("parking.claims where status = 'active'")).toBe(1);
  });

  it("is made once", async () => {
    await fill();
    await fill();
    expect(await count("parking.spots")).toBe(3);
  });

  it("is made whole or not at all, and then at the next start", async () => {
    const breakIt = "alter table parking.claims add constraint broken check (false)";
    await building.rows(breakIt);
    await expect(fill()).rejects.toThrow("broken");
    expect(await count("parking.profiles")).toBe(0);
    expect(await count("private.events")).toBe(0);

    await building.rows("alter table parking.claims drop constraint broken");
    await fill();
    expect(await count("parking.claims")).toBe(1);
  });
});
