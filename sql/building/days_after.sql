/* Limits in days: a day of the building's calendar may have 23 or 25 hours. */
create or replace function private.days_after(moment timestamptz, days integer)
  returns timestamptz
  language sql
  stable
  strict
return date_add(moment, make_interval(days => days), (private.building()).time_zone);

comment on function private.days_after is
  'The same time of day so many days later, in the time zone of the building; null for null.';
grant execute on function private.days_after to parking_api;
