/* The type of every report. PostgreSQL checks a value of this domain where a report begins and where it ends. */
do $$
begin
  create type private.report as ("from" date, until date, number_of_rows bigint);
  create domain private.reports as private.report;
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on domain private.reports is
  'The period of a report, from its first day until the day after its last, and how many rows it has.';

/* An index has all that this reads. Claims that hold their windows do not overlap either: one at most is open at the start. */
create or replace function private.claimed_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
as $$
  select s.building_section, c.start_time, least(c.end_time, claimed_spans.until)
    from parking.spots s
    join parking.claims c on c.spot_id = s.id
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and c.start_time >= claimed_spans."from"
     and c.start_time < claimed_spans.until
     and c.status <> 'cancelled'
  union all
  select s.building_section, claimed_spans."from", least(o.end_time, claimed_spans.until)
    from parking.spots s
   cross join lateral (
     select c.end_time
       from parking.claims c
      where c.spot_id = s.id
        and c.start_time < claimed_spans."from"
        and c.status <> 'cancelled'
      order by c.start_time desc
      limit 1
   ) o
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and o.end_time > claimed_spans."from"
$$;

comment on function private.claimed_spans is
  'What was claimed in a period, of one section or of all: the active and completed claims, cut at its ends.';

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

create or replace function private.hours(span tstzrange)
  returns numeric
  language sql
  immutable
  parallel safe
return round(extract(epoch from upper(span) - lower(span)) / 3600, 3);

comment on function private.hours is
  'The length of a range in hours, to a thousandth; null for an empty one.';
grant execute on function private.hours to parking_reporter;

create or replace function private.midnight(day date)
  returns timestamptz
  language sql
  stable
return midnight.day::timestamp at time zone (private.building()).time_zone;

comment on function private.midnight is
  'The first moment of a day of the building''s calendar.';
grant execute on function private.midnight to parking_api;

/* Indexes have all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
create or replace function private.offered_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
as $$
  select s.building_section, a.start_time, least(a.end_time, offered_spans.until)
    from parking.spots s
    join parking.availabilities a on a.spot_id = s.id
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.start_time >= offered_spans."from"
     and a.start_time < offered_spans.until
     and a.offered is null
  union all
  select s.building_section, offered_spans."from", least(o.end_time, offered_spans.until)
    from parking.spots s
   cross join lateral (
     select a.end_time, a.offered
       from parking.availabilities a
      where a.spot_id = s.id
        and a.start_time < offered_spans."from"
      order by a.start_time desc
      limit 1
   ) o
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and o.end_time > offered_spans."from"
     and o.offered is null
  union all
  -- The few of which only parts are offered.
  select s.building_section, lower(part), upper(part)
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   cross join lateral unnest(
     a.offered * tstzmultirange(tstzrange(offered_spans."from", offered_spans.until))
   ) part
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.offered is not null
     and a.start_time < offered_spans.until
     and a.end_time > offered_spans."from"
$$;

comment on function private.offered_spans is
  'What was offered in a period, of one section or of all: the windows, cut at its ends.';

/* A report of only those rows that others may see would be wrong. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_scope('reports');
  perform row(report_start."from", report_start.until, null)::private.reports; -- or its rules refuse
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator or a key for reports, and under the rules of private.reports.';

create or replace function private.report_steps("from" date, until date, step text)
  returns table (first_day date, start_time timestamptz)
  language sql
  stable
as $$
  select s.first_day, private.midnight(s.first_day)
    from (
      select greatest(g.day::date, report_steps."from") as first_day
        from generate_series(
               date_trunc(report_steps.step, report_steps."from"::timestamp),
               report_steps.until - interval '1 day',
               ('1 ' || report_steps.step)::interval
             ) g (day)
    ) s
$$;

comment on function private.report_steps is
  'The days, weeks or months of a period, the first of which may be cut.';

/*
 * One look at each span. Those of a section that begin in the same step and end in the same step are
 * counted together; most do both in one step, and few are left for which the steps between are listed.
 */
create or replace function private.section_use(
    "from" date,
    until date,
    section text,
    step text
)
  returns table (
    building_section text,
    first_day date,
    windows bigint,
    offered interval,
    claimed interval
  )
  language plpgsql
  stable
  set search_path = ''
  set work_mem = '32MB' -- groups that do not fit are written to disk, which takes twice the time
  set plan_cache_mode = force_custom_plan -- in which the bounds are a constant
as $$
declare
  v_from constant timestamptz := private.midnight(section_use."from");
  v_until constant timestamptz := private.midnight(section_use.until);
  v_days date[];
  v_bounds timestamptz[];
begin
  select array_agg(s.first_day order by s.first_day),
         array_agg(s.start_time order by s.first_day) || v_until
    into v_days, v_bounds
    from private.report_steps(section_use."from", section_use.until, section_use.step) s;

  return query
    with spans as (
      select o.building_section, o.start_time, o.end_time, false as is_claimed
        from private.offered_spans(v_from, v_until, section_use.section) o
      union all
      select c.building_section, c.start_time, c.end_time, true
        from private.claimed_spans(v_from, v_until, section_use.section) c
    ),
    -- A number is computed once (offset 0), and that of the end only where it is another.
    placed as (
      select b.*,
             case
               when b.end_time > v_bounds[b.first + 1] then width_bucket(b.end_time - interval '1 microsecond', v_bounds)
               else b.first
             end as last
        from (select s.*, width_bucket(s.start_time, v_bounds) as first from spans s offset 0) b
      offset 0
    ),
    alike as (
      select p.building_section,
             p.first,
             p.last,
             p.is_claimed,
             count(*) as spans,
             sum(least(p.end_time, v_bounds[p.first + 1]) - p.start_time) as in_first,
             sum(p.end_time - v_bounds[p.last]) as in_last
        from placed p
       group by p.building_section, p.first, p.last, p.is_claimed
    ),
    used as (
      select a.building_section, a.first as number, a.is_claimed, a.spans, a.in_first as time
        from alike a
      union all
      select a.building_section, n.number, a.is_claimed, a.spans,
             case
               when n.number = a.last then a.in_last
               else a.spans * (v_bounds[n.number + 1] - v_bounds[n.number])
             end
        from alike a
       cross join lateral generate_series(a.first + 1, a.last) n (number)
       where a.last > a.first
    )
    select u.building_section,
           v_days[u.number],
           (sum(u.spans) filter (where not u.is_claimed))::bigint,
           sum(u.time) filter (where not u.is_claimed),
           coalesce(sum(u.time) filter (where u.is_claimed), interval '0')
      from used u
     group by u.building_section, u.number;
end;
$$;

comment on function private.section_use is
  'How long each section was offered and claimed in each step of a period in which it was offered, and by how many windows.';
