import { now } from "../time/now.ts";
import { DAY, iso } from "../time/zone.ts";
import { building, type ClaimLimits } from "./building.ts";
import { get, getAll } from "./client.ts";
import type { LiveEvent, Topic } from "./live.ts";
import { boardOf, type Query, search } from "./query.ts";
import type { Source } from "./reading.ts";
import type {
  Availability,
  Claim,
  Exception,
  FavoriteSpot,
  Invitation,
  Pattern,
  Profile,
  Section,
  Spot,
  SpotReport,
  Wish,
} from "./resources.ts";

/** What a path of the API answers with. Each has one store, which all screens read. */
export const answer = <Answer>(
  path: string,
  topics: readonly Topic[],
  query: Query = {},
): Source<Answer> => ({
  key: path + search(query),
  topics,
  read: () => get<Answer>(path, query),
});

/** All rows of a list of the API. */
export const list = <Row>(
  path: string,
  topics: readonly Topic[],
  query: Query = {},
): Source<readonly Row[]> => ({
  key: path + search(query),
  topics,
  read: () => getAll<Row>(path, query),
});

/** Spots change seldom, and a building has hundreds of them. */
const LIFETIME = 10 * 60_000;

export const allSpots: Source<readonly Spot[]> = {
  ...list("/parking-spots", ["spots"]),
  apply: (spots, event) => withEvent(spots, "spot", event),
  lifetime: LIFETIME,
};

export const ownSpots = (owner_id: string): Source<readonly Spot[]> => ({
  ...list<Spot>("/parking-spots", ["spots"], { owner_id }),
  isKept: true,
});

export const windowsOfSpot = (spot_id: string, from: number) =>
  list<Availability>("/availabilities", ["availabilities"], { spot_id, overlaps_start: iso(from) });

/** The exceptions of the person, without those that ended before. */
export const exceptionsSince = (from: number) =>
  list<Exception>("/exceptions", ["exceptions"], { overlaps_start: iso(from) });

/**
 * The claims that the person made, and those on the person's spots, that end later than this. For
 * administrators, all such claims.
 */
export const claimsSince = (from: number) =>
  list<Claim>("/claims", ["claims"], { overlaps_start: iso(from) });

/** What ended before is not shown. It changes once a day, so it can be part of a key. */
export const startOfToday = (): number => new Date(now()).setUTCHours(0, 0, 0, 0);

/** What the cards of a person's own spots are drawn of, and what is over of this week. */
export function ofOwnSpots(owner_id: string) {
  const from = startOfToday() - 7 * DAY;
  const since = { owner_id, overlaps_start: iso(from) };
  return {
    windows: list<Availability>("/availabilities", ["availabilities"], since),
    claims: claimsSince(from),
    patterns: list<Pattern>("/patterns", ["patterns"]),
  };
}

export const allProfiles = list<Profile>("/admin/profiles", ["profiles"]);

export const allInvitations = list<Invitation>("/admin/invitations", ["invitations", "profiles"]);

export const allSections: Source<readonly Section[]> = {
  ...list("/sections", ["building", "spots"]),
  lifetime: LIFETIME,
  isKept: true,
};

/** The stars of the person. Nobody else changes them. */
export const favoriteSpots: Source<readonly FavoriteSpot[]> = {
  ...list("/favorite-spots", ["favorite-spots"]),
  lifetime: LIFETIME,
  isKept: true,
};

/** The strangers' cars that the person reported or was told of, the newest first. */
export const lastReports: Source<readonly SpotReport[]> = {
  key: "reports",
  topics: ["spot-reports"],
  async read() {
    type Answer = { readonly spot_reports: readonly SpotReport[] };
    return (await get<Answer>("/spot-reports", { limit: 20 })).spot_reports;
  },
};

/** The report of a car on this spot with which nobody has dealt yet. */
export const openReport = (
  reports: readonly SpotReport[],
  spotId: string,
  now: number,
): SpotReport | undefined =>
  reports.find(
    ({ spot_id, is_resolved, created_at }) =>
      spot_id === spotId && !is_resolved && now - Date.parse(created_at) < DAY,
  );

const SHOWN = 14 * DAY;

/** What the person waits for, and recent outcomes, the latest start first. */
export const ownWishes: Source<readonly Wish[]> = {
  key: "wishes",
  topics: ["wishes", "claims", "availabilities"],
  read: () => getAll<Wish>("/wishes", { start_date: iso(now() - SHOWN) }),
};

export const unread = answer<{ readonly total: number }>("/notifications", ["notifications"], {
  is_read: false,
  limit: 1,
});

/**
 * The rows after an event about one of them. The event has the row as it is now, or as it was
 * before it was deleted.
 */
function withEvent<Row extends { readonly id: string }>(
  rows: readonly Row[],
  thing: string,
  { type, data }: LiveEvent,
  isWanted: (row: Row) => boolean = () => true,
): readonly Row[] {
  const [subject, verb = ""] = type.split(".");
  if (subject !== thing) return rows;
  const row = data as Row;
  const isGone = verb === "deleted" || !isWanted(row);
  const at = rows.findIndex(({ id }) => id === row.id);
  if (isGone) return at < 0 ? rows : rows.toSpliced(at, 1);
  return at < 0 ? [...rows, row] : rows.with(at, row);
}

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

const sectionLimits = [
  "cancellation_cutoff_minutes",
  "claim_notice_minutes",
  "shortest_claim_minutes",
  "longest_claim_minutes",
] as const;

/** The limits that apply in a section: its own, or else the building's. */
export function limitsIn(section: string | undefined, sections: readonly Section[]): ClaimLimits {
  const own = sections.find((it) => it.building_section === section);
  const { grace_minutes = null, ...ofBuilding } = building.get();
  const limits = sectionLimits.map((name) => [name, own?.[name] ?? ofBuilding[name] ?? null]);
  return { ...Object.fromEntries(limits), grace_minutes };
}

/** A wish waits until a claim fits it or until it begins. */
export const isOpen = ({ claim_id, start_time }: Wish, now: number): boolean =>
  claim_id === undefined && Date.parse(start_time) > now;

/** What is free for a wish. */
export const windowsFor = ({ start_time, end_time, building_section, spot_id }: Wish) =>
  answer<{ readonly availabilities: readonly Availability[] }>(
    "/availabilities",
    ["availabilities"],
    {
      free_from: start_time,
      free_until: end_time,
      building_section: building_section ?? undefined,
      spot_id: spot_id ?? undefined,
    },
  );
