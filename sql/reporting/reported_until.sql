/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
  parallel safe
return date_trunc('day', now() at time zone 'UTC' + interval '1 year') at time zone 'UTC';

comment on function private.reported_until is
  'The midnight (UTC) at which reports of days and hours end: a year from today.';
grant execute on function private.reported_until to parking_reporter;
