import type { Building } from "./building.ts";

/** The rules that bind people, and not the owner of the database. */
const ofPeople = `
  administrator_required approved_account_required availabilities_created_by_spot_owner
  availabilities_deleted_by_spot_owner availabilities_no_longer_than_allowed
  availabilities_updated_by_spot_owner availabilities_within_horizon
  claims_cancelled_by_administrator claims_deleted_by_claimer claims_described_by_claimer
  claims_for_others_by_staff claims_kept_after_cutoff claims_no_longer_than_allowed
  claims_no_more_than_allowed claims_no_shorter_than_allowed claims_of_an_approved_owner
  claims_updated_by_claimer claims_wait_for_offers claims_with_notice claims_within_horizon
  exceptions_created_by_spot_owner invitations_accepted_stay key_scope_required
  patterns_change_10000_windows_a_day_at_most patterns_created_by_spot_owner
  patterns_no_more_than_200 profiles_administrators_by_groups profiles_approved_by_groups
  profiles_concierges_by_groups profiles_describe_oneself profiles_erased_stay_erased
  spot_access_written_by_owner spot_reports_by_who_may_park spots_deleted_by_owner
  spots_updated_by_owner`;

export interface Refusal {
  readonly isForPeople: boolean;
  readonly status: number;
  readonly message: string;
  readonly field: string | null;
}

/** What each rule refuses with, by its name. docs/rules.md has them as clients know them. */
export async function refusalsIn(building: Building): Promise<ReadonlyMap<string, Refusal>> {
  const rules = await building.rows<Refusal & { readonly name: string }>(
    "select name, status, message, field from private.rules",
  );
  const forPeople = new Set(ofPeople.trim().split(/\s+/));
  return new Map(
    rules.map(({ name, ...rule }) => [name, { ...rule, isForPeople: forPeople.has(name) }]),
  );
}
