create or replace function api.list_deliveries()
  returns setof parking.deliveries
  language sql
  stable
as $$
  select d.*
    from parking.deliveries d
$$;

comment on function api.list_deliveries is
  'What was sent to a webhook, or will be, newest first';
grant execute on function api.list_deliveries to parking_api;
