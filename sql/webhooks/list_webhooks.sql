create or replace function api.list_webhooks()
  returns setof parking.webhooks
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.webhooks w
$$;

comment on function api.list_webhooks is
  'Where events are sent, newest first';
grant execute on function api.list_webhooks to parking_api;
