import type { Facts } from "../../texts/notification.ts";
import type { InvitedSpot } from "./invited-spot.ts";

/**
 * What the API answers with. A test compares these interfaces with the description of the API, so
 * each member stands on a line of its own.
 */

export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly phone_number: string | null;
  readonly is_approved: boolean;
  readonly is_admin: boolean;
  /** There only where it is true. */
  readonly shares_phone_number?: boolean;
  readonly is_approved_by_groups?: boolean;
  readonly is_admin_by_groups?: boolean;
  /** Whether the approval was taken back. */
  readonly is_suspended?: boolean;
  /** The usual plate; there only where it was given. So are guest and vehicle of a claim. */
  readonly vehicle?: string;
  /** There only where an administrator did not approve the account. */
  readonly rejection_reason?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An account stays when its personal data goes. No mail has such an address. */
export const isErased = ({ email }: Pick<Profile, "email">): boolean =>
  email.endsWith("@erased.invalid");

export interface Spot {
  readonly id: string;
  readonly spot_number: string;
  readonly owner_id: string;
  readonly building_section: string;
  readonly is_verified: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** There only where the owner wrote some. */
  readonly notes?: string;
}

/** What the owner of a spot tells those who have claimed it. */
export interface SpotAccess {
  readonly access_notes: string | null;
}

/** A limit that is null is the building's. */
export interface Section {
  readonly building_section: string;
  readonly total_spots: number;
  readonly longest_window_days: number | null;
  readonly horizon_days: number | null;
  readonly shortest_claim_minutes: number | null;
  readonly longest_claim_minutes: number | null;
  readonly claim_notice_minutes: number | null;
  readonly cancellation_cutoff_minutes: number | null;
  readonly most_active_claims: number | null;
}

export interface Availability {
  readonly id: string;
  readonly spot_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly is_claimed: boolean;
  /** There only where a part of it is free, and for its owner also where nothing is offered. */
  readonly free?: readonly Pick<Availability, "start_time" | "end_time">[];
  /** There only where a pattern published it. */
  readonly pattern_id?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type Weekday = "MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU";

export interface Pattern {
  readonly id: string;
  readonly spot_id: string;
  readonly weekdays: readonly Weekday[];
  readonly starts_at: string;
  readonly ends_at: string;
  readonly first_day: string;
  readonly last_day: string | null;
}

export type Outcome = "published" | "overlaps" | "kept" | "refused";

/** A day of a pattern, as its preview has it. */
export interface PatternDay {
  readonly day: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

export type ExceptionKind = "keep" | "share";

export interface Exception {
  readonly id: string;
  readonly spot_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly kind: ExceptionKind;
}

export type ClaimStatus = "active" | "completed" | "cancelled";

export interface Claim {
  readonly id: string;
  readonly availability_id: string;
  readonly claimer_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly status: ClaimStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly guest?: string;
  readonly vehicle?: string;
}

/** Who may stand on a spot. */
export interface Parked {
  readonly spot_id: string;
  readonly spot_number: string;
  readonly building_section: string;
  readonly role: ParkedRole;
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly guest: string | null;
  readonly vehicle: string | null;
  readonly until: string | null;
}

export type ParkedRole = "owner" | "claimer";

/** The other person of a claim. */
export interface Contact {
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly phone_number: string | null;
  /** For the claimer, until the claim ends, where the owner wrote some. */
  readonly access_notes?: string;
}

/** What became of it is there only once something has. */
export interface Wish {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly building_section: string | null;
  readonly spot_id: string | null;
  readonly claim_id?: string;
  readonly availability_id?: string;
  readonly offered_from?: string;
  readonly offered_until?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Notification {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly claim_id: string | null;
  readonly availability_id: string | null;
  readonly spot_id: string | null;
  readonly is_read: boolean;
  readonly resolved_at: string | null;
  /** What its message is made of; not there where it was not made of anything. */
  readonly data?: Facts;
  readonly created_at: string;
  readonly updated_at: string;
}

export type InvitationStatus = "open" | "accepted" | "lapsed";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly spots: readonly InvitedSpot[];
  readonly status: InvitationStatus;
  readonly inviter_id: string;
  readonly profile_id: string | null;
  readonly created_at: string;
}
