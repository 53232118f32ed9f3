create or replace function api.get_webhook(id uuid)
  returns setof parking.webhooks
  language sql
  stable
  security invoker
  rows 1
as $$
  select w.*
    from parking.webhooks w
   where w.id = get_webhook.id
$$;

comment on function api.get_webhook is
  'One webhook';
grant execute on function api.get_webhook to parking_api;
