create or replace function private.repeated_windows("from" date, until date, step text)
  returns table (building_section text, first_day date, windows bigint)
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_custom_plan -- in which the bounds are a constant
as $$
declare
  v_until constant timestamptz := private.midnight(repeated_windows.until);
  v_days date[];
  v_bounds timestamptz[];
begin
  select array_agg(s.first_day order by s.first_day),
         array_agg(s.start_time order by s.first_day) || v_until
    into v_days, v_bounds
    from private.report_steps(repeated_windows."from", repeated_windows.until, repeated_windows.step) s;

  return query
    with windows as (
      select a.spot_id,
             lag(a.end_time) over (partition by a.spot_id order by a.start_time) as previous_end_time,
             width_bucket(a.start_time, v_bounds) as number
        from parking.availabilities a
       where a.start_time < v_until
         and a.offered is distinct from '{}'
    )
    select s.building_section, v_days[w.number], count(*)
      from windows w
      join parking.spots s on s.id = w.spot_id
     where w.previous_end_time > v_bounds[w.number]
     group by s.building_section, w.number;
end;
$$;

comment on function private.repeated_windows is
  'How many windows of each section begin in a step in which their spot was offered before. The period begins before all windows.';
