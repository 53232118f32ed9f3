/* See private.hour_use. Wishes of a resident for the same time, in several sections, count once. */
create or replace function api.unmet_wishes("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    wished_minutes bigint,
    unmet_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security definer -- nobody sees the wishes of others, only these numbers; private.report_start refuses all others
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(unmet_wishes."from", unmet_wishes.until);
  -- A wish for a time to come may still be fulfilled.
  v_until constant timestamptz := greatest(v_from, least(private.midnight(unmet_wishes.until), now()));
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with residents as (
      select range_agg(w.during) as wished,
             coalesce(range_agg(w.during) filter (where w.claim_id is not null), '{}') as met
        from (
          select i.wisher_id, i.claim_id, tstzrange(i.start_time, i.end_time) * tstzrange(v_from, v_until) as during
            from parking.wishes i
            left join parking.spots s on s.id = i.spot_id
           where i.start_time < v_until
             and i.end_time > v_from
             and coalesce(i.building_section, s.building_section, '')
               = coalesce(unmet_wishes.section, i.building_section, s.building_section, '')
        ) w
       group by w.wisher_id
    ),
    spans as (
      select unnest(r.wished) as during, 1 as wished, 0 as unmet from residents r
      union all
      select unnest(r.wished - r.met), 0, 1 from residents r
    ),
    changes as (
      select lower(s.during) as moment, s.wished, s.unmet from spans s
      union all
      select upper(s.during), -s.wished, -s.unmet from spans s
      union all
      select h.moment, 0, 0
        from generate_series(v_from, v_until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.wished) as wished, sum(c.unmet) as unmet
        from changes c
       group by c.moment
    ),
    steps as (
      select m.moment at time zone v_zone as moment,
             extract(epoch from lead(m.moment) over by_time - m.moment) as seconds,
             sum(m.wished) over by_time as wished,
             sum(m.unmet) over by_time as unmet
        from moments m
      window by_time as (order by m.moment)
    ),
    hours as (
      select extract(isodow from s.moment) as weekday,
             extract(hour from s.moment) as hour,
             sum(s.wished * s.seconds) as wished,
             sum(s.unmet * s.seconds) as unmet
        from steps s
       group by 1, 2
    )
    select d.weekday,
           h.hour,
           coalesce(round(u.wished / 60), 0)::bigint,
           coalesce(round(u.unmet / 60), 0)::bigint,
           round(u.unmet / nullif(u.wished, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join hours u
             on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function api.unmet_wishes is
  'How much residents waited for in each hour of the week, and how much of it in vain';
grant execute on function api.unmet_wishes to parking_api;
