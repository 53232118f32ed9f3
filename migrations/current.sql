-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

drop table if exists private.claimers; -- private.turns has such rows for every rule that counts
