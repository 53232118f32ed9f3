create or replace function api.get_availability(id uuid)
  returns setof parking.availabilities
  language sql
  stable
  security invoker
  rows 1
as $$
  select a.*
    from parking.availabilities a
   where a.id = get_availability.id
$$;

comment on function api.get_availability is
  'One window';
grant execute on function api.get_availability to parking_api;
