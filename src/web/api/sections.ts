import { building, type ClaimLimits } from "./building.ts";
import { getAll } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Section } from "./resources.ts";

export const allSections: Source<readonly Section[]> = {
  key: "sections",
  topics: ["building", "spots"],
  read: () => getAll<Section>("/sections", "sections"),
  lifetime: 10 * 60_000,
  isKept: true,
};

/** The limits that apply in a section: its own, or else the building's. */
export function limitsIn(section: string | undefined, sections: readonly Section[]): ClaimLimits {
  const own = sections.find((it) => it.building_section === section);
  const { claim_notice_minutes, shortest_claim_minutes, longest_claim_minutes, ...ofBuilding } =
    building.get();
  return {
    cancellation_cutoff_minutes:
      own?.cancellation_cutoff_minutes ?? ofBuilding.cancellation_cutoff_minutes ?? null,
    grace_minutes: ofBuilding.grace_minutes ?? null,
    claim_notice_minutes: own?.claim_notice_minutes ?? claim_notice_minutes ?? null,
    shortest_claim_minutes: own?.shortest_claim_minutes ?? shortest_claim_minutes ?? null,
    longest_claim_minutes: own?.longest_claim_minutes ?? longest_claim_minutes ?? null,
  };
}
