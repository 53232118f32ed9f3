/**
 * What a rule refuses, by its name: the status and, after the field that it is about, the message as its comment
 * has it. A star marks rules that bind people, and not the owner of the database.
 */
const table = `
approved_account_required* 403 Account not approved
availabilities_created_by_spot_owner* 403 You can only create availabilities for your own spots
availabilities_deleted_by_spot_owner* 403 You can only delete availabilities for your own spots
availabilities_updated_by_spot_owner* 403 You can only update availabilities for your own spots
claims_cancelled_by_administrator* 403 An administrator can only cancel the claim of another
claims_deleted_by_claimer* 403 You can only delete your own claims
claims_for_others_by_staff* 403 You can only claim for yourself
claims_made_by_a_resident 403 The claimer of a parking spot must be a resident
claims_described_by_claimer* 400 Only the claimer says who parks
claims_of_an_availability 404 Availability not found
claims_updated_by_claimer* 403 You can only update your own claims
administrator_required* 403 Administrator privileges required
key_scope_required* 403 This key may not do that
keys_twenty_at_most 409 A building has twenty keys at most; delete one first
invitations_accepted_stay* 409 This invitation was accepted; take the approval of the account back instead
invitations_address_is_invited_once 409 email: This address has been invited already
invitations_spot_is_invited_once 409 spots: A parking spot can be in one open invitation, and once
limits_shortest_claim_within_longest 400 shortest_claim_minutes must not be more than longest_claim_minutes
profiles_administrators_by_groups* 409 The identity provider decides who administers
profiles_concierges_by_groups* 409 The identity provider decides who is a concierge
profiles_approved_are_not_rejected 409 This account is approved: take the approval back to reject it
profiles_approved_by_groups* 409 The identity provider decides who is approved
profiles_describe_oneself* 403 You can only update your own profile
profiles_email_is_the_users 409 The email address is the one of the sign-in
profiles_erased_stay_erased* 403 This account was erased
profiles_keep_an_administrator 409 The last administrator cannot be removed
profiles_one_per_user 409 User profile already exists
push_subscriptions_ten_at_most 409 You get messages on ten devices already; end them on one of these first
reports_end_after_they_begin 400 until: until must be after from
reports_of_10000_rows_at_most 400 The report would have more than 10000 rows: choose a shorter period or one section
reports_of_half_a_year_at_most 400 until: The period of a report must not be longer than 184 days
spot_access_of_a_spot 404 Parking spot not found
spot_access_written_by_owner* 403 You can only write the access notes of your own parking spots
spot_reports_by_who_may_park* 403 You can only report a car on your own spot, or on one that you have claimed now
spot_reports_five_a_day_at_most 409 You have reported five cars in 24 hours: ask an administrator
spot_reports_of_a_spot 404 Parking spot not found
spots_deleted_by_owner* 403 You can only delete your own parking spots
spots_spot_number_is_unique 409 A parking spot with this number already exists
spots_updated_by_owner* 403 You can only update your own parking spots
spots_with_active_claims_stay 409 Cannot delete a parking spot with active claims
webhooks_twenty_at_most 409 A building has twenty webhooks at most; delete one first
availabilities_of_a_spot 404 Parking spot not found
availabilities_do_not_overlap 409 Availability overlaps an existing availability of this spot
availabilities_start_before_end 400 end_time: end_time must be after start_time
availabilities_start_in_future 400 start_time: start_time must be in the future
availabilities_claimed_are_not_updated 400 Cannot update a claimed availability
availabilities_claimed_are_not_deleted 400 Cannot delete a claimed availability
availabilities_no_longer_than_allowed* 400 end_time: The window is longer than the building allows
availabilities_within_horizon* 400 end_time: The window ends further ahead than the building allows
claims_not_by_owner 403 You cannot claim your own parking spot
claims_of_an_approved_owner* 403 The owner of this parking spot is not approved
claims_one_per_availability 400 This availability has already been claimed
claims_within_availability 400 Claim times must be within the availability window
claims_start_before_end 400 end_time: end_time must be after start_time
claims_start_in_future 400 start_time: start_time must be in the future
claims_not_in_kept_time 409 The owner does not offer this time any more
claims_closed_stay_closed 400 Cannot change status from completed/cancelled
claims_close_with_their_times 400 Claim times cannot be changed while completing or cancelling the claim
claims_completed_are_not_deleted 400 Cannot delete a completed claim
claims_no_shorter_than_allowed* 400 end_time: The claim is shorter than the building allows
claims_no_longer_than_allowed* 400 end_time: The claim is longer than the building allows
claims_within_horizon* 400 end_time: The claim ends further ahead than the building allows
claims_with_notice* 400 start_time: The claim starts sooner than the building allows
claims_kept_after_cutoff* 409 It is too late to cancel or move this claim
claims_no_more_than_allowed* 409 You have as many claims that have not ended as the building allows
patterns_of_a_spot 404 Parking spot not found
patterns_created_by_spot_owner* 403 You can only create patterns for your own spots
patterns_weekdays_fall_within_days 400 weekdays: None of the weekdays falls between first_day and last_day
patterns_first_day_before_last 400 last_day: last_day must not be before first_day
patterns_no_more_than_200* 409 You have 200 patterns, as many as a resident may have
patterns_change_10000_windows_a_day_at_most* 409 Your patterns have changed 10000 windows today: try again tomorrow
exceptions_of_a_spot 404 Parking spot not found
exceptions_created_by_spot_owner* 403 You can only make exceptions for your own spots
exceptions_start_before_end 400 end_time: end_time must be after start_time
exceptions_end_in_future 400 end_time: end_time must be in the future
exceptions_last_a_year_at_most 400 end_time: An exception lasts 366 days at most
exceptions_fifty_at_most 409 You have 50 exceptions that have not ended: delete one first
exceptions_change_1000_windows_at_most 409 The exception would change more than 1000 windows: choose a shorter time or one spot
exceptions_change_5000_windows_a_day_at_most 409 Your exceptions have changed 5000 windows today: try again tomorrow
claims_wait_for_offers* 409 Until {until} this is offered to somebody who waited for it
favorite_spots_of_a_spot 404 Parking spot not found
favorite_spots_100_at_most 409 You have 100 favorite spots: remove one of them first
wishes_of_a_spot 404 Parking spot not found
wishes_of_a_section_or_a_spot 400 building_section: A wish is for a section or for a spot, not both
wishes_start_before_end 400 end_time: end_time must be after start_time
wishes_start_in_future 400 start_time: start_time must be in the future
wishes_ten_open_at_most 409 You wait for ten times already; withdraw one of these wishes first
`;

interface Refusal {
  readonly isForPeople: boolean;
  readonly status: number;
  readonly error: string;
  readonly field: string | undefined;
}

export const refusals: Readonly<Record<string, Refusal>> = Object.fromEntries(
  [...table.matchAll(/^(\w+)(\*?) (\d+) (?:(\w+): )?(.+)$/gm)].map(
    ([, rule = "", star, status, field, error = ""]) => [
      rule,
      { isForPeople: star === "*", status: Number(status), error, field },
    ],
  ),
);
