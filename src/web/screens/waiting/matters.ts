import { queryGraphQL } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import { waitingTopics } from "../../api/waiting.ts";
import { now } from "../../time/now.ts";
import { iso } from "../../time/zone.ts";

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
  topics: [...waitingTopics, "claims"],
  read: () => queryGraphQL<Matters>(matters, { now: iso(now()) }),
};
