import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";

/** From when on the clocks of a zone have an offset from UTC, in minutes, as PostgreSQL knows it. */
export interface ClockOffset {
  readonly since: Date;
  readonly minutes: number;
}

const DAY = 86_400_000;

/**
 * Why times of a zone that PostgreSQL knows would be read in two ways: it publishes and counts by it, and
 * this program writes mails. Undefined where both agree for two years.
 */
export async function zoneProblem(pool: Pool, zone: string): Promise<string | undefined> {
  const { rows } = await pool.query<ClockOffset>(
    "select since, minutes from private.clock_offsets($1, now(), now() + interval '2 years')",
    [zone],
  );
  return differenceOf(zone, rows);
}

/** Says at the start what would be read in two ways. */
export async function noticeZone(pool: Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ zone: string }>(
    "select (private.building()).time_zone as zone",
  );
  const problem = rows[0] && (await zoneProblem(pool, rows[0].zone));
  if (problem) logger.warn(`time zone: ${problem}; choose another one for the building`);
}

/** Compares each day, and each change to the quarter of an hour. */
export function differenceOf(zone: string, offsets: readonly ClockOffset[]): string | undefined {
  const own = offsetsOf(zone);
  if (own === undefined) return `${zone} is not known to the service`;
  const times = offsets.map(({ since }) => since.getTime());
  const [first = 0] = times;
  const days = Array.from({ length: 731 }, (_, day) => first + day * DAY);
  const around = times.slice(1).flatMap((it) => [it - 1, it]);
  for (const time of [...days, ...around].sort((a, b) => a - b)) {
    const known = offsets.findLast(({ since }) => since.getTime() <= time)?.minutes ?? 0;
    if (own(time) !== known)
      return `${zone} is ${written(known)} for PostgreSQL and ${written(own(time))} for the service at ${new Date(time).toISOString()}`;
  }
  return undefined;
}

function offsetsOf(timeZone: string): ((time: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
    return (time) => {
      const [, sign, hours, minutes] =
        /GMT([+-])(\d\d):(\d\d)/.exec(format.format(time)) ?? ([] as string[]);
      return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
    };
  } catch {
    return undefined;
  }
}

const written = (minutes: number): string => {
  const two = (part: number) => String(Math.trunc(part)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
};
