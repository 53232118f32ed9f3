create or replace function api.create_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null
)
  returns parking.patterns
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns := private.insert_pattern(
    create_pattern.spot_id, create_pattern.weekdays, create_pattern.starts_at,
    create_pattern.ends_at, create_pattern.first_day, create_pattern.last_day
  );
begin
  perform from private.publish_pattern(v_pattern.id);
  select p.* into v_pattern from parking.patterns p where p.id = v_pattern.id;
  return v_pattern;
end;
$$;

comment on function api.create_pattern is
  'Share your spot in the same hours every week; the windows of the next weeks are published at once';
grant execute on function api.create_pattern to parking_api;
