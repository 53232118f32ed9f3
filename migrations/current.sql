-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- A suspension no longer ends a calendar feed: it rests, and the erasure deletes it.
drop trigger if exists end_calendar_feed on parking.profiles;
drop function if exists private.end_calendar_feed();

-- It returns one more column.
drop function if exists private.take_jobs(text, integer, interval);
