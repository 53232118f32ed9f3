import { get, getAll } from "./client.ts";
import { iso, type Query, touching } from "./query.ts";
import type { Source } from "./reading.ts";
import type { Availability, Claim, Exception, Pattern, Spot } from "./resources.ts";

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
  read: () => readWindows(touching(from, to)),
});

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

/** When the person needs spots or is away, but for what ended before. */
export const exceptionsSince = (from: number): Source<readonly Exception[]> => ({
  key: `exceptions ${from}`,
  topics: ["exceptions"],
  read: () => getAll<Exception>("/exceptions", "exceptions", { overlaps_start: iso(from) }),
});

const readWindows = (query: Query): Promise<readonly Availability[]> =>
  getAll<Availability>("/availabilities", "availabilities", query);

/** Claims that the person made, and claims on the person's spots, that end later than this. Administrators see all. */
export const claimsSince = (from: number): Source<readonly Claim[]> => ({
  key: `claims ${from}`,
  topics: ["claims"],
  read: () => getAll<Claim>("/claims", "claims", { overlaps_start: iso(from) }),
});

/** The claims that hold windows, by the ids of those. */
export const claimsByWindow = (claims: readonly Claim[]): ReadonlyMap<string, Claim> =>
  new Map(
    claims
      .filter(({ status }) => status !== "cancelled")
      .map((claim) => [claim.availability_id, claim]),
  );

interface BookingsOfPeriod {
  readonly windows: readonly Availability[];
  readonly claims: readonly Claim[];
}

/** One reading of both: after a claim, new windows beside old claims would show it as somebody else's. */
export const bookingsBetween = (from: number, to: number): Source<BookingsOfPeriod> => ({
  key: `bookings ${from} ${to}`,
  topics: ["availabilities", "claims"],
  read: async () => {
    const [windows, claims] = await Promise.all([
      windowsBetween(from, to).read(),
      claimsSince(from).read(),
    ]);
    return { windows, claims };
  },
});
