/* For the job, which asks without a caller, before it acts as the owners. A signed-in caller sees nothing. */
create or replace function private.due_patterns()
  returns table (id uuid, owner_id uuid)
  language sql
  stable
  security definer -- it lists the patterns of all residents
  set search_path = ''
begin atomic
  select distinct on (p.spot_id) p.id, p.owner_id -- the whole spot is set anew
    from parking.patterns p
    join parking.profiles o on o.id = p.owner_id and o.is_approved
   cross join parking.building b
   where (select private.caller_id()) is null
     and (select private.key_id()) is null
     and (
       p.time_zone <> b.time_zone
       or p.published_until is null
       or p.published_until < least((now() at time zone b.time_zone)::date + b.pattern_days - 1, p.last_day)
     )
   order by p.spot_id, p.id;
end;

comment on function private.due_patterns is
  'For each spot of an approved resident, one pattern that has days to publish, or that was published in another time zone.';
grant execute on function private.due_patterns to parking_api;

/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
begin
  perform private.require_service();
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', extend_pattern.owner_id)::text, true
  );
  perform private.lock_own_spots();
  -- Said again, it is published as far as it is to be by now.
  update parking.patterns p set weekdays = p.weekdays where p.id = extend_pattern.id;
  return (
    select count(*)
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.source_id is not null
     where p.id = extend_pattern.id
       and a.created_at >= now()::timestamptz(3)
  );
end;
$$;

comment on function private.extend_pattern is
  'Publishes what is due of the spot of a pattern, as its owner, and returns the number of windows.';
grant execute on function private.extend_pattern to parking_api;

/* It notes nothing if a setting has changed meanwhile. The job publishes again then. */
create or replace function private.note_published(
    spot_id uuid,
    building parking.building,
    limits parking.limits
)
  returns void
  language plpgsql
  security definer -- residents may not write what is published, and limits are read past the policies
  set search_path = ''
as $$
declare
  v_today constant date := (clock_timestamp() at time zone building.time_zone)::date;
  v_until constant date := v_today + building.pattern_days - 1;
  v_horizon constant timestamptz := private.days_after(clock_timestamp(), limits.horizon_days);
begin
  perform private.require_trigger();
  if building is distinct from private.building()
    or limits is distinct from private.limits_of(note_published.spot_id)
  then
    return;
  end if;

  update parking.patterns p
     set published_until = n.until,
         time_zone = building.time_zone
    from (
      select o.id, greatest(o.published_until, coalesce(min(t.day) - 1, v_until)) as until
        from parking.patterns o
        left join private.pattern_spans(
          o.weekdays, o.starts_at, o.ends_at,
          greatest(o.first_day, v_today), least(o.last_day, v_until), building.time_zone
        ) t on t.end_time > v_horizon
       where o.spot_id = note_published.spot_id
         and o.owner_id = (select private.caller_id())
       group by o.id
    ) n
   where p.id = n.id
     and (p.published_until, p.time_zone) is distinct from (n.until, building.time_zone);
end;
$$;

comment on function private.note_published is
  'Notes until which day the patterns of a spot of the caller are published by these settings, and in which time zone.';
grant execute on function private.note_published to parking_api;
