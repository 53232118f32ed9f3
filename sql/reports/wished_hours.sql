/* See private.hour_use. Wishes of a resident for the same time, in several sections, count once. */
create or replace function private.wished_hours("from" timestamptz, until timestamptz, section text)
  returns table (
    weekday integer,
    hour integer,
    wished numeric,
    unmet numeric
  )
  language plpgsql
  stable
  security definer -- administrators see no wish, only these numbers
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with residents as (
      select range_agg(w.during) as wished,
             coalesce(range_agg(w.during) filter (where w.claim_id is not null), '{}') as met
        from (
          select i.wisher_id,
                 i.claim_id,
                 tstzrange(i.start_time, i.end_time)
                   * tstzrange(wished_hours."from", wished_hours.until) as during
            from parking.wishes i
            left join parking.spots s on s.id = i.spot_id
           where i.start_time < wished_hours.until
             and i.end_time > wished_hours."from"
             and coalesce(i.building_section, s.building_section, '')
               = coalesce(wished_hours.section, i.building_section, s.building_section, '')
             and (select private.is_administrator())
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
        from generate_series(wished_hours."from", wished_hours.until, interval '30 minutes') h (moment)
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
    )
    select extract(isodow from s.moment)::integer,
           extract(hour from s.moment)::integer,
           sum(s.wished * s.seconds),
           sum(s.unmet * s.seconds)
      from steps s
     group by 1, 2;
end;
$$;

comment on function private.wished_hours is
  'For how many seconds residents wished for a spot, and had none for it, in each hour of the week over a period; nothing, unless the caller is an administrator.';
grant execute on function private.wished_hours to parking_api;
