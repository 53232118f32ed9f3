create or replace function private.add_test_delivery(webhook_id uuid)
  returns uuid
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
declare
  v_key constant text := concat_ws('/', webhook_id, 'test', gen_random_uuid());
begin
  perform private.require_administrator();

  perform private.add_job(
    'webhook',
    v_key,
    jsonb_build_object('webhook_id', add_test_delivery.webhook_id),
    lane => 'webhook:' || add_test_delivery.webhook_id
  );
  return (select j.id from private.jobs j where j.kind = 'webhook' and j.key = v_key);
end;
$$;

comment on function private.add_test_delivery is
  'Adds a job that sends a test to a webhook, for administrators, and returns its id.';
grant execute on function private.add_test_delivery to parking_api;

create or replace function api.test_webhook(id uuid)
  returns setof parking.deliveries
  language plpgsql
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
