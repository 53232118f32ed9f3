/* Counts are kept for each day, and a day must be the same in every session. */
create or replace function private.utc_day(moment timestamptz)
  returns date
  language sql
  immutable
  parallel safe
return (moment at time zone 'UTC')::date;

comment on function private.utc_day is
  'The day of a moment in UTC.';
