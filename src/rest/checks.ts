import type { Pool } from "pg";
import { isLoopbackHost } from "../config/formats.ts";
import { invalidField } from "../errors/problem.ts";
import type { Logger } from "../log/logger.ts";
import { RefusedTarget, targetOf } from "../webhooks/target.ts";
import type { Arguments } from "./validation.ts";

/** What this program alone can judge of a request, by the function of its route. */
export type Checks = Readonly<Record<string, (values: Arguments) => void | Promise<void>>>;

/** @param allowsLoopback in development: webhooks and pushes to this machine, too */
export function checksOf(pool: Pool, allowsLoopback: boolean): Checks {
  const check = (field: string) => (values: Arguments) =>
    checkUrl(field, values[field], allowsLoopback);
  return {
    create_webhook: check("url"),
    update_webhook: check("url"),
    create_push_subscription: check("endpoint"),
    async update_building({ time_zone: zone }) {
      if (typeof zone !== "string") return;
      const known = "select where private.is_time_zone($1)"; // else a rule refuses it
      if ((await pool.query(known, [zone])).rowCount === 0) return;
      const problem = await zoneProblem(pool, zone);
      if (problem) throw invalidField("time_zone", problem);
    },
  };
}

/** Where a name leads is found out when something is sent. */
function checkUrl(field: string, url: unknown, allowsLoopback: boolean): void {
  if (typeof url !== "string") return;
  try {
    targetOf(url, allowsLoopback);
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    const isHere = isLoopbackHost(URL.parse(url)?.hostname ?? "");
    // In its own words, a rule refuses what is not https or has a password.
    if (isHere || !/^must (begin|not have)/.test(error.message))
      throw invalidField(field, error.message);
  }
}

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
async function zoneProblem(pool: Pool, zone: string): Promise<string | undefined> {
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
