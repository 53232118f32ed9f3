-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function if exists private.leave_out_day(uuid, date);
