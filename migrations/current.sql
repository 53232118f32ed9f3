-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function if exists private.known_profile;
