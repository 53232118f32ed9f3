/* It notes nothing if a setting has changed meanwhile. The job publishes again then. */
create or replace function private.note_published(
    spot_id uuid,
    building parking.building,
    limits parking.limits
)
  returns void
  language plpgsql
  volatile
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
