create or replace function api.update_pattern(
    id uuid,
    weekdays text[] default null,
    starts_at text default null,
    ends_at text default null,
    first_day date default null,
    last_day date default null
)
  returns parking.patterns
  language plpgsql
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  -- Null leaves a field as it is; infinity clears the last day.
  update parking.patterns p
     set weekdays = coalesce(update_pattern.weekdays, p.weekdays),
         starts_at = coalesce(update_pattern.starts_at, p.starts_at),
         ends_at = coalesce(update_pattern.ends_at, p.ends_at),
         first_day = coalesce(update_pattern.first_day, p.first_day),
         last_day = nullif(coalesce(update_pattern.last_day, p.last_day), 'infinity')
   where p.id = update_pattern.id;

  if not found then
    perform private.refuse_absent('patterns');
  end if;

  select p.* into v_pattern from parking.patterns p where p.id = update_pattern.id; -- as it is published
  return v_pattern;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
