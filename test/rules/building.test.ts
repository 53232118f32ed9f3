import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { noLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});

const set = (assignments: string, values: readonly unknown[] = []): Statement => [
  `update parking.building set ${assignments}`,
  values,
];
const stored = async () => {
  const [row] = await building.rows("select * from parking.building");
  return row;
};

describe("the building", () => {
  it("has no limits but five minutes of grace, and is in UTC, unless it says otherwise", async () => {
    const { rows } = await resident.sql("select * from parking.buildings");
    expect(rows).toMatchObject([
      { ...noLimits, grace_minutes: 5, time_zone: "UTC", name: "The building" },
    ]);
  });

  it("is changed by an administrator and by no resident", async () => {
    const before = await stored();

    expect(await resident.sqlError(...set("name = 'Mine'"))).toMatchObject(
      refusedBy("administrator_required", "42501"),
    );
    expect(await stored()).toEqual(before);

    expect(await administrator.sql(...set("name = 'Linden 5'"))).toMatchObject({ rowCount: 1 });
    expect(await stored()).toMatchObject({ name: "Linden 5", updated_at: expect.any(Date) });
    expect((await stored())?.updated_at).not.toEqual(before?.updated_at);
  });
});
