import { post, queryGraphQL, remove } from "../../api/client.ts";
import { ofOwnSpots, ownSpots } from "../../api/lists.ts";
import { usePersonId } from "../../api/person.ts";
import {
  type Reading,
  type Source,
  together,
  useMovingReading,
  useReading,
} from "../../api/reading.ts";
import type { Availability, Contact, Pattern, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import { rowOfSpan } from "../../parts/free.ts";
import { claimsByWindow, type Part, partsOf } from "../../parts/window-parts.ts";
import { now } from "../../time/now.ts";
import { iso, type Span } from "../../time/zone.ts";

export interface OwnSpot {
  readonly spot: Spot;
  /** Those that are not over. */
  readonly windows: readonly Availability[];
  /** The parts of the windows: free, claimed by neighbours, or not on offer. */
  readonly parts: readonly Part[];
  /** The parts of the windows of a week that are over. */
  readonly over: readonly Part[];
  readonly patterns: readonly Pattern[];
}

export function useOwnSpots(now: number): Reading<readonly OwnSpot[]> {
  const ownerId = usePersonId();
  const { windows, claims, patterns } = ofOwnSpots(ownerId);
  const { value, error } = together({
    spots: useReading(ownSpots(ownerId)),
    windows: useMovingReading(windows),
    claims: useMovingReading(claims),
    patterns: useReading(patterns),
  });
  if (value === undefined) return { error };
  const held = claimsByWindow(value.claims);
  const isAhead = ({ end_time }: Availability) => Date.parse(end_time) > now;
  const partsOfAll = (windows: readonly Availability[]) =>
    windows.flatMap((it) => partsOf(it, held.get(it.id)));
  const bySpot = grouped(value.windows, ({ spot_id }) => spot_id);
  const plans = grouped(value.patterns, ({ spot_id }) => spot_id);
  return {
    value: value.spots.map((spot) => {
      const all = bySpot.get(spot.id) ?? [];
      const windows = all.filter(isAhead);
      return {
        spot,
        windows,
        parts: partsOfAll(windows),
        over: partsOfAll(all.filter((it) => !isAhead(it))),
        patterns: plans.get(spot.id) ?? [],
      };
    }),
  };
}

export const shareWindow = (spot_id: string, span: Span) =>
  post<{ readonly availability: Availability }>("/availabilities", {
    spot_id,
    ...rowOfSpan(span),
  });

/** Undoes it, unless a neighbour has claimed it. */
export const withdrawWindow = ({ id }: Availability): Promise<void> =>
  remove<void>(`/availabilities/${id}`);

export interface ClaimAt {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly contact: Contact | null;
}

const MOST = 50;

const query = `
  query ($condition: ClaimCondition!) {
    claims(condition: $condition, first: ${MOST}, orderBy: START_TIME_ASC) {
      nodes {
        id start_time: startTime end_time: endTime
        contact { full_name: fullName apartment_number: apartmentNumber phone_number: phoneNumber }
      }
    }
  }
`;

interface Answer {
  readonly claims: { readonly nodes: readonly ClaimAt[] };
}

/** The claims on a spot that are not over, the next one first. */
export const claimsAt = (spotId: string): Source<readonly ClaimAt[]> => ({
  key: `claims at ${spotId}`,
  topics: ["claims"],
  read: async () => {
    const condition = { spotId, status: "active", overlapsStart: iso(now()) };
    return (await queryGraphQL<Answer>(query, { condition })).claims.nodes;
  },
});
