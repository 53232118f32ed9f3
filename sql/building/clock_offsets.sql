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
