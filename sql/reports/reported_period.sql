create or replace function private.reported_period(out "from" date, out until date)
  language sql
  stable
begin atomic
  with zone as materialized (select (private.building()).time_zone as name) -- as in private.reported_until
  select (min(a.start_time) at time zone z.name)::date,
         (least(max(a.end_time) + interval '1 day', private.reported_until()) at time zone z.name)::date
    from parking.availabilities a
   cross join zone z
   group by z.name;
end;

comment on function private.reported_period is
  'The days of all windows, up to a year from today; null where there is none.';
