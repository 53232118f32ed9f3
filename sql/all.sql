/*
 * The database in the order in which it is made. Every file can be run again.
 *
 * In each folder, tables are made first, then functions, then views, then rules, policies and triggers; each by
 * name. A file stands here by itself where its folder's turn is too late for what needs it.
 */
--!include schemas.sql
--!include support/
--!include turns/

--!include totals/utc_day.sql
--!include totals/day_counts.sql
--!include totals/person_counts.sql

-- A body that is one expression, and a policy, need the functions that they call.
--!include identity/token_claims.sql
--!include identity/token_issued_at.sql
--!include identity/caller_id.sql
--!include users/address_key.sql
--!include users/
--!include profiles/table.sql
--!include identity/
--!include events/table.sql
--!include new_events/table.sql
--!include last_position/table.sql
--!include spots/number_key.sql
--!include invitations/spot_keys.sql
--!include invitations/table.sql
--!include profiles/known_profile.sql
--!include profiles/

-- The building has kinds of mail, which are those of notifications and more.
--!include notifications/is_notification_kind.sql
--!include preferences/are_mail_kinds.sql
--!include building/table.sql
--!include limits/table.sql
--!include building/view.sql
--!include building/
--!include spots/
--!include spot_access/table.sql
--!include spot_access/
--!include limits/view.sql
--!include limits/
--!include patterns/table.sql
--!include availabilities/table.sql
-- Foreign keys are checked in the order in which they were made: the spot before the pattern.
--!include availabilities/rules/availabilities_of_a_spot.sql
--!include availabilities/total_availabilities.sql
--!include free_time/is_held.sql
--!include availabilities/
--!include wishes/table.sql
--!include claims/total_claims.sql
--!include claims/total_own_claims.sql
--!include claims/
--!include exceptions/table.sql
--!include locks/
--!include totals/

--!include exceptions/kept_times.sql
--!include patterns/instant_of.sql
--!include patterns/pattern_spans.sql
--!include free_time/spans.sql
--!include free_time/
--!include patterns/
--!include exceptions/

--!include contacts/view.sql
--!include contacts/
--!include notifications/
--!include jobs/table.sql
--!include jobs/
--!include wishes/
--!include spot_reports/
--!include webhooks/table.sql
--!include webhook_secrets/
--!include webhooks/
--!include deliveries/view.sql
--!include deliveries/add_delivery.sql
--!include deliveries/
--!include events/

--!include idempotency_keys/
--!include rate_limits/

--!include reports/reported_until.sql
--!include reports/reported_period.sql
--!include reports/section_use.sql
--!include reports/

-- All that is not named here, in any order.
--!include ./

-- Reads everything that is about persons.
--!include export/subjects.sql
--!include export/exports.sql
--!include export/

-- The rules of the building come last, because they may need everything above.
--!include house/
