create or replace function api.list_exceptions()
  returns setof parking.exceptions
  language sql
  stable
  security invoker
as $$
  select e.*
    from parking.exceptions e
$$;

comment on function api.list_exceptions is
  'When you need your spots or are away, by start';
grant execute on function api.list_exceptions to parking_api;
