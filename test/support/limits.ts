import type { Building } from "./building.ts";

/** What the building may set; null is no limit. */
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
  const { grace_minutes, offer_minutes, ...others } = { ...noLimits, ...limits };
  await building.rows("update parking.building set grace_minutes = $1, offer_minutes = $2", [
    grace_minutes,
    offer_minutes,
  ]);
  await writeLimits(building, null, others);
}

export type SectionLimits = Omit<Limits, "grace_minutes" | "offer_minutes">;

const { grace_minutes: _grace, offer_minutes: _offer, ...limitsOfSection } = noLimits;
/** What a section may set; null is the building's. */
export const noLimitsOfSection: SectionLimits = limitsOfSection;

/** Gives a section these limits of its own, and no others. */
export async function setSectionLimits(
  building: Building,
  section: string,
  limits: Partial<SectionLimits>,
): Promise<void> {
  await writeLimits(building, section, { ...noLimitsOfSection, ...limits });
}

async function writeLimits(
  building: Building,
  section: string | null,
  limits: SectionLimits,
): Promise<void> {
  const columns = Object.keys(limits);
  await building.rows(
    `insert into parking.limits (building_section, ${columns.join(", ")})
     values ($1, ${columns.map((_, i) => `$${i + 2}`)})
     on conflict on constraint limits_building_section_key do update
        set (${columns.join(", ")}) = row (${columns.map((column) => `excluded.${column}`)})`,
    [section, ...Object.values(limits)],
  );
}
