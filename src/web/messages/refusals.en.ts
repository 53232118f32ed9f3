/**
 * Why the service refused, by the code of its answer: the name of a rule, or a word of
 * src/errors/failures.ts. A rule that only one building has is not here, and says it in its own words.
 */
export const refusals = {
  "refusal.administrator_required": "Only administrators may do this.",
  "refusal.approved_account_required": "Your account is not approved.",
  "refusal.availabilities_claimed_are_not_deleted":
    "A neighbour has claimed this time, so it stays shared.",
  "refusal.availabilities_claimed_are_not_updated":
    "A neighbour has claimed this time, so it cannot be changed.",
  "refusal.availabilities_created_by_spot_owner": "You can only share your own spots.",
  "refusal.availabilities_deleted_by_spot_owner": "You can only withdraw times of your own spots.",
  "refusal.availabilities_do_not_overlap": "The spot is already shared for some of this time.",
  "refusal.availabilities_no_longer_than_allowed":
    "This is longer than a spot may be shared at once.",
  "refusal.availabilities_of_a_spot": "This spot is no longer there.",
  "refusal.availabilities_offered_within_window": "The spot is not shared for all of this time.",
  "refusal.availabilities_published_by_a_pattern": "These weekly hours are no longer there.",
  "refusal.availabilities_start_before_end": "The end has to be after the beginning.",
  "refusal.availabilities_start_in_future": "The beginning has to be in the future.",
  "refusal.availabilities_times_are_calendar_dates": "The year has to be between 1 and 9999.",
  "refusal.availabilities_updated_by_spot_owner": "You can only change times of your own spots.",
  "refusal.availabilities_within_horizon": "This is further ahead than spots may be shared.",
  "refusal.building_colour_is_hexadecimal":
    "This is not a colour: write # and six digits, such as #1d6f42.",
  "refusal.building_is_one": "There is a building already.",
  "refusal.building_keeps_for_days":
    "What happened and messages are kept for 30 days to 100 years, what became of mails and webhooks for 7 days to 100 years.",
  "refusal.building_language_is_known": "Choose English or German.",
  "refusal.building_mail_is_of_known_kinds": "Choose each kind of mail once.",
  "refusal.building_mark_is_short": "The mark has one or two characters, such as L5.",
  "refusal.building_minutes_are_in_range":
    "The minutes to change one's mind, and those of an offer, are 1 to 525600, a year.",
  "refusal.building_name_is_one_line":
    "The name of the building has 1 to 100 characters on one line.",
  "refusal.building_pattern_days_within_a_year":
    "Weekly hours are published for 1 to 366 days ahead.",
  "refusal.building_reminds_in_time": "A reminder comes 5 minutes to 7 days before.",
  "refusal.building_time_zone_is_known":
    "This is not the name of a time zone, such as Europe/Berlin.",
  "refusal.calendar_feeds_language_is_known": "Choose English or German.",
  "refusal.calendar_feeds_secrets_are_hashed": "This address cannot be used for a calendar.",
  "refusal.claims_cancelled_by_administrator":
    "Of another person's claim, administrators can only cancel it.",
  "refusal.claims_close_with_their_times":
    "A claim's times cannot be changed while it is finished or cancelled.",
  "refusal.claims_closed_stay_closed": "This claim is finished or cancelled already.",
  "refusal.claims_completed_are_not_deleted": "A finished claim stays in the list.",
  "refusal.claims_deleted_by_claimer": "You can only remove your own claims.",
  "refusal.claims_described_by_claimer": "Only the person who claimed it says who parks.",
  "refusal.claims_guest_is_one_line": "The guest's name has 1 to 200 characters on one line.",
  "refusal.claims_kept_after_cutoff": "It is too late to cancel or move this claim.",
  "refusal.claims_no_longer_than_allowed": "The claim is longer than allowed here.",
  "refusal.claims_no_more_than_allowed":
    "You have as many claims as one person may have. One has to end or be cancelled first.",
  "refusal.claims_no_shorter_than_allowed": "The claim is shorter than allowed here.",
  "refusal.claims_not_by_owner": "This is your own spot, so you need no claim.",
  "refusal.claims_not_in_kept_time": "The spot is no longer shared at this time.",
  "refusal.claims_of_an_approved_owner":
    "The owner's account is not approved at the moment, so the spot cannot be claimed.",
  "refusal.claims_of_an_availability": "The spot is no longer shared at this time.",
  "refusal.claims_one_per_availability": "Somebody else has claimed it already.",
  "refusal.claims_start_before_end": "The end has to be after the beginning.",
  "refusal.claims_start_in_future": "The beginning has to be in the future.",
  "refusal.claims_status_is_known": "A claim can only be finished or cancelled.",
  "refusal.claims_times_are_calendar_dates": "The year has to be between 1 and 9999.",
  "refusal.claims_updated_by_claimer": "You can only change your own claims.",
  "refusal.claims_vehicle_is_a_plate":
    "A number plate has 1 to 16 characters on one line, and not only hyphens.",
  "refusal.claims_wait_for_offers": "Until {until} this is offered to somebody who waited for it.",
  "refusal.claims_with_notice": "The claim starts sooner than allowed here.",
  "refusal.claims_within_availability": "The spot is not shared for all of this time.",
  "refusal.claims_within_horizon": "This is further ahead than spots may be claimed.",
  "refusal.events_reason_is_one_line": "The reason has 1 to 300 characters on one line.",
  "refusal.exceptions_change_1000_windows_at_most":
    "This changes more than 1000 shared times at once. Choose a shorter time or one spot.",
  "refusal.exceptions_change_5000_windows_a_day_at_most":
    "This has changed 5000 shared times today. Try again tomorrow.",
  "refusal.exceptions_created_by_spot_owner": "You can only do this for your own spots.",
  "refusal.exceptions_end_in_future": "The end has to be in the future.",
  "refusal.exceptions_fifty_at_most":
    "You have 50 times at which you need a spot or are away. Undo one first.",
  "refusal.exceptions_kind_is_known": "Say whether you need the spot or are away.",
  "refusal.exceptions_last_a_year_at_most": "This can last 366 days at most.",
  "refusal.exceptions_made_by_a_resident": "Your account is not approved.",
  "refusal.exceptions_of_a_spot": "This spot is no longer there.",
  "refusal.exceptions_start_before_end": "The end has to be after the beginning.",
  "refusal.exceptions_times_are_calendar_dates": "The year has to be between 1 and 9999.",
  "refusal.idempotency_key_in_use": "This is being done already. Look again in a moment.",
  "refusal.idempotency_key_reused": "This was sent before with something else. Try again.",
  "refusal.idempotency_keys_few_per_person":
    "You have done very much within a day. Try again in a few hours.",
  "refusal.invitations_accepted_stay":
    "This invitation was accepted. Take back the approval of the account instead.",
  "refusal.invitations_address_is_invited_once": "This address is invited already.",
  "refusal.invitations_apartment_number_is_one_line":
    "The apartment has 1 to 32 characters on one line.",
  "refusal.invitations_email_is_an_address":
    "This is not an e-mail address of at most 320 characters.",
  "refusal.invitations_full_name_is_one_line": "The name has 1 to 200 characters on one line.",
  "refusal.invitations_spot_is_invited_once": "A spot of this list is in an invitation already.",
  "refusal.invitations_spots_can_be_registered":
    "At most 20 spots, each with a number of 1 to 32 and a section of 1 to 100 characters.",
  "refusal.limits_are_in_range":
    "A limit is 1 or more: at most 100 years ahead, a year for a claim, and 1000 claims.",
  "refusal.limits_shortest_claim_within_longest":
    "The shortest claim must not be longer than the longest.",
  "refusal.patterns_change_10000_windows_a_day_at_most":
    "Your weekly hours have changed 10000 times today. Try again tomorrow.",
  "refusal.patterns_created_by_spot_owner": "You can only share your own spots.",
  "refusal.patterns_days_are_calendar_dates": "The year has to be between 1 and 9999.",
  "refusal.patterns_first_day_before_last": "The last day must not be before the first.",
  "refusal.patterns_no_more_than_200":
    "You share every week 200 times over, as often as one person may.",
  "refusal.patterns_of_a_spot": "This spot is no longer there.",
  "refusal.patterns_times_are_of_a_day": "The times have to be between 00:00 and 23:59.",
  "refusal.patterns_weekdays_fall_within_days":
    "None of these weekdays falls between the first and the last day.",
  "refusal.patterns_weekdays_are_known": "Choose one or more days of the week.",
  "refusal.preferences_language_is_known": "Choose English or German.",
  "refusal.preferences_mail_is_of_known_kinds": "Choose each kind of mail once.",
  "refusal.preferences_remind_in_time": "A reminder comes 5 minutes to 7 days before.",
  "refusal.profiles_administrators_by_groups":
    "The groups of your sign-in service decide who is an administrator.",
  "refusal.profiles_apartment_number_is_one_line":
    "The apartment has 1 to 32 characters on one line.",
  "refusal.profiles_approved_are_not_rejected":
    "This account is approved. Take the approval back to reject it.",
  "refusal.profiles_approved_by_groups":
    "The groups of your sign-in service decide who is approved.",
  "refusal.profiles_describe_oneself": "You can only change your own details.",
  "refusal.profiles_email_is_the_users": "The e-mail address is the one with which you sign in.",
  "refusal.profiles_erased_stay_erased": "This account was erased.",
  "refusal.profiles_full_name_is_one_line": "The name has 1 to 200 characters on one line.",
  "refusal.profiles_keep_an_administrator":
    "This is the last administrator. Make somebody else one first.",
  "refusal.profiles_one_per_user": "You are registered already.",
  "refusal.profiles_phone_number_is_dialable":
    "A phone number has 3 to 32 digits, spaces and +().-/",
  "refusal.profiles_rejection_reason_is_one_line":
    "The reason has 1 to 300 characters on one line.",
  "refusal.profiles_vehicle_is_a_plate":
    "A number plate has 1 to 16 characters on one line, and not only hyphens.",
  "refusal.reports_end_after_they_begin": "The last day must not be before the first.",
  "refusal.reports_of_10000_rows_at_most":
    "This has more than 10000 rows. Choose a shorter period or one section.",
  "refusal.reports_of_half_a_year_at_most": "The period can be 184 days at most.",
  "refusal.spot_access_notes_are_one_line": "A note has 1 to 300 characters on one line.",
  "refusal.spot_access_of_a_spot": "This spot is no longer there.",
  "refusal.spot_access_written_by_owner": "You can only write notes at your own spots.",
  "refusal.spot_reports_by_a_resident": "Your account is not approved.",
  "refusal.spot_reports_by_who_may_park":
    "You can only report a car on your own spot, or on one that you have claimed now.",
  "refusal.spot_reports_five_a_day_at_most":
    "You have reported five cars in 24 hours. Ask an administrator.",
  "refusal.spot_reports_note_is_one_line": "A note has 1 to 300 characters on one line.",
  "refusal.spot_reports_of_a_spot": "This spot is no longer there.",
  "refusal.spot_reports_to_a_resident": "This person is no longer there.",
  "refusal.spot_reports_vehicle_is_a_plate":
    "A number plate has 1 to 16 characters on one line, and not only hyphens.",
  "refusal.spots_building_section_is_one_line": "The section has 1 to 100 characters on one line.",
  "refusal.spots_deleted_by_owner": "You can only remove your own spots.",
  "refusal.spots_notes_are_one_line": "A note has 1 to 300 characters on one line.",
  "refusal.spots_spot_number_is_one_line":
    "The number of a spot has 1 to 32 characters on one line.",
  "refusal.spots_spot_number_is_unique": "A parking spot with this number already exists.",
  "refusal.spots_updated_by_owner": "You can only change your own spots.",
  "refusal.spots_with_active_claims_stay":
    "Neighbours have claimed this spot. It can be removed once these claims have ended.",
  "refusal.users_email_is_an_address": "Your sign-in has no e-mail address that can be used.",
  "refusal.users_email_is_given":
    "Your sign-in has no e-mail address. Those who run the sign-in service can add it.",
  "refusal.webhooks_format_is_known": "Choose events or text as the format.",
  "refusal.webhooks_twenty_at_most": "There are twenty webhooks, the most there can be.",
  "refusal.webhooks_types_are_known": "Choose one or more kinds of events, each once.",
  "refusal.webhooks_url_is_https":
    "The address must begin with https:// and have no name or password in it.",
  "refusal.webhooks_url_is_one_line": "The address has 1 to 2000 characters on one line.",
  "refusal.wishes_building_section_is_one_line": "The section has 1 to 100 characters on one line.",
  "refusal.wishes_of_a_section_or_a_spot": "You can wait for a section or for a spot, not both.",
  "refusal.wishes_of_a_spot": "This spot is no longer there.",
  "refusal.wishes_start_before_end": "The end has to be after the beginning.",
  "refusal.wishes_start_in_future": "The beginning has to be in the future.",
  "refusal.wishes_ten_open_at_most":
    "You wait for ten times already. Stop waiting for one of them first.",
  "refusal.wishes_times_are_calendar_dates": "The year has to be between 1 and 9999.",

  "refusal.forbidden": "You may not do this.",
  "refusal.not_found": "This is no longer there.",
  "refusal.conflict": "This does not go together with what is there already.",
  "refusal.precondition_failed": "It has changed meanwhile. Look at it again.",
  "refusal.invalid_data": "Something in what you typed cannot be used.",
  "refusal.validation_failed": "Something in what you typed cannot be used.",
  "refusal.body_too_large": "This is too much at once. Try it in smaller parts.",
  "refusal.request_timeout": "Sending this took too long. Try again.",
  "refusal.too_many_requests": "You have done very much in a short time.",
  "refusal.service_unavailable": "The service has too much to do. Try again in a moment.",

  "typed.missing": "{field} is missing.",
  "typed.longest": "{field}: at most {count} characters.",
  "typed.shortest": "{field}: at least {count} characters.",
  "typed.least": "{field}: {count} or more.",
  "typed.most": "{field}: {count} at most.",
  "typed.wrong": "{field}: this cannot be used.",
} as const;
