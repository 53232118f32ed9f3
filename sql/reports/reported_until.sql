/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
begin atomic
  -- Not "from private.building()": that would write down its columns, of which a setting adds one.
  with zone as materialized (select (private.building()).time_zone as name)
  select date_trunc('day', now() at time zone z.name + interval '1 year') at time zone z.name
    from zone z;
end;

comment on function private.reported_until is
  'The midnight at which reports of days and hours end: a year from today, in the time zone of the building.';
grant execute on function private.reported_until to parking_reporter, parking_analyst;
