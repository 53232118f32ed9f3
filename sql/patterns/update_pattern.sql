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
  v_before parking.patterns;
  v_after parking.patterns;
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  select p.* into v_before from parking.patterns p where p.id = update_pattern.id;
  if not found then
    perform private.refuse_absent('patterns');
  end if;

  -- Null leaves a field as it is; infinity clears the last day.
  v_after := v_before;
  v_after.weekdays := coalesce(update_pattern.weekdays, v_before.weekdays);
  v_after.starts_at := coalesce(update_pattern.starts_at, v_before.starts_at);
  v_after.ends_at := coalesce(update_pattern.ends_at, v_before.ends_at);
  v_after.first_day := coalesce(update_pattern.first_day, v_before.first_day);
  v_after.last_day := nullif(coalesce(update_pattern.last_day, v_before.last_day), 'infinity');

  update parking.patterns p
     set weekdays = v_after.weekdays,
         starts_at = v_after.starts_at,
         ends_at = v_after.ends_at,
         first_day = v_after.first_day,
         last_day = v_after.last_day
   where p.id = v_before.id;
  select p.* into v_after from parking.patterns p where p.id = v_before.id; -- as it is published

  return v_after;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
