/*
 * The times that the owner wants to offer: absences come first, then patterns. Each day of a pattern is a span of
 * its own, even if the next day begins at its end.
 */
create or replace function private.source_spans(spot_id uuid, around tstzrange default '(,)')
  returns table (rank bigint, source_id uuid, pattern_id uuid, span tstzrange, withdrawn tstzmultirange)
  language plpgsql
  stable
  security invoker -- owners see their own plans, and no others matter to their spots
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
begin
  return query
    select row_number() over (order by x.is_pattern, x.id, x.span),
           x.id,
           case when x.is_pattern then x.id end,
           x.span,
           x.withdrawn
      from (
        select false as is_pattern, e.id, tstzrange(e.start_time, e.end_time) as span, e.withdrawn
          from parking.spots s
          join parking.exceptions e
            on e.owner_id = s.owner_id
           and coalesce(e.spot_id, s.id) = s.id
           and s.id < e.id -- one that was registered later was never shared by it
         where s.id = source_spans.spot_id
           and e.kind = 'share'
           and e.end_time > clock_timestamp()
        union all
        select true, p.id, tstzrange(t.start_time, t.end_time), p.withdrawn
          from parking.patterns p
         cross join lateral private.pattern_spans(
           p.weekdays,
           p.starts_at,
           p.ends_at,
           -- One that began the day before may last until then.
           greatest(
             p.first_day, v_today - 1,
             (lower(source_spans.around) at time zone v_building.time_zone)::date - 1
           ),
           least(
             p.last_day,
             greatest(p.published_until, v_today + v_building.pattern_days - 1),
             (upper(source_spans.around) at time zone v_building.time_zone)::date
           ),
           v_building.time_zone
         ) t
         where p.spot_id = source_spans.spot_id
           and t.start_time < t.end_time -- not where a change of the clock leaves no time
      ) x;
end;
$$;

comment on function private.source_spans is
  'What the patterns and the exceptions of kind share of the caller say of a spot, from today on and around a time, in the order in which they come first; and what was withdrawn of them by hand.';
grant execute on function private.source_spans to parking_api;
