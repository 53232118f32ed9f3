-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- Its file makes it again: what it compares has a name now, private.number_key.
drop index if exists parking.spots_spot_number_is_unique;
