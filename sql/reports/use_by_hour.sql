/*
 * Between two moments at which anything changes, as many spots are offered, and claimed, all the time.
 * Many windows start and end at the same moments, so this is faster than cutting each into its hours.
 */
create or replace function api.use_by_hour("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    offered_minutes bigint,
    claimed_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(use_by_hour."from", use_by_hour.until);
  v_until constant timestamptz := private.midnight(use_by_hour.until);
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with changes as (
      select coalesce(o.start_time, o.end_time) as moment,
             case when grouping(o.end_time) = 1 then count(*) else -count(*) end as offered,
             0 as claimed
        from private.offered_spans(v_from, v_until, use_by_hour.section) o
       group by grouping sets ((o.start_time), (o.end_time))
      union all
      select coalesce(c.start_time, c.end_time),
             0,
             case when grouping(c.end_time) = 1 then count(*) else -count(*) end
        from private.claimed_spans(v_from, v_until, use_by_hour.section) c
       group by grouping sets ((c.start_time), (c.end_time))
      union all
      -- Half hours, because there are zones that move their clocks by one.
      select h.moment, 0, 0
        from generate_series(v_from, v_until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.offered) as offered, sum(c.claimed) as claimed
        from changes c
       group by c.moment
    ),
    steps as (
      select m.moment at time zone v_zone as moment,
             extract(epoch from lead(m.moment) over by_time - m.moment) as seconds,
             sum(m.offered) over by_time as offered,
             sum(m.claimed) over by_time as claimed
        from moments m
      window by_time as (order by m.moment)
    ),
    used as (
      select extract(isodow from s.moment) as weekday,
             extract(hour from s.moment) as hour,
             sum(s.offered * s.seconds) as offered,
             sum(s.claimed * s.seconds) as claimed
        from steps s
       group by 1, 2
    )
    select d.weekday,
           h.hour,
           coalesce(round(u.offered / 60), 0)::bigint,
           coalesce(round(u.claimed / 60), 0)::bigint,
           round(u.claimed / nullif(u.offered, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join used u on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function api.use_by_hour is
  'How much was offered and claimed in each hour of the week';
grant execute on function api.use_by_hour to parking_api;
