-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function if exists private.known_profile;

-- The dashboard counts claims from their index.
drop view if exists private.count_drifts, private.actual_counts, private.exports, private.subjects;
drop function if exists private.add_person_count, private.claims_made;
drop table if exists private.person_counts;

-- One policy says whose a row is, for all that the grants allow.
drop policy if exists select_own on parking.calendar_feeds;
drop policy if exists insert_own on parking.calendar_feeds;
drop policy if exists update_own on parking.calendar_feeds;
drop policy if exists delete_own on parking.calendar_feeds;
drop policy if exists select_own on parking.exceptions;
drop policy if exists delete_own on parking.exceptions;
drop policy if exists select_own on parking.favorite_spots;
drop policy if exists insert_own on parking.favorite_spots;
drop policy if exists delete_own on parking.favorite_spots;
drop policy if exists select_all on parking.invitations;
drop policy if exists insert_own on parking.invitations;
drop policy if exists delete_all on parking.invitations;
drop policy if exists select_own on parking.notifications;
drop policy if exists update_own on parking.notifications;
drop policy if exists select_own on parking.patterns;
drop policy if exists update_own on parking.patterns;
drop policy if exists delete_own on parking.patterns;
drop policy if exists select_own on parking.preferences;
drop policy if exists insert_own on parking.preferences;
drop policy if exists update_own on parking.preferences;
drop policy if exists select_own on parking.push_subscriptions;
drop policy if exists insert_own on parking.push_subscriptions;
drop policy if exists delete_own on parking.push_subscriptions;
drop policy if exists select_own on parking.spot_access;
drop policy if exists update_own on parking.spot_access;
drop policy if exists select_own on parking.wishes;
drop policy if exists insert_own on parking.wishes;
drop policy if exists delete_own on parking.wishes;

-- With their triggers, which the files of sql/ make anew with other functions.
drop function if exists private.keep_spot, private.enforce_claim_limit, private.note_suspension cascade;
drop function if exists private.require_spot;

-- A turn of private.turns is as good.
drop table if exists private.administrators_lock;
