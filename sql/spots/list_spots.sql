create or replace function api.list_spots()
  returns setof parking.spots
  language sql
  stable
  security invoker
as $$
  select s.*
    from parking.spots s
   where s.retired_at is null
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;
