create or replace function private.until_of(pattern parking.patterns)
  returns date
  language plpgsql
  stable
  security definer -- the limits of a spot are read past the policies
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_until constant date := v_today + v_building.pattern_days - 1;
  v_horizon constant timestamptz := private.days_after(
    clock_timestamp(), (private.limits_of(pattern.spot_id)).horizon_days
  );
begin
  return least(
    v_until,
    (
      select min(t.day) - 1
        from private.pattern_spans(
          pattern.weekdays, pattern.starts_at, pattern.ends_at,
          greatest(pattern.first_day, v_today), least(pattern.last_day, v_until),
          v_building.time_zone
        ) t
       where t.end_time > v_horizon
    )
  );
end;
$$;

comment on function private.until_of is
  'The last day for which a pattern is published by now: as far ahead as the building has it, and its horizon allows.';
grant execute on function private.until_of to parking_api;
