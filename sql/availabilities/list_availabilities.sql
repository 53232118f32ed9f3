create or replace function api.list_availabilities()
  returns setof parking.availabilities
  language sql
  stable
  security invoker
as $$
  select a.*
    from parking.availabilities a
$$;

comment on function api.list_availabilities is
  'The windows of all spots, by start';
grant execute on function api.list_availabilities to parking_api;
