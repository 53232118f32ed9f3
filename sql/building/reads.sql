/* For triggers, notifications and reports. Rules bind people who may not read the row. */
create or replace function private.building()
  returns parking.building
  language plpgsql
  stable
  security definer -- reports and rules need the row also for callers who may not read it
  set search_path = ''
as $$
declare
  v_building parking.building;
begin
  select b.* into v_building from parking.building b;
  return v_building;
end;
$$;

comment on function private.building is
  'The building, such as its time zone.';
grant execute on function private.building to parking_api, parking_reporter;

/* Looked for by days, and on a day whose end has another offset, by quarters of an hour. */
create or replace function private.clock_offsets(zone text, first timestamptz, last timestamptz)
  returns table (since timestamptz, minutes integer)
  language sql
  stable
  set search_path = ''
begin atomic
  with days as (
    select d.moment,
           extract(epoch from (d.moment at time zone zone) - (d.moment at time zone 'UTC')) as seconds
      from generate_series(first, last, interval '24 hours') d (moment)
  ),
  moments as (
    select first as moment
     union
    select q.moment
      from (
        select d.moment, d.seconds, lead(d.seconds) over (order by d.moment) as next
          from days d
      ) d
     cross join generate_series(
       date_trunc('hour', d.moment), d.moment + interval '24 hours', interval '15 minutes'
     ) q (moment)
     where d.seconds <> d.next
  ),
  offsets as (
    select m.moment,
           extract(epoch from (m.moment at time zone zone) - (m.moment at time zone 'UTC')) as seconds
      from moments m
     where m.moment >= first
  )
  select o.moment, (o.seconds / 60)::integer
    from (
      select o.moment, o.seconds, lag(o.seconds) over (order by o.moment) as before
        from offsets o
    ) o
   where o.before is distinct from o.seconds
   order by o.moment;
end;

comment on function private.clock_offsets is
  'From when on the clocks of a zone are how many minutes ahead of UTC, from first until last.';
grant execute on function private.clock_offsets to parking_api;

/* Limits in days: a day of the building's calendar may have 23 or 25 hours. */
create or replace function private.days_after(moment timestamptz, days integer)
  returns timestamptz
  language sql
  stable
  strict
return date_add(moment, make_interval(days => days), (private.building()).time_zone);

comment on function private.days_after is
  'The same time of day so many days later, in the time zone of the building; null for null.';
grant execute on function private.days_after to parking_api;

create or replace function api.get_building()
  returns setof parking.buildings
  language sql
  stable
  rows 1
as $$
  select b.*
    from parking.buildings b
$$;

comment on function api.get_building is
  'The building: its name, its time zone and its limits';
grant execute on function api.get_building to parking_api;

/* A browser may be older than the zone of the building. */
create or replace function api.list_offsets()
  returns table (since timestamptz, minutes integer)
  language sql
  stable
as $$
  select o.since, o.minutes
    from parking.building b
   cross join lateral private.clock_offsets(
     b.time_zone, date_trunc('hour', now() - interval '2 years'), now() + interval '2 years'
   ) o
   order by o.since
$$;

comment on function api.list_offsets is
  'How far the clocks of the building are ahead of UTC, of two years back and ahead: for clients that do not know its time zone';
grant execute on function api.list_offsets to parking_api;
