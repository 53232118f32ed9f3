-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- A suspension no longer ends a calendar feed: it rests, and the erasure deletes it.
drop trigger end_calendar_feed on parking.profiles;
drop function private.end_calendar_feed();

-- It returns one more column.
drop function private.take_jobs(text, integer, interval);
--!include invitations/is_invited_email.sql
-- Nobody could accept them: no such address exists. The page offers to invite again.
update parking.invitations i
   set status = 'lapsed'
 where not private.is_invited_email(i.email, i.status);
-- The index has plates as they were compared before.
--!include support/plate.sql
reindex index parking.claims_plate_idx;
