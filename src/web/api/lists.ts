import { now } from "../time/now.ts";
import { DAY, iso } from "../time/zone.ts";
import { building, type ClaimLimits } from "./building.ts";
import { get, getAll } from "./client.ts";
import type { LiveEvent } from "./live.ts";
import { boardOf, type Query } from "./query.ts";
import type { Source } from "./reading.ts";
import type {
  Availability,
  Claim,
  Exception,
  Invitation,
  Pattern,
  Profile,
  Section,
  Spot,
  Wish,
} from "./resources.ts";

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

export const windowsOfOwner = (ownerId: string, from: number): Source<readonly Availability[]> => ({
  key: `windows of ${ownerId} ${from}`,
  topics: ["availabilities"],
  read: () => readWindows({ owner_id: ownerId, overlaps_start: iso(from) }),
});

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

export const allSections: Source<readonly Section[]> = {
  key: "sections",
  topics: ["building", "spots"],
  read: () => getAll<Section>("/sections", "sections"),
  lifetime: 10 * 60_000,
  isKept: true,
};

/** The limits that apply in a section: its own, or else the building's. */
export function limitsIn(section: string | undefined, sections: readonly Section[]): ClaimLimits {
  const own = sections.find((it) => it.building_section === section);
  const { claim_notice_minutes, shortest_claim_minutes, longest_claim_minutes, ...ofBuilding } =
    building.get();
  return {
    cancellation_cutoff_minutes:
      own?.cancellation_cutoff_minutes ?? ofBuilding.cancellation_cutoff_minutes ?? null,
    grace_minutes: ofBuilding.grace_minutes ?? null,
    claim_notice_minutes: own?.claim_notice_minutes ?? claim_notice_minutes ?? null,
    shortest_claim_minutes: own?.shortest_claim_minutes ?? shortest_claim_minutes ?? null,
    longest_claim_minutes: own?.longest_claim_minutes ?? longest_claim_minutes ?? null,
  };
}

const SHOWN = 14 * DAY;

/** What the person waits for, and recent outcomes, the latest start first. */
export const ownWishes: Source<readonly Wish[]> = {
  key: "wishes",
  topics: ["wishes", "claims", "availabilities"],
  read: () =>
    getAll<Wish>("/wishes", "wishes", { start_date: new Date(now() - SHOWN).toISOString() }),
};

/** A wish waits until a claim fits it or until it begins. */
export const isOpen = ({ claim_id, start_time }: Wish, now: number): boolean =>
  claim_id === undefined && Date.parse(start_time) > now;

interface Page {
  readonly availabilities: readonly Availability[];
}

export const windowsFor = (wish: Wish): Source<readonly Availability[]> => ({
  key: `windows for ${wish.id} ${wish.updated_at}`,
  topics: ["availabilities"],
  read: async () => {
    const { start_time, end_time, building_section, spot_id } = wish;
    const { availabilities } = await get<Page>("/availabilities", {
      free_from: start_time,
      free_until: end_time,
      building_section: building_section ?? undefined,
      spot_id: spot_id ?? undefined,
    });
    return availabilities;
  },
});

/** Data that only administrators read, or that they read again more often than others. */

export const allProfiles: Source<readonly Profile[]> = {
  key: "profiles",
  topics: ["profiles"],
  read: () => getAll<Profile>("/admin/profiles", "profiles"),
};

export const spotsToCheck: Source<readonly Spot[]> = {
  key: "spots to check",
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots"),
};

export const allInvitations: Source<readonly Invitation[]> = {
  key: "invitations",
  topics: ["invitations", "profiles"],
  read: () => getAll<Invitation>("/admin/invitations", "invitations"),
};
