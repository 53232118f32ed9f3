-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- What those who wait know is not kept: it follows from the transactions that were over when they asked.
--!include wishes/freed_times.sql
-- Who waits knows what is free today.
alter table parking.wishes
  add column if not exists asked_in pg_snapshot not null default pg_current_snapshot();
--!include export/exports.sql
drop trigger if exists note_freed on parking.claims;
drop trigger if exists note_freed_of_deleted on parking.claims;
drop trigger if exists know_windows on parking.wishes;
drop view if exists private.waiting_wishes;
drop view if exists private.fitting_windows;
drop function if exists private.know_freed();
drop function if exists private.know_windows();
drop function if exists private.offer_to_waiting(parking.availabilities);
drop function if exists private.waiting_for(parking.availabilities); -- its argument has another name
drop table if exists private.known_windows;
