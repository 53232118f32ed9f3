/*
 * Between two moments at which anything changes, as many spots are offered, and claimed, all the time.
 * Many windows start and end at the same moments, so this is faster than cutting each into its hours.
 */
create or replace function private.hour_use("from" timestamptz, until timestamptz, section text)
  returns table (
    weekday integer,
    hour integer,
    offered numeric,
    claimed numeric
  )
  language plpgsql
  stable
  security invoker
  set search_path = ''
  set work_mem = '32MB' -- groups that do not fit are written to disk, which takes twice the time
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with changes as (
      select coalesce(o.start_time, o.end_time) as moment,
             case when grouping(o.end_time) = 1 then count(*) else -count(*) end::integer as offered,
             0 as claimed
        from private.offered_spans(hour_use."from", hour_use.until, hour_use.section) o
       group by grouping sets ((o.start_time), (o.end_time))
      union all
      select coalesce(c.start_time, c.end_time),
             0,
             case when grouping(c.end_time) = 1 then count(*) else -count(*) end::integer
        from private.claimed_spans(hour_use."from", hour_use.until, hour_use.section) c
       group by grouping sets ((c.start_time), (c.end_time))
      union all
      -- Half hours, because there are zones that move their clocks by one.
      select h.moment, 0, 0
        from generate_series(hour_use."from", hour_use.until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.offered)::integer as offered, sum(c.claimed)::integer as claimed
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
    )
    select extract(isodow from s.moment)::integer,
           extract(hour from s.moment)::integer,
           sum(s.offered * s.seconds),
           sum(s.claimed * s.seconds)
      from steps s
     group by 1, 2;
end;
$$;

comment on function private.hour_use is
  'For how many seconds spots were offered and claimed in each hour of the week, over a period.';
grant execute on function private.hour_use to parking_api;
