create or replace function private.fall_within(weekdays text[], first_day date, last_day date)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  -- Other rules refuse what is not a day, and days in the wrong order.
  if first_day is null or last_day is null or not isfinite(first_day)
    or not isfinite(last_day) or last_day < first_day
  then
    return true;
  end if;

  return exists (
    select
      from generate_series(0, least(last_day - first_day, 6)) n
     where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from first_day + n)]
           = any (weekdays)
  );
end;
$$;

comment on function private.fall_within is
  'Whether one of these weekdays falls on or between these days.';
grant execute on function private.fall_within to parking_api;
