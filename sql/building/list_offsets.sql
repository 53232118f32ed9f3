/* A browser may be older than the zone of the building. */
create or replace function api.list_offsets()
  returns table (since timestamptz, minutes integer)
  language sql
  stable
  security invoker
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
