import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Spot } from "../../api/resources.ts";
import { freeOf } from "../../parts/free.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { allowedEnd, soonest } from "../claim/times.ts";
import type { Wanted } from "./spans.ts";

/** The part of a window that is free in the period, or goes on after it. */
export interface Result extends Span {
  readonly id: string;
  readonly window: Availability;
  /** The end of the free time, which may be later. */
  readonly freeUntil: number;
  readonly spot: Spot;
  readonly isWhole: boolean;
  /** Its section requires more notice, so it begins after the period. */
  readonly isLater: boolean;
}

const SHORTEST = 30 * MINUTE;

/** What the person likes comes first. */
export interface Preferences {
  /** The ids of spots. */
  readonly favorites: ReadonlySet<string>;
  readonly section: string;
}

interface Search extends Wanted, Preferences {
  /** The person who cannot claim their own spots. */
  readonly personId: string;
  readonly now: number;
  readonly limitsOf: (spot: Spot) => ClaimLimits;
}

/**
 * One result for each spot: first those for the whole period, then those for at least half of it,
 * then the others.
 */
export function resultsOf(
  windows: readonly Availability[],
  spots: readonly Spot[],
  search: Search,
): readonly Result[] {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const results = windows
    .flatMap((window) => {
      const spot = byId.get(window.spot_id);
      return spot === undefined || spot.owner_id === search.personId
        ? []
        : resultsIn(window, spot, search);
    })
    .toSorted(inOrderOf(search));
  const found = new Set<string>();
  return results.filter(({ spot }) => !found.has(spot.id) && found.add(spot.id));
}

function resultsIn(window: Availability, spot: Spot, search: Search): readonly Result[] {
  const { start: from, end: to, until = to, now, limitsOf } = search;
  const limits = limitsOf(spot);
  const first = Math.max(from, soonest(now, limits));
  return freeOf(window).flatMap((free): readonly Result[] => {
    const start = Math.max(free.start, first);
    const end = Math.min(free.end, allowedEnd(start, until, limits));
    if (Math.min(end, to) - start < Math.min(SHORTEST, to - from)) return [];
    const isWhole = end >= to && start === first;
    const id = `${window.id} ${free.start}`;
    return [{ id, window, freeUntil: free.end, spot, start, end, isWhole, isLater: start > from }];
  });
}

function inOrderOf({ start: from, end: to, favorites, section }: Search) {
  const lengthOf = ({ start, end, isWhole }: Result) =>
    isWhole ? to - from : Math.min(end, to) - start;
  const fit = (it: Result) => (it.isWhole ? 2 : Number(lengthOf(it) >= (to - from) / 2));
  return (a: Result, b: Result): number => {
    const more = (rank: (it: Result) => number | boolean) => Number(rank(b)) - Number(rank(a));
    return (
      more(fit) ||
      more(({ spot }) => favorites.has(spot.id)) ||
      more(({ spot }) => spot.building_section === section) ||
      more(lengthOf) ||
      more(({ spot }) => spot.is_verified) ||
      a.spot.spot_number.localeCompare(b.spot.spot_number, undefined, { numeric: true })
    );
  };
}
