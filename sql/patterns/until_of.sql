create or replace function private.until_of(pattern parking.patterns)
  returns date
  language sql
  stable
  security definer -- the limits of a spot are read past the policies
  set search_path = ''
as $$
  select least(
           d.today + b.pattern_days - 1,
           (
             select min(t.day) - 1
               from private.pattern_spans(
                 (pattern).weekdays, (pattern).starts_at, (pattern).ends_at,
                 greatest((pattern).first_day, d.today),
                 least((pattern).last_day, d.today + b.pattern_days - 1),
                 b.time_zone
               ) t
              where t.end_time > h.horizon
           )
         )
    from private.building() b
   cross join lateral (
     select private.days_after(clock_timestamp(), (private.limits_of((pattern).spot_id)).horizon_days) as horizon
     offset 0 -- once, not for each day
   ) h
   cross join lateral (values ((clock_timestamp() at time zone b.time_zone)::date)) d (today)
$$;

comment on function private.until_of is
  'The last day for which a pattern is published by now: as far ahead as the building has it, and its horizon allows.';
grant execute on function private.until_of to parking_api;
