import { afterEach, expect, it } from "@jest/globals";
import { hours, type Spot, spotOf, useBuilding } from "../support/building.ts";
import { expectOrder, free } from "../support/exceptions.ts";
import { freeOf, joined, shownOf, take } from "../support/free-time.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  everyDay,
  type PatternDay,
  publishPatterns,
  setPatternDays,
  setZone,
  threeDays,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { type Random, random } from "../support/random.ts";
import { everything } from "../support/rows.ts";

const ROUNDS = Number(process.env.RECONCILE_ROUNDS ?? 6);
const ZONES = ["UTC", "Europe/Berlin", "Australia/Lord_Howe"] as const;

const building = useBuilding();
afterEach(() => expectOrder(building));
const limitsOf = ({ below, pick }: Random) => ({
  longest_window_days: pick([null, null, 1, 3]),
  shortest_claim_minutes: pick([null, null, 45, 240]),
  horizon_days: pick([null, null, 4, 30 + below(9)]),
});

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
/** A pattern of any hours, all 24 too, from a day that may be past. */
const patternOf = ({ id }: Spot, { below, pick }: Random) => {
  const starts = below(24);
  return {
    spot_id: id,
    weekdays: pick([everyDay, ["MO", "WE", "FR", "SU"]]),
    starts_at: clock(starts),
    ends_at: clock(pick([starts, below(24)])),
    first_day: dayAfter(below(6) - 3),
    last_day: pick([null, dayAfter(20)]),
  };
};
const spanOf = ({ below }: Random, earliest: number) => {
  const from = earliest + below(120 - earliest);
  return { start_time: hours(from), end_time: hours(from + 1 + below(40)) };
};

/** Anything that the owner or a neighbour may do to the spot; some of it is refused. */
async function step(owner: Person, neighbour: Person, spot: Spot, chance: Random): Promise<void> {
  const { below, pick } = chance;
  const spans = await free(neighbour, spot);
  const windows = await building.rows<{ id: string }>(
    "select id from parking.availabilities where spot_id = $1 and start_time > now()",
    [spot.id],
  );
  const statement = (sql: string, ...values: readonly unknown[]) =>
    owner.sql(sql, values).catch(() => {});
  const plan = (table: string) =>
    `(select id from parking.${table} where owner_id = '${owner.id}' order by id limit 1 offset ${below(2)})`;
  const acts: readonly (() => Promise<unknown>)[] = [
    () => owner.post("/patterns", patternOf(spot, chance)),
    () =>
      owner.post("/exceptions", {
        kind: pick(["keep", "share"]),
        spot_id: pick([spot.id, null]),
        ...spanOf(chance, -20),
      }),
    () => owner.post("/availabilities", { spot_id: spot.id, ...spanOf(chance, 1) }),
    async () => spans.length > 0 && take(neighbour, spot, pick(spans)).catch(() => {}),
    () =>
      neighbour.sql(
        "update parking.claims set status = 'cancelled' where status = 'active' and random() < 0.5",
      ),
    () => owner.delete(`/availabilities/${windows[below(windows.length)]?.id}`),
    () =>
      statement(
        "update parking.availabilities set end_time = end_time - interval '1 hour' where id = $1",
        windows[below(windows.length)]?.id,
      ),
    () => statement(`delete from parking.patterns where id = ${plan("patterns")}`),
    () => statement(`delete from parking.exceptions where id = ${plan("exceptions")}`),
    () =>
      statement(
        `update parking.patterns set starts_at = '${clock(below(24))}' where id = ${plan("patterns")}`,
      ),
    async () => {
      await setZone(building, pick(ZONES));
      await publishPatterns(building);
    },
  ];
  await acts[below(acts.length)]?.();
}

it.each(Array.from({ length: ROUNDS }, (_, seed) => seed))(
  "whatever was done, a second time changes nothing, and a preview is what happens (%i)",
  async (seed) => {
    const chance = random(seed);
    await setLimits(building, limitsOf(chance));
    await setPatternDays(building, chance.pick([5, 9, 28]));
    await setZone(building, chance.pick(ZONES));
    const owner = await building.resident();
    const neighbour = await building.resident();
    const spot = await spotOf(owner);
    // Said again, it has the spot set anew. It publishes nothing itself.
    const later = { ...threeDays(spot), first_day: dayAfter(300), last_day: dayAfter(301) };
    await owner.post("/patterns", later, 201);
    for (let i = 0; i < 14; i++) {
      await step(owner, neighbour, spot, chance);
      const before = await everything(building);
      await owner.sql("update parking.patterns set weekdays = weekdays where spot_id = $1", [
        spot.id,
      ]);
      expect(await everything(building)).toEqual(before);
    }

    const body = patternOf(spot, chance);
    const preview = await owner.post<{ days: PatternDay[] }>("/patterns/preview", body);
    const made = await owner.post<{ pattern: { id: string } }>("/patterns", body);
    expect(made.status).toBe(preview.status === 200 ? 201 : preview.status);
    if (made.status !== 201) return;
    const windows = await owner.get<{ availabilities: { id: string; pattern_id?: string }[] }>(
      `/availabilities?spot_id=${spot.id}&limit=200`,
      200,
    );
    const own = new Set(
      windows.body.availabilities
        .filter(({ pattern_id }) => pattern_id === made.body.pattern.id)
        .map(({ id }) => id),
    );
    const published = preview.body.days.filter(({ outcome }) => outcome === "published");
    const offered = (await shownOf(owner, spot)).filter(({ id }) => own.has(id)).flatMap(freeOf);
    expect(joined(offered)).toEqual(
      joined(published.map(({ start_time, end_time }) => ({ start_time, end_time }))),
    );
  },
);
