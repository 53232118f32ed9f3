create or replace function api.get_spot(id uuid)
  returns setof parking.spots
  language sql
  stable
  security invoker
  rows 1
as $$
  select s.*
    from parking.spots s
   where s.id = get_spot.id
     and s.retired_at is null
$$;

comment on function api.get_spot is
  'One spot';
grant execute on function api.get_spot to parking_api;
