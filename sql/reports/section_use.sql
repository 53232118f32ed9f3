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
  security invoker
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
grant execute on function private.section_use to parking_api;
