import { expect } from "@jest/globals";
import { type Building, type Claim, type Spot, spotOf } from "../../support/building.ts";
import { type Series, seriesOf } from "../../support/claim-series.ts";
import { freeOf, freeSpans, type Shown, shownOf, type Times } from "../../support/free-time.ts";
import {
  dayAfter,
  everyDay,
  type Pattern,
  type PatternDay,
  publishPatterns,
  setPatternDays,
} from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { type Random, random } from "../../support/random.ts";
import { everything } from "../../support/rows.ts";
import { dayLater, type Hours, spansOf, weekdayOf } from "./clock.ts";
import { inWords, minus, type Span, type Spans, union } from "./spans.ts";

export interface Settings {
  readonly zone: string;
  readonly keepsRest: boolean;
}

/** What people said of one spot. What is free follows from it. */
interface Week extends Settings {
  readonly building: Building;
  readonly spot: Spot;
  readonly owner: Person;
  readonly claimer: Person;
  readonly patterns: Map<string, Hours>;
  readonly shares: Map<string, Span>;
  readonly keeps: Map<string, Span>;
  readonly byHand: Map<string, Span>;
  /** When each claim is, and what it takes. */
  readonly claims: Map<string, { readonly window: string; during: Span; takes: Span }>;
  days: number;
}

const HOUR = 3_600_000;
const timesOf = ([from, to]: Span): Times => ({
  start_time: new Date(from).toISOString(),
  end_time: new Date(to).toISOString(),
});
const spanOf = ({ start_time, end_time }: Times): Span => [
  Date.parse(start_time),
  Date.parse(end_time),
];

/** Offered is what is shared, without what is kept; free is what of it nobody took. */
async function expectedOf(week: Week): Promise<Spans> {
  const { body } = await week.owner.get<{ patterns: Pattern[] }>(
    `/patterns?spot_id=${week.spot.id}`,
    200,
  );
  const ofPatterns = body.patterns.map(({ id, published_until }) => {
    const hours = week.patterns.get(id);
    if (!hours) throw new Error("nobody made this pattern");
    // It is set as soon as there is a pattern: otherwise nothing would be expected of it.
    expect(published_until).not.toBeNull();
    return spansOf(week.zone, hours, published_until ?? "");
  });
  expect(body.patterns).toHaveLength(week.patterns.size);
  const shared = union(...ofPatterns, [...week.shares.values()], [...week.byHand.values()]);
  const taken = [...week.claims.values()].map(({ takes }) => takes);
  return minus(minus(shared, [...week.keeps.values()]), taken);
}

const readFree = async ({ claimer, spot }: Week): Promise<Spans> =>
  (await freeSpans(claimer, spot)).map(spanOf);

type Step = (week: Week, chance: Random) => Promise<unknown>;
const pickOf = <T>(chance: Random, rows: ReadonlyMap<string, T>): [string, T] | undefined =>
  rows.size > 0 ? chance.pick([...rows]) : undefined;

/** From one full hour to another, three to nine days ahead. */
const someSpan = (chance: Random, longest = 30): Span => {
  const from = Date.parse(`${dayAfter(3)}T00:00:00Z`) + chance.below(140) * HOUR;
  return [from, from + (1 + chance.below(longest)) * HOUR];
};
const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
const someHours = (chance: Random) => ({
  starts_at: clock(6 + chance.below(18)),
  ends_at: clock(6 + chance.below(18)),
});

