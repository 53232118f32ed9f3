import { DAY } from "../time/zone.ts";
import { getAll } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Availability, Claim, Spot } from "./resources.ts";

/** The lists that several screens show. */

/** They change seldom, and a building has hundreds. */
const SPOTS_LIFETIME = 10 * 60_000;

export const allSpots: Source<readonly Spot[]> = {
  key: "spots",
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots"),
  lifetime: SPOTS_LIFETIME,
};

export const ownSpots = (ownerId: string): Source<readonly Spot[]> => ({
  key: `spots of ${ownerId}`,
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots", { owner_id: ownerId }),
});

/** All windows that touch the period. */
export const windowsBetween = (from: number, to: number): Source<readonly Availability[]> => ({
  key: `windows ${from} ${to}`,
  topics: ["availabilities"],
  read: () => readWindows(from, to),
});

/** The windows of one owner's spots that end later than this. */
export const windowsOfOwner = (ownerId: string, from: number): Source<readonly Availability[]> => ({
  key: `windows of ${ownerId} ${from}`,
  topics: ["availabilities"],
  read: () => readWindows(from, Number.POSITIVE_INFINITY, ownerId),
});

/** The list filters by the start of a window, so those that are open already are asked for too. */
const MARGIN = 14 * DAY;

async function readWindows(
  from: number,
  to: number,
  owner_id?: string,
): Promise<readonly Availability[]> {
  const query = { start_date: new Date(from - MARGIN).toISOString(), owner_id };
  const windows = await getAll<Availability>("/availabilities", "availabilities", query);
  return windows.filter((it) => Date.parse(it.end_time) > from && Date.parse(it.start_time) < to);
}

/** Claims that the person made, and claims on the person's spots. Administrators see all. */
export const claimsSince = (from: number): Source<readonly Claim[]> => ({
  key: `claims ${from}`,
  topics: ["claims"],
  read: () =>
    getAll<Claim>("/claims", "claims", { start_date: new Date(from - MARGIN).toISOString() }),
});
