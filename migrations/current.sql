-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
--!include notifications/is_notification_kind.sql
--!include preferences/are_mail_kinds.sql
-- Kinds of mail that are new, for buildings that did not say that they want none.
update parking.building
   set mail = mail || array['profile.rejected', 'report.submitted']
 where cardinality(mail) > 0
   and not mail && array['profile.rejected', 'report.submitted'];
