-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function if exists private.leave_out_day(uuid, date);
drop function if exists api.preview_pattern(uuid, text[], text, text, date, date);

-- One table has both counts. What they hold is of the day only.
drop trigger if exists patterns_changed_500_times_a_day_at_most on parking.patterns;
drop function if exists private.enforce_few_changes();
drop view if exists private.exports; -- made again without them
drop table if exists private.pattern_changes, private.exception_days;

-- Its first argument has another name.
drop function if exists private.event_data(text, jsonb);

-- Another name (sql/availabilities/rules/availabilities_published_by_a_pattern.sql).
alter table parking.availabilities drop constraint if exists availabilities_of_a_pattern;
