import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { fillDemoBuilding } from "../../../src/development/demo-building.ts";
import { people } from "../../../src/development/people.ts";
import { contradictions } from "../../concurrency/consistency.ts";
import { type Building, openBuilding } from "../../support/building.ts";

let building: Building;
beforeEach(async () => {
  building = await openBuilding({ connections: 1 });
});
afterEach(() => building.close());

const fill = (moment?: Date) => fillDemoBuilding(building.database.url("postgres"), moment);
const count = async (table: string) => (await building.rows(`select from ${table}`)).length;

describe("the demo building", () => {
  it("has its people and an administrator", async () => {
    await fill();
    expect(await building.rows("select id from parking.profiles where is_admin")).toEqual([
      { id: people.ada.id },
    ]);
    expect(await count("parking.profiles")).toBe(Object.keys(people).length);
    expect(await count("parking.profiles where is_approved")).toBe(12);
  });

  it("has spots in sections", async () => {
    await fill();
    expect(
      await building.rows(
        `select building_section as section, count(*)::integer, count(*) filter (where is_verified)::integer as verified
           from parking.spots group by 1 order by 1`,
      ),
    ).toEqual([
      { section: "Courtyard", count: 10, verified: 8 },
      { section: "North garage", count: 10, verified: 10 },
      { section: "South garage", count: 10, verified: 9 },
    ]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    "has windows and claims of the past and to come, %s days from now",
    async (days) => {
      const moment = new Date(Date.now() + days * 86_400_000);
      await fill(moment);
      const now = `timestamptz '${moment.toISOString()}'`;
      for (const [table, least] of [
        [`parking.availabilities where end_time < ${now}`, 500],
        [`parking.availabilities where start_time > ${now} and not is_claimed`, 150],
        ["parking.claims where status = 'completed'", 200],
        ["parking.claims where status = 'cancelled'", 20],
        [`parking.claims where status = 'active' and start_time > ${now}`, 25],
        ["parking.notifications where not is_read", 30],
      ] as const) {
        expect([table, (await count(table)) >= least]).toEqual([table, true]);
      }
    },
  );

  it("has limits and a time zone, and leaves its residents claims to make", async () => {
    await fill();
    const [limits] = await building.rows("select * from parking.buildings");
    expect(Object.entries(limits ?? {}).filter(([, value]) => value === null)).toEqual([]);
    expect(limits).toMatchObject({ time_zone: "Europe/Berlin", most_active_claims: 10 });
    const [most] = await building.rows<{ most: number }>(
      `select max(count)::integer as most
         from (select count(*) from parking.claims where status = 'active' group by claimer_id) c`,
    );
    expect(most?.most).toBeLessThan(10);
  });

  it("has a past that follows the rules, although no rule looked at it", async () => {
    await fill();
    expect(await building.rows(contradictions)).toEqual([]);
  });

  it("counts its past in the totals of lists, although no trigger counted it", async () => {
    await fill();
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });

  it("is made once", async () => {
    await fill();
    await fill();
    expect(await count("parking.spots")).toBe(30);
  });

  it("is made whole or not at all, and then at the next start", async () => {
    const breakIt = "alter table parking.claims add constraint broken check (false)";
    await building.rows(breakIt);
    await expect(fill()).rejects.toThrow("broken");
    expect(await count("parking.profiles")).toBe(0);
    expect(await count("private.events")).toBe(0);

    await building.rows("alter table parking.claims drop constraint broken");
    await fill();
    expect(await count("parking.claims")).toBeGreaterThan(0);
  });
});
