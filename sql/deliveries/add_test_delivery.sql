create or replace function private.add_test_delivery(webhook_id uuid)
  returns uuid
  language plpgsql
  volatile
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
