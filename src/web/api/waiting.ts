import { queryGraphQL } from "./client.ts";
import type { Source } from "./reading.ts";
import { isErased } from "./resources.ts";

export const waitingTopics = ["profiles", "spots", "spot-reports"] as const;

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
  topics: waitingTopics,
  read: async () => {
    const { profiles, spots, spotReports } = await queryGraphQL<Counts>(counts, {});
    const accounts = profiles.nodes.filter(
      (profile) => profile.rejectionReason === null && !isErased(profile),
    );
    return accounts.length + spots.totalCount + spotReports.totalCount;
  },
};
