create or replace function api.get_wish(id uuid)
  returns setof parking.wishes
  language sql
  stable
  security invoker
  rows 1
as $$
  select w.*
    from parking.wishes w
   where w.id = get_wish.id
$$;

comment on function api.get_wish is
  'One of your wishes';
grant execute on function api.get_wish to parking_api;