const sharePattern: Step = async (week, chance) => {
  const first_day = dayAfter(3 + chance.below(4));
  const last_day = dayLater(first_day, chance.below(5));
  const days = Array.from({ length: 5 }, (_, i) => dayLater(first_day, i));
  const open = days.filter((day) => day <= last_day && (day === first_day || chance.below(3) > 0));
  const hours = { ...someHours(chance), first_day, last_day, weekdays: open.map(weekdayOf) };
  const body = { spot_id: week.spot.id, ...hours };

  const before = await readFree(week);
  const preview = await week.owner.post<{ days: PatternDay[] }>("/patterns/preview", body, 200);
  expect(await readFree(week)).toEqual(before);
  const { pattern } = (await week.owner.post<{ pattern: Pattern }>("/patterns", body, 201)).body;
  week.patterns.set(pattern.id, hours);
  const published = preview.body.days.filter(({ outcome }) => outcome === "published").map(spanOf);
  expect(inWords(union(before, published))).toBe(inWords(await readFree(week)));
};
const changePattern: Step = async (week, chance) => {
  const [id, hours] = pickOf(chance, week.patterns) ?? [];
  if (!id || !hours) return;
  const changed = someHours(chance);
  await week.owner.put(`/patterns/${id}`, changed, 200);
  week.patterns.set(id, { ...hours, ...changed });
};
const sayAgain: Step = async ({ owner, spot, patterns }, chance) => {
  const [id, hours] = pickOf(chance, patterns) ?? [];
  if (!id || !hours) return;
  const before = await shownOf(owner, spot);
  const { starts_at, ends_at } = hours;
  await owner.put(`/patterns/${id}`, { starts_at, ends_at }, 200);
  expect(await shownOf(owner, spot)).toEqual(before);
};
const endPattern: Step = async ({ owner, patterns }, chance) => {
  const [id] = pickOf(chance, patterns) ?? [];
  if (!id) return;
  await owner.delete(`/patterns/${id}`, 200);
  patterns.delete(id);
};

const except =
  (kind: "keep" | "share"): Step =>
  async ({ owner, spot, keeps, shares }, chance) => {
    const span = someSpan(chance);
    const body = { spot_id: chance.pick([spot.id, null]), kind, ...timesOf(span) };
    const made = await owner.post<{ exception: { id: string } }>("/exceptions", body, 201);
    (kind === "keep" ? keeps : shares).set(made.body.exception.id, span);
  };
const endException: Step = async ({ owner, keeps, shares }, chance) => {
  const rows = chance.below(2) ? keeps : shares;
  const [id] = pickOf(chance, rows) ?? [];
  if (!id) return;
  await owner.delete(`/exceptions/${id}`, 200);
  rows.delete(id);
};

const publish: Step = async ({ owner, spot, byHand }, chance) => {
  const span = someSpan(chance, 12);
  const body = { spot_id: spot.id, ...timesOf(span) };
  const { status, body: made } = await owner.post<{ availability: Shown }>("/availabilities", body);
  expect([201, 409]).toContain(status);
  if (status === 201) byHand.set(made.availability.id, span);
};
const move: Step = async ({ owner, byHand, claims }, chance) => {
  const [id, [from, to] = [0, 0]] = pickOf(chance, byHand) ?? [];
  if (!id) return;
  const end = chance.below(2) ? to + HOUR : Math.max(from + HOUR, to - HOUR);
  const { status } = await owner.put(`/availabilities/${id}`, timesOf([from, end]));
  if ([...claims.values()].some(({ window }) => window === id)) expect(status).toBe(400);
  else expect([200, 409]).toContain(status);
  if (status === 200) byHand.set(id, [from, end]);
};
const withdraw: Step = async ({ owner, byHand, claims }, chance) => {
  const [id] = pickOf(chance, byHand) ?? [];
  if (!id) return;
  const isHeld = [...claims.values()].some(({ window }) => window === id);
  await owner.delete(`/availabilities/${id}`, isHeld ? 400 : 200);
  if (!isHeld) byHand.delete(id);
};

