import { queryGraphQL } from "./client.ts";
import type { Source } from "./reading.ts";
import type { ClaimStatus } from "./resources.ts";

/** A claim of the person that is not over, with what they need in order to park. */
export interface ClaimAhead {
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
  /** The owner of the spot. */
  readonly contact: {
    readonly fullName: string | null;
    readonly apartmentNumber: string;
    readonly phoneNumber: string | null;
  } | null;
}

const fields = `
  id status startTime endTime guest vehicle
  availability { id startTime endTime }
  spot { spotNumber buildingSection }
  contact { fullName apartmentNumber phoneNumber }
`;

/** More than one has at a time: the latest start comes first. */
const MOST = 50;

const ofPerson = `
  query ($claimerId: UUID!) {
    claims(condition: { claimerId: $claimerId, status: "active" }, first: ${MOST}) {
      nodes { ${fields} }
    }
  }
`;

interface OfPerson {
  readonly claims: { readonly nodes: readonly ClaimAhead[] };
}

/** What the screen Now shows of the person's claims, in one request. The next one comes first. */
export const claimsAhead = (claimerId: string): Source<readonly ClaimAhead[]> => ({
  key: `claims ahead of ${claimerId}`,
  topics: ["claims"],
  read: async () => {
    const { claims } = await queryGraphQL<OfPerson>(ofPerson, { claimerId });
    return claims.nodes.toReversed();
  },
});

const ofId = `query ($id: UUID!) { claim(id: $id) { ${fields} } }`;

/** Null where there is none any more. */
export const claimAhead = (id: string): Source<{ readonly claim: ClaimAhead | null }> => ({
  key: `claim ahead ${id}`,
  topics: ["claims"],
  read: () => queryGraphQL(ofId, { id }),
});
