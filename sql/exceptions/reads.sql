create or replace function api.claims_in_exception()
  returns setof parking.claims
  language sql
  stable
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

create or replace function api.get_exception(id uuid)
  returns setof parking.exceptions
  language sql
  stable
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

create or replace function private.kept_times(
    spot_id uuid,
    until timestamptz
)
  returns tstzmultirange
  language sql
  stable
  security invoker -- owners see their own exceptions, and no others matter to them
return (
  select coalesce(range_agg(tstzrange(e.start_time, e.end_time)), '{}')
    from parking.spots s
    join parking.exceptions e on e.owner_id = s.owner_id
   where s.id = kept_times.spot_id
     and e.kind = 'keep'
     and coalesce(e.spot_id, s.id) = s.id
     and e.start_time < kept_times.until
     and e.end_time > clock_timestamp()
);

comment on function private.kept_times is
  'When the owner of the spot needs it, by exceptions that have not ended and start before a moment.';
grant execute on function private.kept_times to parking_api;

create or replace function api.list_exceptions()
  returns setof parking.exceptions
  language sql
  stable
as $$
  select e.*
    from parking.exceptions e
$$;

comment on function api.list_exceptions is
  'When you need your spots or are away, by start';
grant execute on function api.list_exceptions to parking_api;
