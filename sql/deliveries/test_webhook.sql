create or replace function api.test_webhook(id uuid)
  returns setof parking.deliveries
  language plpgsql
  volatile
  security invoker
  rows 1
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.require_webhook(test_webhook.id);

  v_id := private.add_test_delivery(test_webhook.id);
  return query
  select d.*
    from parking.deliveries d
   where d.id = v_id;
end;
$$;

comment on function api.test_webhook is
  'Send a test, once, also where the webhook is off. The list of its deliveries says what became of it';
grant execute on function api.test_webhook to parking_api;
