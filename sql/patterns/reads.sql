create or replace function private.are_weekdays(weekdays text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(weekdays) > 0 and cardinality(weekdays) = (
    select count(*)
      from unnest(array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']) d (day)
     where d.day = any (weekdays)
  );
end;
$$;

comment on function private.are_weekdays is
  'Whether these are different days of the week, one at least.';
grant execute on function private.are_weekdays to parking_api;

create or replace function private.fall_within(weekdays text[], first_day date, last_day date)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  -- Other rules refuse what is not a day, and days in the wrong order.
  if first_day is null or last_day is null or not isfinite(first_day)
    or not isfinite(last_day) or last_day < first_day
  then
    return true;
  end if;

  return exists (
    select
      from generate_series(0, least(last_day - first_day, 6)) n
     where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from first_day + n)]
           = any (weekdays)
  );
end;
$$;

comment on function private.fall_within is
  'Whether one of these weekdays falls on or between these days.';
grant execute on function private.fall_within to parking_api;

create or replace function api.get_pattern(id uuid)
  returns setof parking.patterns
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.patterns p
   where p.id = get_pattern.id
$$;

comment on function api.get_pattern is
  'One of your patterns';
grant execute on function api.get_pattern to parking_api;

/* "at time zone" takes the second of a time that the clock repeats, and reads one that it skips as later. */
create or replace function private.instant_of(wall timestamp, zone text)
  returns timestamptz
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
declare
  v_read constant timestamptz := wall at time zone zone;
  v_shown constant timestamp := v_read at time zone zone;
  v_day_before constant timestamptz := v_read - interval '1 day';
  v_first constant timestamptz :=
    v_day_before + (wall - (v_day_before at time zone zone)); -- with the offset of the day before
begin
  if v_shown = wall then
    return case when (v_first at time zone zone) = wall then least(v_first, v_read) else v_read end;
  end if;

  -- The clock skips it: the first moment that has the new offset. Clocks change at quarters of an hour.
  return (
    select min(q.moment)
      from generate_series(
        date_trunc('hour', v_read - (v_shown - wall)), v_read, interval '15 minutes'
      ) q (moment)
     where (q.moment at time zone zone) - (v_read at time zone zone) = q.moment - v_read
  );
end;
$$;

comment on function private.instant_of is
  'The moment that a time on the clock of a zone means: the first of two, where the clock repeats it; the moment of the change, where it skips it.';
grant execute on function private.instant_of to parking_api;

create or replace function api.list_patterns()
  returns setof parking.patterns
  language sql
  stable
as $$
  select p.*
    from parking.patterns p
$$;

comment on function api.list_patterns is
  'The patterns of your spots, newest first';
grant execute on function api.list_patterns to parking_api;

/*
 * The clock of the building decides, on each day anew (private.instant_of). So a window in the night of a
 * change is longer or shorter than usual. One that lies within the hour that is skipped, such as 02:30 to
 * 03:00, has no time left: its end is not after its start, and availabilities_start_before_end refuses it.
 */
create or replace function private.pattern_spans(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    time_zone text
)
  returns table (day date, start_time timestamptz, end_time timestamptz)
  language sql
  immutable
  parallel safe
begin atomic
  select d.day,
         private.instant_of(d.day + starts_at::time, time_zone),
         private.instant_of(
           d.day + (ends_at::time <= starts_at::time)::integer + ends_at::time, time_zone
         )
    from generate_series(0, last_day - first_day) n
   cross join lateral (values (first_day + n)) d (day)
   where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from d.day)]
         = any (weekdays);
end;

comment on function private.pattern_spans is
  'From when to when a pattern shares a spot on each of its days from first_day to last_day, in this time zone.';
grant execute on function private.pattern_spans to parking_api;
