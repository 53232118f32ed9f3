create or replace function private.is_of_pattern(pattern_id uuid, day date, span tstzrange)
  returns boolean
  language sql
  stable
  security invoker -- residents see their own patterns, and no others matter to them
  set search_path = ''
as $$
  select exists (
    select
      from parking.patterns p
     cross join lateral private.pattern_spans(
       p.weekdays,
       p.starts_at,
       p.ends_at,
       greatest(p.first_day, is_of_pattern.day),
       least(p.last_day, is_of_pattern.day),
       p.time_zone
     ) s
     where p.id = is_of_pattern.pattern_id
       and not exists (select from unnest(p.left_out_times) t where t && is_of_pattern.span)
       and tstzrange(s.start_time, greatest(s.start_time, s.end_time)) @> is_of_pattern.span
  )
$$;

comment on function private.is_of_pattern is
  'Whether a pattern of the caller shares this time on this day.';
grant execute on function private.is_of_pattern to parking_api;
