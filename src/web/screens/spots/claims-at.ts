import { queryGraphQL } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import { now } from "../../time/now.ts";

/** A claim on a spot of the person, with the person who made it. */
export interface ClaimAt {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly contact: {
    readonly fullName: string | null;
    readonly apartmentNumber: string;
    readonly phoneNumber: string | null;
  } | null;
}

/** Further claims are not shown. */
const MOST = 50;

const query = `
  query ($condition: ClaimCondition!) {
    claims(condition: $condition, first: ${MOST}, orderBy: START_TIME_ASC) {
      nodes { id startTime endTime contact { fullName apartmentNumber phoneNumber } }
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
    const condition = { spotId, status: "active", overlapsStart: new Date(now()).toISOString() };
    return (await queryGraphQL<Answer>(query, { condition })).claims.nodes;
  },
});
