/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
begin atomic
  -- Not "from private.building()": that would write down its columns, of which a setting adds one.
  with zone as materialized (select (private.building()).time_zone as name)
  select date_trunc('day', now() at time zone z.name + interval '1 year') at time zone z.name
    from zone z;
end;

comment on function private.reported_until is
  'The midnight at which reports of days and hours end: a year from today, in the time zone of the building.';
grant execute on function private.reported_until to parking_reporter, parking_analyst;

create or replace function private.reported_period(out "from" date, out until date)
  language sql
  stable
begin atomic
  with zone as materialized (select (private.building()).time_zone as name) -- as in private.reported_until
  select (min(a.start_time) at time zone z.name)::date,
         (least(max(a.end_time) + interval '1 day', private.reported_until()) at time zone z.name)::date
    from parking.availabilities a
   cross join zone z
   group by z.name;
end;

comment on function private.reported_period is
  'The days of all windows, up to a year from today; null where there is none.';

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

create or replace function private.reported_hour_use()
  returns table (
    weekday integer,
    hour integer,
    offered numeric,
    claimed numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.weekday, u.hour, u.offered, u.claimed
    from private.reported_period() p
   cross join lateral private.hour_use(private.midnight(p."from"), private.midnight(p.until), null) u
   where u.offered > 0;
end;

comment on function private.reported_hour_use is
  'For reporting tools: how well each hour of the week was used in all the time.';
grant execute on function private.reported_hour_use to parking_reporter, parking_analyst;

create or replace function private.reported_section_use(step text)
  returns table (
    first_day date,
    building_section text,
    offered_spots bigint,
    offered_hours numeric,
    claimed_hours numeric,
    utilisation numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.first_day,
         u.building_section,
         u.windows - coalesce(r.windows, 0),
         round(extract(epoch from u.offered) / 3600, 3),
         round(extract(epoch from u.claimed) / 3600, 3),
         round(extract(epoch from u.claimed) / extract(epoch from u.offered), 4)
    from (
      select date_trunc(reported_section_use.step, d."from"::timestamp)::date as "from", d.until
        from private.reported_period() d
    ) p
   cross join lateral private.section_use(p."from", p.until, null, reported_section_use.step) u
    left join private.repeated_windows(p."from", p.until, reported_section_use.step) r
           on r.building_section = u.building_section and r.first_day = u.first_day;
end;

comment on function private.reported_section_use is
  'For reporting tools: how well each section was used, by days or months, in all the time.';
grant execute on function private.reported_section_use to parking_reporter, parking_analyst;
