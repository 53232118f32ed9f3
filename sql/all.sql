/* What the database is, in the order in which it is made. Every file can be run again. */
--!include schemas.sql

--!include support/iso8601.sql
--!include support/is_one_line.sql
--!include support/refuse.sql
--!include support/enforce_rule.sql
--!include support/enforce_start_in_future.sql
--!include support/touch.sql

--!include identity/token_claims.sql
--!include identity/caller_id.sql
--!include identity/table.sql
--!include identity/rules.sql
--!include identity/user_json.sql
--!include identity/remember_user.sql

--!include profiles/table.sql
--!include identity/is_approved.sql
--!include identity/is_administrator.sql
--!include identity/require_approved.sql
--!include identity/require_administrator.sql
--!include identity/refuse_absent.sql
--!include profiles/lock_administrators.sql
--!include profiles/enforce_an_administrator.sql
--!include profiles/rules.sql
--!include profiles/policies.sql
--!include profiles/profile_json.sql
--!include profiles/get_profile.sql
--!include profiles/create_profile.sql
--!include profiles/update_profile.sql
--!include profiles/list_profiles.sql
--!include profiles/get_profile_by_id.sql
--!include profiles/update_profile_flags.sql
--!include profiles/make_administrator.sql

--!include spots/table.sql
--!include spots/enforce_no_active_claims.sql
--!include spots/clear_verification.sql
--!include spots/rules.sql
--!include spots/policies.sql
--!include spots/spot_json.sql
--!include spots/list_spots.sql
--!include spots/get_spot.sql
--!include spots/create_spot.sql
--!include spots/update_spot.sql
--!include spots/verify_spot.sql
--!include spots/delete_spot.sql

--!include availabilities/table.sql
--!include availabilities/lock_spot.sql
--!include availabilities/enforce_not_claimed.sql
--!include availabilities/rules.sql
--!include availabilities/policies.sql
--!include availabilities/availability_json.sql
--!include availabilities/list_availabilities.sql
--!include availabilities/get_availability.sql
--!include availabilities/create_availability.sql
--!include availabilities/update_availability.sql
--!include availabilities/delete_availability.sql

--!include claims/table.sql
--!include claims/mark_availability.sql
--!include claims/enforce_completed_kept.sql
--!include claims/claim_exists.sql
--!include claims/rules.sql
--!include claims/policies.sql
--!include claims/claim_json.sql
--!include claims/list_claims.sql
--!include claims/get_claim.sql
--!include claims/create_claim.sql
--!include claims/update_claim.sql
--!include claims/delete_claim.sql

--!include notifications/table.sql
--!include notifications/rules.sql
--!include notifications/policies.sql
--!include notifications/notify.sql
--!include notifications/notify_of_claim.sql
--!include notifications/notify_of_approval.sql
--!include notifications/notify_of_verification.sql
--!include notifications/notification_json.sql
--!include notifications/list_notifications.sql
--!include notifications/update_notification.sql

--!include events/table.sql
--!include events/rules.sql
--!include events/record_profile_event.sql
--!include events/record_spot_event.sql
--!include events/record_availability_event.sql
--!include events/record_claim_event.sql

--!include rate_limits/table.sql

--!include dashboard/get_dashboard.sql
--!include catalogue/rules.sql

--!include reporting/hours.sql
--!include reporting/spot_utilisation.sql
--!include reporting/section_utilisation.sql
--!include reporting/claims.sql
--!include reporting/occupancy_by_hour.sql
--!include reporting/approvals.sql
--!include reporting/events.sql
--!include reporting/rules.sql
