import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { random } from "../support/random.ts";
import { writePastRules } from "../support/rows.ts";
import { clockOf, MINUTE, weekdayOf } from "./report-model.ts";

interface Hour {
  readonly weekday: number;
  readonly hour: number;
  readonly wished_minutes: number;
  readonly unmet_minutes: number;
  readonly share: number | null;
}
interface Wish {
  readonly person: Person;
  readonly start: number;
  readonly end: number;
  readonly isMet: boolean;
  readonly section?: string;
  readonly spotId?: string;
}

/** Clocks go an hour forward in Berlin, and half an hour back on Lord Howe Island. */
const FROM = "2025-03-28";
const UNTIL = "2025-04-08";
const zones = ["UTC", "Europe/Berlin", "Australia/Lord_Howe"];

const building = useBuilding();
const administrator = building.shared("administrator");
const people: Person[] = [];
beforeAll(async () => {
  for (let i = 0; i < 3; i++) people.push(await building.resident());
});
afterEach(() => building.rows("delete from parking.wishes"));

const keep = async ({ person, start, end, isMet, section, spotId }: Wish) =>
  writePastRules(
    building,
    `insert into parking.wishes
       (wisher_id, start_time, end_time, claim_id, building_section, spot_id)
     values ($1, $2, $3, case when $4 then uuidv7() end, $5, $6)`,
    [person.id, new Date(start), new Date(end), isMet, section ?? null, spotId ?? null],
  );

const report = async (from = FROM, until = UNTIL, section = ""): Promise<readonly Hour[]> => {
  const path = `/admin/reports/unmet-wishes?from=${from}&until=${until}${section}`;
  return (await administrator.get<{ hours: Hour[] }>(path, 200)).body.hours;
};
const total = (hours: readonly Hour[]) => [
  hours.reduce((sum, hour) => sum + hour.wished_minutes, 0),
  hours.reduce((sum, hour) => sum + hour.unmet_minutes, 0),
];

/** For each hour of the week, in how many minutes residents wished for a spot, and had none. */
function counted(wishes: readonly Wish[], zone: string): ReadonlyMap<string, [number, number]> {
  const clock = clockOf(zone);
  const counts = new Map<string, [number, number]>();
  for (const person of people) {
    const met = new Map<number, boolean>();
    for (const wish of wishes.filter((it) => it.person === person)) {
      for (let time = wish.start; time < wish.end; time += MINUTE) {
        met.set(time, (met.get(time) ?? false) || wish.isMet);
      }
    }
    for (const [time, isMet] of met) {
      const { day, hour } = clock(time);
      if (day < FROM || day >= UNTIL) continue;
      const key = `${weekdayOf(day)} ${hour}`;
      const [wished, unmet] = counts.get(key) ?? [0, 0];
      counts.set(key, [wished + 1, unmet + Number(!isMet)]);
    }
  }
  return counts;
}

describe("GET /admin/reports/unmet-wishes", () => {
  it.each(zones)("counts each minute of a resident once, in %s", async (zone) => {
    await building.rows("update parking.building set time_zone = $1", [zone]);
    const { below, pick } = random(11);
    const first = Date.parse(`${FROM}T00:00Z`) - 1_000 * MINUTE;
    const wishes = Array.from({ length: 30 }, (): Wish => {
      const start = first + below(18_000) * MINUTE;
      const end = start + (1 + below(3_000)) * MINUTE;
      return { person: pick(people), start, end, isMet: below(3) === 0 };
    });
    for (const wish of wishes) await keep(wish);
    const expected = counted(wishes, zone);

    const hours = await report();

    expect(hours).toHaveLength(7 * 24);
    for (const { weekday, hour, wished_minutes, unmet_minutes, share } of hours) {
      const [wished, unmet] = expected.get(`${weekday} ${hour}`) ?? [0, 0];
      expect([wished_minutes, unmet_minutes]).toEqual([wished, unmet]);
      expect(share).toBe(wished === 0 ? null : Math.round((unmet / wished) * 10_000) / 10_000);
    }
  });

  it("has only wishes of a section, or of a spot in it, where one is named", async () => {
    const [person] = people;
    if (!person) throw new Error("there is nobody");
    const [start, end] = [Date.parse(`${FROM}T10:00Z`), Date.parse(`${FROM}T11:00Z`)];
    const spot = await spotOf(person, "North");
    const at = (hour: number) => ({
      person,
      isMet: false,
      start: start + hour * 60 * MINUTE,
      end: end + hour * 60 * MINUTE,
    });
    await keep(at(0));
    await keep({ ...at(1), section: "North" });
    await keep({ ...at(2), section: "South" });
    await keep({ ...at(3), spotId: spot.id });

    expect(total(await report())).toEqual([240, 240]);
    expect(total(await report(FROM, UNTIL, "&section=North"))).toEqual([120, 120]);
    expect(total(await report(FROM, UNTIL, "&section=South"))).toEqual([60, 60]);
  });

  it("does not count what is to come, and takes a wish without end", async () => {
    const [person] = people;
    if (!person) throw new Error("there is nobody");
    const start = Date.now() - 90 * MINUTE;
    await keep({ person, isMet: false, start, end: Date.parse("9999-01-01T00:00Z") });
    const day = (days: number) =>
      new Date(Date.now() + days * 1440 * MINUTE).toISOString().slice(0, 10);

    const [wished = 0] = total(await report(day(-3), day(4)));
    expect(wished).toBeGreaterThanOrEqual(90);
    expect(wished).toBeLessThan(200);
    expect(total(await report(day(2), day(4)))).toEqual([0, 0]);
  });
});
