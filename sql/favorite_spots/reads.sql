create or replace function api.get_favorite_spot(id uuid)
  returns setof parking.favorite_spots
  language sql
  stable
  rows 1
as $$
  select f.*
    from parking.favorite_spots f
   where f.id = get_favorite_spot.id
$$;

comment on function api.get_favorite_spot is
  'One of your stars';
grant execute on function api.get_favorite_spot to parking_api;

create or replace function api.list_favorite_spots()
  returns setof parking.favorite_spots
  language sql
  stable
as $$
  select f.*
    from parking.favorite_spots f
$$;

comment on function api.list_favorite_spots is
  'The spots to which you have given a star, the latest first';
grant execute on function api.list_favorite_spots to parking_api;
