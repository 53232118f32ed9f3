create or replace function api.claims_in_exception()
  returns setof parking.claims
  language sql
  stable
  security invoker
  rows 10
as $$
  select c.*
    from parking.exceptions e
    join parking.claims c on c.owner_id = e.owner_id
   where e.id = nullif(current_setting('request.exception', true), '')::uuid
     and coalesce(e.spot_id, c.spot_id) = c.spot_id
     and c.status <> 'cancelled'
     and c.start_time < e.end_time
     and c.end_time > e.start_time
   order by c.start_time, c.id
   limit 200
$$;

comment on function api.claims_in_exception is
  'The claims on your spots in the exception that this transaction made or read, by start.';
grant execute on function api.claims_in_exception to parking_api;
