create or replace function private.are_weekdays(weekdays text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(weekdays) > 0 and cardinality(weekdays) = (
    select count(*)
      from unnest(array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']) d (day)
     where d.day = any (weekdays)
  );
end;
$$;

comment on function private.are_weekdays is
  'Whether these are different days of the week, one at least.';
grant execute on function private.are_weekdays to parking_api;
