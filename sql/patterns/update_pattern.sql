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
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.patterns;
  v_after parking.patterns;
begin
  perform private.lock_spot_of_pattern(update_pattern.id);
  perform private.require_approved();

  select p.* into v_before from parking.patterns p where p.id = update_pattern.id;
  if not found then
    perform private.refuse_absent('patterns');
  end if;

  -- Null leaves a field as it is; infinity clears the last day.
  update parking.patterns p
     set weekdays = coalesce(update_pattern.weekdays, p.weekdays),
         starts_at = coalesce(update_pattern.starts_at, p.starts_at),
         ends_at = coalesce(update_pattern.ends_at, p.ends_at),
         first_day = coalesce(update_pattern.first_day, p.first_day),
         last_day = nullif(coalesce(update_pattern.last_day, p.last_day), 'infinity')
   where p.id = v_before.id
  returning * into v_after;

  if (v_after.weekdays, v_after.starts_at, v_after.ends_at, v_after.first_day, v_after.last_day)
     is distinct from
     (v_before.weekdays, v_before.starts_at, v_before.ends_at, v_before.first_day, v_before.last_day)
  then
    perform from private.renew_pattern(v_before.id);
    select p.* into v_after from parking.patterns p where p.id = v_before.id;
  end if;

  return v_after;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
