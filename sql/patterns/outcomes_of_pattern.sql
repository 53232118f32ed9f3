/*
 * A window that stays because it is claimed, or has begun, is in the way of what the pattern says now. What is
 * missing is tried once more: the rule that refuses it says why.
 */
create or replace function private.outcomes_of_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    reason text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_pattern parking.patterns;
  v_kept tstzmultirange;
  v_span tstzmultirange;
  v_own tstzmultirange;
  v_there tstzmultirange;
  v_rule text;
begin
  select p.* into v_pattern from parking.patterns p where p.id = outcomes_of_pattern.id;
  v_kept := private.kept_times(v_pattern.spot_id, 'infinity');

  for day, start_time, end_time in
    select t.*
      from private.pattern_spans(
        v_pattern.weekdays, v_pattern.starts_at, v_pattern.ends_at,
        greatest(v_pattern.first_day, v_today),
        least(v_pattern.last_day, v_today + v_building.pattern_days - 1),
        v_building.time_zone
      ) t
     order by t.day
  loop
    v_span := tstzmultirange(tstzrange(start_time, greatest(start_time, end_time))) - v_pattern.withdrawn;
    select coalesce(range_agg(a.during) filter (
             where a.source_id = v_pattern.id and not private.is_held(a.id) and a.start_time > clock_timestamp()
           ), '{}'),
           coalesce(range_agg(a.during), '{}')
      into v_own, v_there
      from parking.availabilities a
     where a.spot_id = v_pattern.spot_id
       and a.start_time < outcomes_of_pattern.end_time
       and a.end_time > outcomes_of_pattern.start_time;

    return query
      select outcomes_of_pattern.day, lower(x.span), upper(x.span), x.outcome, x.reason
        from (
          select unnest(v_span * v_own - v_kept) as span, 'published' as outcome, null as reason
          union all
          select unnest(v_span * v_own * v_kept), 'kept', null
          union all
          select unnest(v_span * (v_there - v_own)), 'overlaps',
                 (select r.message from private.rules r where r.name = 'availabilities_do_not_overlap')
        ) x
       order by x.span;

    for start_time, end_time in
      select lower(m), upper(m) from unnest(v_span - v_there) m
      union all
      select start_time, end_time where end_time <= start_time -- a change of the clock leaves no time
    loop
      v_rule := private.publish(s, v_pattern.id, v_pattern.id, tstzrange(start_time, end_time))
           from parking.spots s
          where s.id = v_pattern.spot_id;
      outcome := case when v_rule is null then 'published' else 'refused' end;
      reason := (
        select r.message from private.rules r where r.name = v_rule and r."table" = 'availabilities'
      );
      return next;
    end loop;
  end loop;
end;
$$;

comment on function private.outcomes_of_pattern is
  'What became of each window of a pattern of the caller: published, kept (by an exception), overlaps (another window) or refused (by a rule).';
grant execute on function private.outcomes_of_pattern to parking_api;
