/**
 * What a rule refuses, by its name: the status and, after the field that it is about, the message as its comment
 * has it. A star marks rules that bind people, and not the owner of the database.
 */
const table = `
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