/** What is free is never refused. */
const claim: Step = async ({ claimer, spot, claims, keepsRest }, chance) => {
  const free = (await shownOf(claimer, spot)).flatMap((window) =>
    freeOf(window).map((times) => ({ window: window.id, span: spanOf(times) })),
  );
  if (free.length === 0) return;
  const { window, span } = chance.pick(free);
  const quarter = (span[1] - span[0]) / 4;
  const during: Span = [
    span[0] + Math.floor(chance.below(3) * quarter),
    span[1] - Math.floor(chance.below(2) * quarter),
  ];
  const body = { availability_id: window, ...timesOf(during) };
  const made = (await claimer.post<{ claim: Claim }>("/claims", body, 201)).body.claim;
  expect(made.availability_id).toBe(window);
  claims.set(made.id, { window, during, takes: keepsRest ? during : span });
};
/** Claims what is free of each day, as the preview says; of a window of which all is taken, once. */
const claimSeries: Step = async (week, chance) => {
  const { claimer, spot, claims, keepsRest, zone } = week;
  const first_day = dayAfter(3 + chance.below(4));
  const last_day = dayLater(first_day, chance.below(5));
  const hours = { ...someHours(chance), first_day, last_day, weekdays: everyDay };
  const body = { spot_id: spot.id, ...hours };
  let free = (await shownOf(claimer, spot)).flatMap((window) =>
    freeOf(window).map((times) => ({ window: window.id, span: spanOf(times) })),
  );
  const expected = spansOf(zone, hours, last_day).flatMap((during) => {
    const found = free.find(({ span }) => span[0] <= during[0] && during[1] <= span[1]);
    if (!found) return [];
    const takes = keepsRest ? during : found.span;
    free = free.flatMap(({ window, span }) =>
      minus([span], [takes]).map((rest) => ({ window, span: rest })),
    );
    return { window: found.window, during, takes };
  });

  const before = await readFree(week);
  const { days } = (await claimer.post<Series>("/claims/series/preview", body, 200)).body;
  expect(await readFree(week)).toEqual(before);
  expect(days.flatMap((day) => (day.spot_number === null ? [] : [spanOf(day)]))).toEqual(
    expected.map(({ during }) => during),
  );
  if (expected.length === 0) return claimer.post("/claims/series", body, 409);
  const made = await seriesOf(claimer, body);
  expect(made.days).toEqual(days);
  const path = `/claims/series/${made.series_id}`;
  const { body: all } = await claimer.get<{ claims: readonly Claim[] }>(path, 200);
  for (const [i, { id }] of all.claims.entries()) {
    const it = expected[i];
    if (it) claims.set(id, it);
  }
};
const shorten: Step = async ({ claimer, claims, keepsRest }, chance) => {
  const [id, it] = pickOf(chance, claims) ?? [];
  if (!id || !it) return;
  const [from, to] = it.during;
  const during: Span = [from, to - Math.floor((to - from) / 3)];
  await claimer.put(`/claims/${id}`, timesOf(during), 200);
  claims.set(id, { ...it, during, takes: keepsRest ? during : it.takes });
};
const giveBack: Step = async ({ claimer, claims }, chance) => {
  const [id] = pickOf(chance, claims) ?? [];
  if (!id) return;
  if (chance.below(3) === 0) await claimer.delete(`/claims/${id}`, 200);
  else await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);
  claims.delete(id);
};
const wish: Step = async ({ claimer }, chance) =>
  claimer.post("/wishes", timesOf(someSpan(chance, 4)), 201);

/** Days come near; a second run of the job changes nothing. */
const letDaysPass: Step = async (week) => {
  week.days += 1;
  await setPatternDays(week.building, week.days);
  await publishPatterns(week.building);
  const rows = await everything(week.building);
  await publishPatterns(week.building);
  expect(await everything(week.building)).toEqual(rows);
};

const steps: readonly Step[] = [
  ...[sharePattern, sharePattern, changePattern, sayAgain, endPattern],
  ...[except("keep"), except("keep"), except("share"), except("share"), endException, endException],
  ...[publish, publish, move, withdraw, letDaysPass, wish],
  ...[claim, claim, claim, claim, claimSeries, claimSeries, shorten, giveBack, giveBack, giveBack],
];

/** A free week of steps at random; after each, offered is free, taken and kept. */
export async function liveWeek(
  building: Building,
  owner: Person,
  claimer: Person,
  settings: Settings,
  seed: number,
  count: number,
): Promise<void> {
  const chance = random(seed);
  const week: Week = {
    ...settings,
    building,
    ...{ owner, claimer, spot: await spotOf(owner) },
    ...{ patterns: new Map(), shares: new Map(), keeps: new Map() },
    ...{ byHand: new Map(), claims: new Map(), days: 5 },
  };
  await setPatternDays(building, week.days);
  for (let i = 0; i < count; i++) {
    const step = chance.pick(steps);
    const where = `seed ${seed}, step ${i}, ${step.name}: `;
    try {
      await step(week, chance);
    } catch (error) {
      throw new Error(where, { cause: error });
    }
    expect(where + inWords(await readFree(week))).toBe(where + inWords(await expectedOf(week)));
    // Windows by hand are shown to their owner as they were offered.
    const shown = new Map((await shownOf(owner, week.spot)).map((it) => [it.id, spanOf(it)]));
    for (const [id, span] of week.byHand) expect(shown.get(id)).toEqual(span);
  }
}
