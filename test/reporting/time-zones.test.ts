import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { type Building, openBuilding, type Spot, spotOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";

let building: Building;
let reporter: Pool;
let owner: Person;
beforeAll(async () => {
  building = await openBuilding();
  reporter = new Pool({ connectionString: building.database.url("parking_reporter"), max: 1 });
  owner = await building.resident();
});
afterAll(async () => {
  await reporter.end();
  await building.close();
});

const DAY = 86_400_000;
/** A midnight UTC some days after today: reports look a year ahead. */
const midnight = (days: number): number => (Math.floor(Date.now() / DAY) + days) * DAY;
const first = midnight(30);
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** As PostgreSQL adds a year: to the 29th of February it adds one less a day. */
function aYearFromToday(): number {
  const today = new Date(midnight(0));
  const end = new Date(today);
  end.setUTCFullYear(today.getUTCFullYear() + 1);
  if (end.getUTCMonth() !== today.getUTCMonth()) end.setUTCDate(0);
  return end.getTime();
}

const publish = (spot: Spot, start: number, end: string) =>
  owner.post(
    "/availabilities",
    { spot_id: spot.id, start_time: new Date(start).toISOString(), end_time: end },
    201,
  );

const utilisation = async (spot: Spot) =>
  (
    await reporter.query(
      `select day::text, offered_hours::float, claimed_hours::float, utilisation::float
         from spot_utilisation where spot_id = $1 order by day`,
      [spot.id],
    )
  ).rows;

const sections = async (section: string) =>
  (
    await reporter.query(
      `select day::text, offered_hours::float from section_utilisation
        where building_section = $1 order by day`,
      [section],
    )
  ).rows;

const occupancy = async () =>
  (
    await reporter.query(
      `select weekday, hour, offered_hours::float, claimed_hours::float
         from occupancy_by_hour order by weekday, hour`,
    )
  ).rows;

describe("a report read in another time zone", () => {
  let spot: Spot;
  beforeAll(async () => {
    const claimer = await building.resident();
    spot = await spotOf(owner, "Zoned");
    // From 04:00 to 10:00 the day after the next: 20, 24 and 10 hours.
    const times = {
      start_time: new Date(first + 4 * 3_600_000).toISOString(),
      end_time: new Date(first + 58 * 3_600_000).toISOString(),
    };
    const { body } = await owner.post<{ availability: { id: string } }>(
      "/availabilities",
      { spot_id: spot.id, ...times },
      201,
    );
    await claimer.post("/claims", { availability_id: body.availability.id, ...times }, 201);
  });

  it.each(["UTC", "Asia/Kolkata", "America/Lima", "Pacific/Auckland"])(
    "has the days and hours of UTC: %s",
    async (zone) => {
      await reporter.query(`set timezone = '${zone}'`);

      expect(await utilisation(spot)).toEqual([
        { day: dayOf(first), offered_hours: 20, claimed_hours: 20, utilisation: 1 },
        { day: dayOf(first + DAY), offered_hours: 24, claimed_hours: 24, utilisation: 1 },
        { day: dayOf(first + 2 * DAY), offered_hours: 10, claimed_hours: 10, utilisation: 1 },
      ]);
      expect(await sections("Zoned")).toEqual([
        { day: dayOf(first), offered_hours: 20 },
        { day: dayOf(first + DAY), offered_hours: 24 },
        { day: dayOf(first + 2 * DAY), offered_hours: 10 },
      ]);
      const hoursOfWeek = Array.from({ length: 54 }, (_, hour) => {
        const time = new Date(first + (hour + 4) * 3_600_000);
        return {
          weekday: time.getUTCDay() || 7,
          hour: time.getUTCHours(),
          offered_hours: 1,
          claimed_hours: 1,
        };
      }).toSorted((a, b) => a.weekday - b.weekday || a.hour - b.hour);
      expect(await occupancy()).toEqual(hoursOfWeek);
    },
  );
});

describe("a window until the year 9999", () => {
  it("is reported for the year to come", async () => {
    const spot = await spotOf(owner, "For ever");
    await publish(spot, first, "9999-12-31T23:59:59.999Z");
    const end = aYearFromToday();
    const days = Math.round((end - first) / DAY);

    const rows = await utilisation(spot);

    expect(rows).toHaveLength(days);
    expect(rows.at(-1)).toMatchObject({ day: dayOf(end - DAY), offered_hours: 24 });
    const offered = (await occupancy()).map((row) => row.offered_hours);
    expect(offered.reduce((sum, hours) => sum + hours, 0)).toBe(days * 24 + 54);
  });

  it("that begins later is not reported", async () => {
    const spot = await spotOf(owner, "Later");
    await publish(spot, Date.parse("9999-01-01"), "9999-12-31T23:59:59.999Z");
    expect(await utilisation(spot)).toEqual([]);
  });
});
