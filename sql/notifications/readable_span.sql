/* Times as people read them in a notification. */
create or replace function private.readable_span(start_time timestamptz, end_time timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_time_zone constant text := (private.building()).time_zone;
begin
  return format(
    'from %s to %s %s',
    to_char(start_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    to_char(end_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    v_time_zone
  );
end;
$$;

comment on function private.readable_span is
  'From when to when, to the minute, in the time zone of the building, which it names.';
