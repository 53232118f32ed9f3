create or replace function api.list_wishes()
  returns setof parking.wishes
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.wishes w
$$;

comment on function api.list_wishes is
  'What you wait for, and what became of it, latest start first';
grant execute on function api.list_wishes to parking_api;
