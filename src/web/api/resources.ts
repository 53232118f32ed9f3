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
  /** The usual plate; there only where it was given. So are guest and vehicle of a claim. */
  readonly vehicle?: string;
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
  readonly created_at: string;
  readonly updated_at: string;
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
