import { iso } from "../time/zone.ts";
import { get, getAll } from "./client.ts";
import type { LiveEvent } from "./live.ts";
import { boardOf, type Query } from "./query.ts";
import type { Source } from "./reading.ts";
import type { Availability, Claim, Exception, Pattern, Spot } from "./resources.ts";

/** The lists that several screens show. */

/** Spots change seldom, and a building has hundreds of them. */
const SPOTS_LIFETIME = 10 * 60_000;

export const allSpots: Source<readonly Spot[]> = {
  key: "spots",
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots"),
  apply: (spots, event) => withEvent(spots, "spot", event),
  lifetime: SPOTS_LIFETIME,
};

export const ownSpots = (ownerId: string): Source<readonly Spot[]> => ({
  key: `spots of ${ownerId}`,
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots", { owner_id: ownerId }),
});

interface Row {
  readonly id: string;
}

/**
 * The rows after an event about one of them. The event has the row as it is now, or as it was
 * before it was deleted.
 */
function withEvent<It extends Row>(
  rows: readonly It[],
  thing: string,
  { type, data }: LiveEvent,
  isWanted: (row: It) => boolean = () => true,
): readonly It[] {
  const [subject, verb = ""] = type.split(".");
  if (subject !== thing) return rows;
  const row = data as It;
  const isGone = verb === "deleted" || !isWanted(row);
  const at = rows.findIndex(({ id }) => id === row.id);
  if (isGone) return at < 0 ? rows : rows.toSpliced(at, 1);
  return at < 0 ? [...rows, row] : rows.with(at, row);
}

/** The windows of one owner's spots that end later than this. */
export const windowsOfOwner = (ownerId: string, from: number): Source<readonly Availability[]> => ({
  key: `windows of ${ownerId} ${from}`,
  topics: ["availabilities"],
  read: () => readWindows({ owner_id: ownerId, overlaps_start: iso(from) }),
});

/** The windows of one spot that end later than this. */
export const windowsOfSpot = (spotId: string, from: number): Source<readonly Availability[]> => ({
  key: `windows at ${spotId} ${from}`,
  topics: ["availabilities"],
  read: () => readWindows({ spot_id: spotId, overlaps_start: iso(from) }),
});

export const unread = {
  key: "unread",
  topics: ["notifications"],
  read: () => get<{ readonly total: number }>("/notifications", { is_read: false, limit: 1 }),
} as const;

export const ownPatterns: Source<readonly Pattern[]> = {
  key: "patterns",
  topics: ["patterns"],
  read: () => getAll<Pattern>("/patterns", "patterns"),
};

/** The exceptions of the person, without those that ended before. */
export const exceptionsSince = (from: number): Source<readonly Exception[]> => ({
  key: `exceptions ${from}`,
  topics: ["exceptions"],
  read: () => getAll<Exception>("/exceptions", "exceptions", { overlaps_start: iso(from) }),
});

const readWindows = (query: Query): Promise<readonly Availability[]> =>
  getAll<Availability>("/availabilities", "availabilities", query);

/**
 * The claims that the person made, and those on the person's spots, that end later than this. For
 * administrators, all such claims.
 */
export const claimsSince = (from: number): Source<readonly Claim[]> => ({
  key: `claims ${from}`,
  topics: ["claims"],
  read: () => getAll<Claim>("/claims", "claims", { overlaps_start: iso(from) }),
});

export interface Bookings {
  readonly availabilities: readonly Availability[];
  readonly claims: readonly Claim[];
}

/**
 * All windows and claims that touch the period. They are read together: after a claim, new windows
 * with old claims would show it as somebody else's.
 */
export const bookingsBetween = (from: number, to: number): Source<Bookings> => ({
  key: `bookings ${from} ${to}`,
  topics: ["availabilities", "claims"],
  read: () => get<Bookings>(boardOf(from, to)),
  apply({ availabilities, claims }, event) {
    const touches = ({ start_time, end_time }: Availability | Claim) =>
      Date.parse(start_time) < to && Date.parse(end_time) > from;
    return {
      availabilities: withEvent(availabilities, "availability", event, touches),
      claims: withEvent(claims, "claim", event, touches),
    };
  },
});
