import { now } from "../time/now.ts";
import { queryGraphQL } from "./client.ts";
import type { Source } from "./reading.ts";
import { isErased } from "./resources.ts";

const topics = ["profiles", "spots", "spotReports"] as const;

interface Counts {
  readonly profiles: {
    readonly nodes: readonly {
      readonly email: string;
      readonly rejectionReason: string | null;
      readonly isSuspended: boolean;
    }[];
  };
  readonly spots: { readonly totalCount: number };
  readonly spotReports: { readonly totalCount: number };
}

const counts = `{
  profiles(condition: { isApproved: false }, first: 200) { nodes { email rejectionReason isSuspended } }
  spots(condition: { isVerified: false }) { totalCount }
  spotReports(condition: { isResolved: false }) { totalCount }
}`;

export const waitingCount: Source<number> = {
  key: "waiting count",
  topics,
  read: async () => {
    const { profiles, spots, spotReports } = await queryGraphQL<Counts>(counts, {});
    const accounts = profiles.nodes.filter(
      (profile) => profile.rejectionReason === null && !isErased(profile),
    );
    return accounts.length + spots.totalCount + spotReports.totalCount;
  },
};

export interface SpotReport {
  readonly id: string;
  readonly vehicle: string | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly reporter_id: string;
  readonly spot: { readonly spot_number: string };
}

interface Matters {
  readonly spots: {
    readonly nodes: readonly {
      readonly id: string;
      readonly claims: { readonly totalCount: number };
    }[];
  };
  readonly spotReports: { readonly nodes: readonly SpotReport[] };
}

const matters = `query ($now: Datetime!) {
  spots(condition: { isVerified: false }, first: 200) {
    nodes { id claims(condition: { status: "active", overlapsStart: $now }) { totalCount } }
  }
  spotReports(condition: { isResolved: false }, first: 200) {
    nodes { id vehicle note created_at: createdAt reporter_id: reporterId spot { spot_number: spotNumber } }
  }
}`;

/** Claims of spots that nobody has verified, and strangers' cars. */
export const waitingMatters: Source<Matters> = {
  key: "waiting matters",
  topics: [...topics, "claims"],
  read: () => queryGraphQL<Matters>(matters, { now: new Date(now()).toISOString() }),
};
