create or replace function api.get_exception(id uuid)
  returns setof parking.exceptions
  language sql
  stable
  security invoker
  rows 1
as $$
  select e.*
    from parking.exceptions e
   where e.id = get_exception.id
     and set_config('request.exception', e.id::text, true) is not null -- for api.claims_in_exception
$$;

comment on function api.get_exception is
  'One of your exceptions, with the claims in it';
grant execute on function api.get_exception to parking_api;
