import type { MessageKey } from "../../messages/en.ts";

interface Limit {
  readonly name: string;
  readonly label: MessageKey;
}

export const limits = [
  { name: "longest_window_days", label: "building.longestWindow" },
  { name: "horizon_days", label: "building.horizon" },
  { name: "shortest_claim_minutes", label: "building.shortestClaim" },
  { name: "longest_claim_minutes", label: "building.longestClaim" },
  { name: "claim_notice_minutes", label: "building.notice" },
  { name: "cancellation_cutoff_minutes", label: "building.cutoff" },
  { name: "most_active_claims", label: "building.mostClaims" },
] as const satisfies readonly Limit[];

/** What administrators set. A limit that is null does not limit. */
export interface Settings extends Readonly<Record<(typeof limits)[number]["name"], number | null>> {
  readonly name: string;
  readonly time_zone: string;
}
