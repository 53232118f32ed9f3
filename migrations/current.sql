-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
-- Pushes: what has other arguments, another name or another condition is made anew.
drop function if exists api.update_preferences(text[], text, integer);
drop function if exists private.add_due_mails();
drop index if exists private.jobs_of_recipient_idx;
drop view if exists private.mail_recipients;
drop function if exists private.is_mail_on();

-- An erasure finds notifications by their claim, also resolved ones: sql/notifications/table.sql makes it anew.
drop index if exists parking.notifications_claim_id_idx;

-- sql/claims/table.sql makes it anew, with the end of the claim.
drop index if exists parking.claims_plate_idx;
-- The view has the comments of the table.
--!include building/table.sql
--!include building/view.sql
--!include limits/columns_of_views.sql
