import type { Facts } from "../../texts/notification.ts";
import type { InvitedSpot } from "./invited-spot.ts";

/**
 * The answers of the API. A test compares these interfaces with the description of the API, so each
 * member has its own line.
 */

export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly phone_number: string | null;
  readonly is_approved: boolean;
  readonly is_admin: boolean;
  /** Present only if it is true. */
  readonly shares_phone_number?: boolean;
  readonly is_approved_by_groups?: boolean;
  readonly is_admin_by_groups?: boolean;
  /** Whether the approval was withdrawn. */
  readonly is_suspended?: boolean;
  /** The usual plate, present only if it was given, like guest and vehicle of a claim. */
  readonly vehicle?: string;
  /** Present only if an administrator rejected the account. */
  readonly rejection_reason?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An account stays when its personal data is erased. Real addresses do not end like this. */
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
  /** Present only if the owner wrote notes. */
  readonly notes?: string;
}

/** What the owner of a spot tells people who have claimed it. */
export interface SpotAccess {
  readonly access_notes: string | null;
}

/** A limit that is null is the same as the building's. */
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
  /** Present only if a part of it is free; for its owner, also if nothing is on offer. */
  readonly free?: readonly Pick<Availability, "start_time" | "end_time">[];
  /** Present only if a pattern published it. */
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

/** A day in the preview of a pattern. */
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

/** A person who may stand on a spot. */
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
  /** For the claimer, until the claim ends, if the owner wrote notes. */
  readonly access_notes?: string;
}

/** The result is present only once there is one. */
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
  /** The values in its message. Absent if the message has none. */
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
