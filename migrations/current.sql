-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

drop trigger if exists touch on parking.claims; -- made again with private.touch
drop function if exists private.touch_status();
