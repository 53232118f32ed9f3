import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
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

describe("a report of a building in another time zone", () => {
  let spot: Spot;
  beforeEach(async () => {
    spot = await spotOf(owner);
  });
  afterEach(async () => {
    await owner.delete(`/parking-spots/${spot.id}`, 200);
    await setZone("UTC");
  });
  const setZone = (zone: string) =>
    building.rows("update parking.building set time_zone = $1", [zone]);

  /** What publishing these windows adds to an hour of the week. */
  async function addedTo(weekday: number, hour: number, publishAll: () => Promise<unknown>) {
    const offered = async () =>
      (await occupancy()).find((row) => row.weekday === weekday && row.hour === hour)
        ?.offered_hours ?? 0;
    const before = await offered();
    await publishAll();
    return (await offered()) - before;
  }

  it("has the days and hours of that zone", async () => {
    await setZone("Asia/Kolkata");
    // In Kolkata from 09:30 to 12:30 on the next day.
    const end = new Date(first + 31 * 3_600_000).toISOString();
    const weekday = new Date(first).getUTCDay() || 7;

    const added = await addedTo(weekday, 9, () => publish(spot, first + 4 * 3_600_000, end));

    expect(added).toBe(0.5);
    expect(await utilisation(spot)).toMatchObject([
      { day: dayOf(first), offered_hours: 14.5 },
      { day: dayOf(first + DAY), offered_hours: 12.5 },
    ]);
  });

  it("has 23 or 25 hours on a day on which the clocks change", async () => {
    await setZone("Europe/Berlin");
    const [change] = await building.rows<{ day: string; start: Date; end: Date; hours: number }>(
      `select d.day::text, d.start, d.end, (extract(epoch from d.end - d.start) / 3600)::integer as hours
         from (
           select g.t::date as day,
                  g.t at time zone 'Europe/Berlin' as start,
                  (g.t + interval '1 day') at time zone 'Europe/Berlin' as "end"
             from generate_series(
                    current_date::timestamp + interval '2 days',
                    current_date::timestamp + interval '300 days',
                    interval '1 day'
                  ) as g (t)
         ) d
        where d.end - d.start <> interval '24 hours'
        order by d.day`,
    );
    if (!change) throw new Error("the clocks change twice a year");
    const { day, start, end, hours } = change;

    // At two o'clock on a Sunday, or from three to two, they change.
    const added = await addedTo(7, 2, () => publish(spot, start.getTime(), end.toISOString()));

    expect(added).toBe(hours - 23);
    expect(await utilisation(spot)).toMatchObject([{ day, offered_hours: hours }]);
  });
});

it("a window until the year 9999 is reported for the year to come", async () => {
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
