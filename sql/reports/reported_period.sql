create or replace function private.reported_period(out "from" date, out until date)
  language sql
  stable
begin atomic
  select (min(a.start_time) at time zone b.time_zone)::date,
         (least(max(a.end_time) + interval '1 day', private.reported_until()) at time zone b.time_zone)::date
    from parking.availabilities a
   cross join private.building() b
   group by b.time_zone;
end;

comment on function private.reported_period is
  'The days of all windows, up to a year from today; null where there is none.';
