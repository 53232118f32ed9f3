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
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  perform private.require_approved();

  insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
  select s.id, s.owner_id, create_pattern.weekdays, create_pattern.starts_at, create_pattern.ends_at,
         create_pattern.first_day, nullif(create_pattern.last_day, 'infinity')
    from parking.spots s
   where s.id = create_pattern.spot_id
  returning * into v_pattern;

  if v_pattern.id is null then
    perform private.refuse('patterns_of_a_spot', '23503');
  end if;

  select p.* into v_pattern from parking.patterns p where p.id = v_pattern.id; -- as it is published
  return v_pattern;
end;
$$;

comment on function api.create_pattern is
  'Share your spot in the same hours every week; the windows of the next weeks are published at once';
grant execute on function api.create_pattern to parking_api;
