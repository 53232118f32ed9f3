/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
begin atomic
  select date_trunc('day', now() at time zone b.time_zone + interval '1 year') at time zone b.time_zone
    from private.building() b;
end;

comment on function private.reported_until is
  'The midnight at which reports of days and hours end: a year from today, in the time zone of the building.';
grant execute on function private.reported_until to parking_reporter;
