-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
-- Functions with one argument more.
drop function if exists api.update_profile_flags(uuid, boolean, boolean);
drop function if exists private.notify(uuid, text, parking.spots, uuid, uuid, timestamptz, timestamptz);

--!include notifications/is_notification_kind.sql
--!include preferences/are_mail_kinds.sql
-- Kinds of mail that are new, for buildings that did not say that they want none.
update parking.building
   set mail = mail || array['profile.rejected', 'report.submitted']
 where cardinality(mail) > 0
   and not mail && array['profile.rejected', 'report.submitted'];
