/* One job for each webhook and event, by its key: nothing is sent twice. */
create or replace function private.add_delivery(webhook_id uuid, event_id uuid)
  returns void
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job(
    'webhook',
    concat_ws('/', add_delivery.webhook_id, add_delivery.event_id),
    jsonb_build_object('webhook_id', add_delivery.webhook_id),
    event_id => add_delivery.event_id,
    lane => 'webhook:' || add_delivery.webhook_id
  );
end;

comment on function private.add_delivery is
  'Adds the job that sends an event to a webhook, unless there is or was one.';
