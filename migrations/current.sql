-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.
--!include rate_limits/charge_rate_limits.sql
--!include rate_limits/charge_rate_limit.sql

drop function if exists private.erase_from_texts(uuid, text);
drop function if exists private.pattern_of_names(uuid);
--!include profiles/is_of_script_without_spaces.sql
--!include profiles/names_of.sql
--!include profiles/without_names.sql
--!include profiles/erase_from_texts.sql
--!include locks/lock_windows.sql
--!include reporting/people.sql

-- A claim is counted with its window now.
drop trigger if exists keep_counts_of_claimed on parking.availabilities;
drop trigger if exists keep_counts_of_moved on parking.availabilities;
drop trigger if exists keep_counts_of_made on parking.claims;
drop trigger if exists keep_counts_of_changed on parking.claims;
drop trigger if exists keep_counts_of_deleted on parking.claims;
drop function if exists private.keep_claimed_counts();
drop function if exists private.keep_claim_counts();
drop function if exists private.drop_claim_counts();
drop function if exists private.add_day_counts(date, date, bigint, bigint, bigint, bigint, bigint);
--!include totals/add_day_counts.sql
--!include availabilities/keep_availability_counts.sql
--!include availabilities/drop_availability_counts.sql
--!include claims/mark_availability.sql
--!include claims/free_availabilities.sql

-- One function writes the log. create or replace trigger gives the triggers that stay the new function.
drop trigger if exists record_registration_or_deletion on parking.spots;
--!include events/event_data.sql
--!include events/record_event.sql
--!include events/events_of_profiles.sql
--!include events/events_of_spots.sql
--!include events/events_of_availabilities.sql
--!include events/events_of_claims.sql
--!include profiles/erase_person.sql
drop function if exists private.record_profile_event();
drop function if exists private.record_spot_event();
drop function if exists private.record_availability_event();
drop function if exists private.record_availability_deletions();
drop function if exists private.record_claim_event();
drop function if exists private.record_claim_deletions();
drop function if exists private.profile_json(parking.profiles);
drop function if exists private.spot_json(parking.spots);
drop function if exists private.availability_json(parking.availabilities);
drop function if exists private.claim_json(parking.claims);

-- The same checks, read in less time by each statement that writes.
--!include support/is_one_line.sql
--!include events/is_event_type.sql
--!include events/rules/events_type_is_known.sql
--!include notifications/is_notification_kind.sql
--!include notifications/rules/notifications_kind_is_known.sql
--!include notifications/notify.sql
