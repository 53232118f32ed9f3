import { keepOnly } from "../sign-in/kept.ts";
import { now } from "../time/now.ts";
import { iso, type Span } from "../time/zone.ts";
import { get, queryGraphQL } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Availability, Claim, Contact, Notification, Spot } from "./resources.ts";

/** What nobody wrote is null in GraphQL, and absent in REST. */
export type OwnClaim = Omit<Claim, "guest" | "vehicle" | "series_id"> & {
  readonly guest?: string | null;
  readonly series_id?: string | null;
  readonly vehicle?: string | null;
  readonly spot: Omit<Place, "notes"> & { readonly notes?: string | null };
};

type Place = Pick<Spot, "id" | "spot_number" | "building_section" | "notes">;

interface OwnClaims {
  readonly nodes: readonly OwnClaim[];
  readonly totalCount: number;
}

const members = `
  id status start_time: startTime end_time: endTime guest vehicle created_at: createdAt
  updated_at: updatedAt claimer_id: claimerId availability_id: availabilityId
  series_id: seriesId
  spot { id spot_number: spotNumber building_section: buildingSection notes }
`;

const list = `
  query ($condition: ClaimCondition!, $first: Int!) {
    claims(condition: $condition, first: $first) { totalCount nodes { ${members} } }
  }
`;

const claims = async (condition: object, first: number): Promise<OwnClaims> =>
  (await queryGraphQL<{ claims: OwnClaims }>(list, { condition, first })).claims;

/** The most rows that a list returns at once. */
const ALL = 200;

const CONTACT = "contact ";

/** The current and the future claims of a person, the next one first. */
export const currentClaims = (claimerId: string): Source<readonly OwnClaim[]> => ({
  key: `claims ahead of ${claimerId}`,
  topics: ["claims"],
  read: async () => {
    const overlapsStart = iso(now());
    const condition = { claimerId, status: "active", overlapsStart };
    const { nodes } = await claims(condition, ALL);
    // Removes the contacts of claims that have ended, with their codes.
    keepOnly(CONTACT, new Set(nodes.map(({ id }) => CONTACT + id)));
    return nodes.toReversed();
  },
  isKept: true,
});

export const contactOf = (claimId: string): Source<{ readonly contact: Contact }> => ({
  key: CONTACT + claimId,
  // Without the topic of claims: a contact ends with its claim, and later readings would be
  // refused.
  topics: ["profiles", "spotAccess"],
  read: () => get<{ readonly contact: Contact }>(`/claims/${claimId}/contacts`),
  lifetime: 10 * 60_000,
  isKept: true,
});

export const claimsOf = (claimerId: string, first: number): Source<OwnClaims> => ({
  key: `claims of ${claimerId} ${first}`,
  topics: ["claims"],
  read: () => claims({ claimerId }, first),
});

type Times = Pick<Availability, "start_time" | "end_time">;
type ClaimedWindow = Times & { readonly free: readonly Times[] | null };

/** One claim, with its window and the notifications about it; null if it no longer exists. */
export interface OneClaim {
  readonly claim: (OwnClaim & { readonly availability: ClaimedWindow | null }) | null;
  readonly notifications: {
    readonly nodes: readonly (Pick<Notification, "kind" | "data"> & {
      readonly createdAt: string;
    })[];
  };
}

const one = `
  query ($id: UUID!) {
    claim(id: $id) { ${members} availability { start_time: startTime end_time: endTime free } }
    notifications(condition: { claimId: $id }) { nodes { kind data createdAt } }
  }
`;

const nothing: OneClaim = { claim: null, notifications: { nodes: [] } };

/** A person may have typed something else, which the service would refuse. */
const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

export const claimOf = (id: string): Source<OneClaim> => ({
  key: `claim ${id}`,
  topics: ["claims"],
  read: async () => (isId(id) ? queryGraphQL<OneClaim>(one, { id }) : nothing),
});

export const overlaps = (claim: OwnClaim, { start, end }: Span): boolean =>
  Date.parse(claim.start_time) < end && Date.parse(claim.end_time) > start;

export type Phase = "now" | "coming" | "earlier";

export function phaseOf({ status, start_time, end_time }: OwnClaim, now: number): Phase {
  if (status !== "active" || Date.parse(end_time) <= now) return "earlier";
  return Date.parse(start_time) <= now ? "now" : "coming";
}
