import { patternsJob } from "../../src/jobs/patterns.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Building, Spot, Window } from "./building.ts";
import { hours } from "./building.ts";
import type { Person } from "./person.ts";

export interface Pattern {
  readonly id: string;
  readonly spot_id: string;
  readonly weekdays: readonly string[];
  readonly starts_at: string;
  readonly ends_at: string;
  readonly first_day: string;
  readonly last_day: string | null;
  readonly published_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PatternDay {
  readonly day: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly outcome: string;
  readonly reason: string | null;
}

/** The day, in UTC, that comes this many days after the one on which the test file began. */
export const dayAfter = (days: number): string => hours(24 * days).slice(0, 10);

export const everyDay = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** The body of a POST: every day from 8 to 18 o'clock, on three days that lie ahead. */
export const threeDays = ({ id }: Pick<Spot, "id">) => ({
  spot_id: id,
  weekdays: everyDay,
  starts_at: "08:00",
  ends_at: "18:00",
  first_day: dayAfter(3),
  last_day: dayAfter(5),
});

export async function patternOf(owner: Person, body: object): Promise<Pattern> {
  return (await owner.post<{ pattern: Pattern }>("/patterns", body, 201)).body.pattern;
}

export async function previewOf(owner: Person, body: object): Promise<readonly PatternDay[]> {
  return (await owner.post<{ days: PatternDay[] }>("/patterns/preview", body, 200)).body.days;
}

/** The windows of a spot, in order. */
export async function windowsOf(
  owner: Person,
  { id }: Pick<Spot, "id">,
): Promise<readonly (Window & { readonly pattern_id?: string })[]> {
  type Page = { availabilities: (Window & { pattern_id?: string })[] };
  return (await owner.get<Page>(`/availabilities?spot_id=${id}&limit=200`, 200)).body
    .availabilities;
}

/** Sets how many days are published. */
export const setPatternDays = (building: Building, days: number) =>
  building.rows("update parking.building set pattern_days = $1", [days]);

/** Moves the building to another time zone. */
export const setZone = (building: Building, zone: string) =>
  building.rows("update parking.building set time_zone = $1", [zone]);

const logger = createLogger("silent");

/** Runs the job that publishes the days that have come near, once. */
export const publishPatterns = ({ service }: Building, overdue_seconds = 0) =>
  patternsJob(service.pool, logger).attempt(
    {
      id: "",
      kind: "patterns",
      key: "timed",
      event_id: null,
      data: {},
      attempts: 1,
      failures: 0,
      overdue_seconds,
    },
    new AbortController().signal,
  );
