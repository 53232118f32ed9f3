import type { Building } from "./building.ts";

/** What parking.building may set; null is no limit. */
export interface Limits {
  readonly longest_window_days: number | null;
  readonly horizon_days: number | null;
  readonly shortest_claim_minutes: number | null;
  readonly longest_claim_minutes: number | null;
  readonly claim_notice_minutes: number | null;
  readonly cancellation_cutoff_minutes: number | null;
  readonly grace_minutes: number | null;
  readonly most_active_claims: number | null;
  readonly offer_minutes: number | null;
}

export const noLimits: Limits = {
  longest_window_days: null,
  horizon_days: null,
  shortest_claim_minutes: null,
  longest_claim_minutes: null,
  claim_notice_minutes: null,
  cancellation_cutoff_minutes: null,
  grace_minutes: null,
  most_active_claims: null,
  offer_minutes: null,
};

/** Sets these limits of the building, and no others. */
export async function setLimits(building: Building, limits: Partial<Limits>): Promise<void> {
  const all = { ...noLimits, ...limits };
  const columns = Object.keys(all).map((column, i) => `${column} = $${i + 1}`);
  await building.rows(`update parking.building set ${columns.join(", ")}`, Object.values(all));
}

export type SectionLimits = Omit<Limits, "grace_minutes" | "offer_minutes">;

const { grace_minutes: _grace, offer_minutes: _offer, ...limitsOfSection } = noLimits;
/** What parking.section_limits may set; null is the building's. */
export const noLimitsOfSection: SectionLimits = limitsOfSection;

/** Gives a section these limits of its own, and no others. */
export async function setSectionLimits(
  building: Building,
  section: string,
  limits: Partial<SectionLimits>,
): Promise<void> {
  const all = { ...noLimitsOfSection, ...limits };
  await building.rows("delete from parking.section_limits where building_section = $1", [section]);
  await building.rows(
    `insert into parking.section_limits (building_section, ${Object.keys(all).join(", ")})
     values ($1, ${Object.keys(all).map((_, i) => `$${i + 2}`)})`,
    [section, ...Object.values(all)],
  );
}
