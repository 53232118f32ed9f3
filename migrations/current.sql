-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.

-- A claim that was completed before its end still holds its window: it counts, and can be freed.
drop trigger if exists claims_no_more_active_than_allowed on parking.claims;
drop function if exists private.enforce_most_active_claims;
--!include claims/enforce_most_claims.sql
--!include claims/rules/claims_no_more_than_allowed.sql
--!include claims/rules/claims_closed_stay_closed.sql
--!include claims/cancel_claim.sql
--!include building/table.sql

-- One order of locks, and what the erasure of a person leaves.
drop function if exists private.notify(uuid, text, text, uuid, uuid, uuid);
--!include spots/enforce_no_active_claims.sql
--!include spots/create_spot.sql
--!include spots/update_spot.sql
--!include availabilities/create_availability.sql
--!include availabilities/update_availability.sql
--!include availabilities/delete_availability.sql
--!include availabilities/remove_availability.sql
--!include locks/lock_spot.sql
--!include locks/lock_windows.sql
--!include locks/keep_spot.sql
--!include locks/lock_spot_of_window.sql
--!include locks/keep_spot_of_claim.sql
--!include locks/lock_owner.sql
--!include locks/lock_person.sql
--!include locks/lock_person_as_administrator.sql
--!include claims/keep_claim_counts.sql
--!include claims/mark_availability.sql
--!include claims/enforce_approved_owner.sql
--!include claims/rules/claims_of_an_approved_owner.sql
--!include claims/create_claim.sql
--!include claims/update_claim.sql
--!include claims/delete_claim.sql
--!include notifications/notification_message.sql
--!include notifications/notify.sql
--!include notifications/notify_of_spot_deletion.sql
--!include notifications/notify_of_availability_deletion.sql
--!include notifications/notify_of_claim.sql
--!include notifications/notify_of_approval.sql
--!include notifications/notify_of_verification.sql
--!include profiles/pattern_of_names.sql
--!include notifications/renew_messages.sql
--!include profiles/end_of_person.sql
--!include profiles/erase_from_texts.sql
--!include profiles/erase_person.sql
--!include profiles/erase_as_administrator.sql
