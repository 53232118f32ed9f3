import type { Spot } from "./building.ts";
import { dayAfter, everyDay, patternOf, threeDays } from "./patterns.ts";
import type { Person } from "./person.ts";

export interface SeriesDay {
  readonly day: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly spot_number: string | null;
  readonly availability_id: string | null;
  readonly reason: string | null;
}
export interface Series {
  readonly series_id: string;
  readonly days: readonly SeriesDay[];
}

/** The body of a POST: from 9 to 12 o'clock on the three days of {@link threeDays}. */
export const series = (more: object = {}) => ({
  weekdays: everyDay,
  starts_at: "09:00",
  ends_at: "12:00",
  first_day: dayAfter(3),
  last_day: dayAfter(5),
  ...more,
});

export const seriesOf = async (claimer: Person, body: object): Promise<Series> =>
  (await claimer.post<Series>("/claims/series", body, 201)).body;

/** Three claims of a spot, which its owner shares on three days. */
export async function threeClaims(owner: Person, spot: Spot, claimer: Person): Promise<Series> {
  await patternOf(owner, threeDays(spot));
  return seriesOf(claimer, series({ spot_id: spot.id }));
}
