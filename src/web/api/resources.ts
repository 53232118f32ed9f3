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
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Spot {
  readonly id: string;
  readonly spot_number: string;
  readonly owner_id: string;
  readonly building_section: string;
  readonly is_verified: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Availability {
  readonly id: string;
  readonly spot_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly is_claimed: boolean;
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
}

/** The other person of a claim. */
export interface Contact {
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly phone_number: string | null;
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
  readonly created_at: string;
  readonly updated_at: string;
}
