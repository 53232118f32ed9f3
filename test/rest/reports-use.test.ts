import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import { random } from "../support/random.ts";
import { writePastRules } from "../support/rows.ts";
import { clockOf, MINUTE, minutesBy, type Span, weekdayOf } from "./report-model.ts";

interface Used {
  readonly offered_minutes: number;
  readonly claimed_minutes: number;
  readonly share: number | null;
}
interface Hour extends Used {
  readonly weekday: number;
  readonly hour: number;
}
interface Section extends Used {
  readonly building_section: string;
  readonly first_day: string;
}

/** Clocks go an hour forward in Berlin, and half an hour back on Lord Howe Island. */
const FROM = "2025-03-20";
const UNTIL = "2025-04-12";
const sections = ["North", "=South", "West"];
const zones = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"];

const building = useBuilding();
const administrator = building.shared("administrator");
const offered: Span[] = [];
const claimed: Span[] = [];

beforeAll(async () => {
  for (const section of sections) {
    for (let number = 0; number < 2; number++) await fill(await spotOf(administrator, section));
  }
});

const { below, pick } = random(7);

/** Windows one after the other, before, in and after the period; more than half are claimed. */
async function fill(spot: Spot): Promise<void> {
  const section = spot.building_section;
  const last = Date.parse("2025-04-20T00:00Z");
  const rows = [];
  let time = Date.parse("2025-03-10T00:00Z") + below(5000) * MINUTE;
  while (time < last) {
    const minutes = 1 + below(pick([300, 9000]));
    const window = { section, start: time, end: time + minutes * MINUTE };
    const start = time + below(minutes) * MINUTE;
    const end = start + (1 + below((window.end - start) / MINUTE)) * MINUTE;
    const status = pick(["none", "active", "completed", "completed", "cancelled"]);
    const isClaimed = status === "active" || status === "completed";
    offered.push(window);
    if (isClaimed) claimed.push({ section, start, end });
    rows.push({
      start_time: new Date(window.start),
      end_time: new Date(window.end),
      claim_start: new Date(start),
      claim_end: new Date(end),
      status,
      is_claimed: isClaimed,
    });
    time = window.end + (below(3) === 0 ? 0 : below(4000)) * MINUTE;
  }
  const { id: claimerId } = await building.resident();
  await insert(spot, claimerId, JSON.stringify(rows));
}

const insert = (spot: Spot, claimerId: string, rows: string) =>
  writePastRules(
    building,
    `with given as (
       select uuidv7() as id, r.*
         from jsonb_to_recordset($4) as r (
           start_time timestamptz, end_time timestamptz,
           claim_start timestamptz, claim_end timestamptz, status text, is_claimed boolean
         )
     ),
     windows as (
       insert into parking.availabilities (id, spot_id, owner_id, start_time, end_time, is_claimed)
       select g.id, $1, $2, g.start_time, g.end_time, g.is_claimed from given g
     )
     insert into parking.claims
       (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, status, takes)
     select g.id, $1, $2, $3, g.claim_start, g.claim_end, g.status, tstzrange(g.start_time, g.end_time)
       from given g
      where g.status <> 'none'`,
    [spot.id, spot.owner_id, claimerId, rows],
  );

const setZone = (zone: string) =>
  building.rows("update parking.building set time_zone = $1", [zone]);

const period = `from=${FROM}&until=${UNTIL}`;
const hours = async (query = "") =>
  (await administrator.get<{ hours: Hour[] }>(`/admin/reports/use-by-hour?${period}${query}`, 200))
    .body.hours;
const days = async (query = "") =>
  (
    await administrator.get<{ sections: Section[] }>(
      `/admin/reports/use-by-section?${period}${query}`,
      200,
    )
  ).body.sections;

/** What the model counts for each key that has an offered minute. */
function expected(keyOf: (time: number, section: string) => string | undefined) {
  const claims = minutesBy(claimed, keyOf);
  return Object.fromEntries(
    Array.from(minutesBy(offered, keyOf), ([key, minutes]) => [
      key,
      [minutes, claims.get(key) ?? 0],
    ]),
  );
}

/** The same of a report; a row without an offered minute has no share, and no claimed minute. */
function counted<Row extends Used>(rows: readonly Row[], keyOf: (row: Row) => string) {
  for (const { offered_minutes, claimed_minutes, share } of rows) {
    const exact = offered_minutes === 0 ? null : claimed_minutes / offered_minutes;
    expect(share).toEqual(exact === null ? null : expect.closeTo(exact, 3));
    if (exact === null) expect(claimed_minutes).toBe(0);
  }
  return Object.fromEntries(
    rows
      .filter(({ offered_minutes }) => offered_minutes > 0)
      .map((row) => [keyOf(row), [row.offered_minutes, row.claimed_minutes]]),
  );
}

const isIn = (day: string) => day >= FROM && day < UNTIL;

describe.each(zones)("the use of a building in the zone %s", (zone) => {
  const clock = clockOf(zone);
  beforeAll(async () => {
    await setZone(zone);
  });

  it("is counted by hour of the week as a model counts it", async () => {
    const rows = await hours();

    expect(rows).toHaveLength(168);
    expect(counted(rows, ({ weekday, hour }) => `${weekday} ${hour}`)).toEqual(
      expected((time) => {
        const { day, hour } = clock(time);
        return isIn(day) ? `${weekdayOf(day)} ${hour}` : undefined;
      }),
    );
  });

  it("is counted by section and day as a model counts it", async () => {
    expect(counted(await days(), (row) => `${row.building_section} ${row.first_day}`)).toEqual(
      expected((time, section) => {
        const { day } = clock(time);
        return isIn(day) ? `${section} ${day}` : undefined;
      }),
    );
  });
});

describe("the use of one section", () => {
  beforeAll(async () => {
    await setZone("Europe/Berlin");
  });
  const clock = clockOf("Europe/Berlin");

  it("is counted by hour of the week", async () => {
    const rows = await hours("&section=West");

    expect(counted(rows, ({ weekday, hour }) => `${weekday} ${hour}`)).toEqual(
      expected((time, section) => {
        const { day, hour } = clock(time);
        return section === "West" && isIn(day) ? `${weekdayOf(day)} ${hour}` : undefined;
      }),
    );
  });
});
