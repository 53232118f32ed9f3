import { queryGraphQL } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import type { ClaimStatus } from "../../api/resources.ts";

/** A claim of the person, with its spot and its window. */
export interface OwnClaim {
  readonly id: string;
  readonly status: ClaimStatus;
  readonly startTime: string;
  readonly endTime: string;
  readonly guest: string | null;
  readonly vehicle: string | null;
  readonly availability: {
    readonly id: string;
    readonly startTime: string;
    readonly endTime: string;
  };
  readonly spot: { readonly spotNumber: string; readonly buildingSection: string };
}

export interface OwnClaims {
  readonly nodes: readonly OwnClaim[];
  readonly totalCount: number;
}

const document = `
  query ($claimerId: UUID!, $first: Int!) {
    claims(condition: { claimerId: $claimerId }, first: $first) {
      totalCount
      nodes {
        id status startTime endTime guest vehicle
        availability { id startTime endTime }
        spot { spotNumber buildingSection }
      }
    }
  }
`;

/** The latest claims of a person. */
export const claimsOf = (claimerId: string, first: number): Source<OwnClaims> => ({
  key: `claims of ${claimerId} ${first}`,
  topics: ["claims"],
  read: async () =>
    (await queryGraphQL<{ claims: OwnClaims }>(document, { claimerId, first })).claims,
});

export type Phase = "now" | "coming" | "earlier";

export function phaseOf({ status, startTime, endTime }: OwnClaim, now: number): Phase {
  if (status !== "active" || Date.parse(endTime) <= now) return "earlier";
  return Date.parse(startTime) <= now ? "now" : "coming";
}
