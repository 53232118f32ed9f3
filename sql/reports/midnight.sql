create or replace function private.midnight(day date)
  returns timestamptz
  language sql
  stable
return midnight.day::timestamp at time zone (private.building()).time_zone;

comment on function private.midnight is
  'The first moment of a day of the building''s calendar.';
grant execute on function private.midnight to parking_api;
