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
