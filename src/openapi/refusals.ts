/** Something that an endpoint may refuse, in the words of its rule (the comments below sql). */
export interface Refusal {
  readonly status: 400 | 403 | 404 | 409;
  readonly error: string;
  /** The request's field that it is about. */
  readonly field?: string;
}

const refusal = (status: Refusal["status"], error: string): Refusal => ({ status, error });

const notApproved = refusal(403, "Account not approved");
const forAdministrators = [notApproved, refusal(403, "Administrator privileges required")];

const noProfile = refusal(404, "User profile not found");
const noSpot = refusal(404, "Parking spot not found");
const noAvailability = refusal(404, "Availability not found");
const noClaim = refusal(404, "Claim not found");
const noNotification = refusal(404, "Notification not found");

const noAddress: Refusal = {
  status: 400,
  error: "email must be an address of at most 320 characters",
  field: "email",
};
const numberTaken = refusal(409, "A parking spot with this number already exists");
const overlap = refusal(409, "Availability overlaps an existing availability of this spot");
const outsideWindow = refusal(400, "Claim times must be within the availability window");
const times: readonly Refusal[] = [
  { status: 400, error: "start_time must be in the future", field: "start_time" },
  { status: 400, error: "end_time must be after start_time", field: "end_time" },
];

/** What each function of a route may refuse, beside what every request can meet. */
export const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  get_profile: [noAddress, noProfile],
  create_profile: [
    refusal(400, "The token carries no email address"),
    noAddress,
    refusal(409, "User profile already exists"),
  ],
  update_profile: [noAddress, noProfile],

  get_dashboard: [notApproved],

  list_spots: [notApproved],
  create_spot: [notApproved, numberTaken],
  get_spot: [notApproved, noSpot],
  update_spot: [
    notApproved,
    refusal(403, "You can only update your own parking spots"),
    noSpot,
    numberTaken,
  ],
  delete_spot: [
    notApproved,
    refusal(403, "You can only delete your own parking spots"),
    noSpot,
    refusal(409, "Cannot delete a parking spot with active claims"),
  ],

  list_availabilities: [notApproved],
  create_availability: [
    ...times,
    notApproved,
    refusal(403, "You can only create availabilities for your own spots"),
    noSpot,
    overlap,
  ],
  get_availability: [notApproved, noAvailability],
  update_availability: [
    ...times,
    refusal(400, "Cannot update a claimed availability"),
    notApproved,
    refusal(403, "You can only update availabilities for your own spots"),
    noAvailability,
    overlap,
  ],
  delete_availability: [
    refusal(400, "Cannot delete a claimed availability"),
    notApproved,
    refusal(403, "You can only delete availabilities for your own spots"),
    noAvailability,
  ],

  list_claims: [notApproved],
  create_claim: [
    ...times,
    outsideWindow,
    refusal(400, "This availability has already been claimed"),
    notApproved,
    refusal(403, "You cannot claim your own parking spot"),
    noAvailability,
  ],
  get_claim: [notApproved, noClaim],
  update_claim: [
    ...times,
    outsideWindow,
    refusal(400, "Cannot change status from completed/cancelled"),
    refusal(400, "Claim times cannot be changed while completing or cancelling the claim"),
    notApproved,
    refusal(403, "You can only update your own claims"),
    noClaim,
  ],
  delete_claim: [
    refusal(400, "Cannot delete a completed claim"),
    notApproved,
    refusal(403, "You can only delete your own claims"),
    noClaim,
  ],

  list_notifications: [notApproved],
  update_notification: [notApproved, noNotification],

  list_profiles: forAdministrators,
  get_profile_by_id: [...forAdministrators, noProfile],
  update_profile_flags: [
    ...forAdministrators,
    noProfile,
    refusal(409, "The last administrator cannot be removed"),
  ],
  verify_spot: [...forAdministrators, noSpot],
};
