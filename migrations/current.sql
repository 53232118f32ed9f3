-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- The dashboard counts claims from their index.
drop view if exists private.count_drifts, private.actual_counts, private.exports;
drop table if exists private.person_counts;
drop function if exists private.add_person_count, private.claims_made;
