create or replace function api.get_building()
  returns setof parking.buildings
  language sql
  stable
  security invoker
  rows 1
as $$
  select b.*
    from parking.buildings b
$$;

comment on function api.get_building is
  'The building: its name, its time zone and its limits';
grant execute on function api.get_building to parking_api;
