create or replace function api.update_webhook(
    id uuid,
    url text default null,
    types text[] default null,
    format text default null,
    enabled boolean default null
)
  returns parking.webhooks
  language plpgsql
  set search_path = ''
as $$
declare
  v_webhook parking.webhooks;
begin
  perform private.require_administrator();

  update parking.webhooks w
     set url = coalesce(update_webhook.url, w.url),
         types = coalesce(update_webhook.types, w.types),
         format = coalesce(update_webhook.format, w.format),
         enabled = coalesce(update_webhook.enabled, w.enabled)
   where w.id = update_webhook.id
  returning * into v_webhook;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  return v_webhook;
end;
$$;

comment on function api.update_webhook is
  'Change a webhook, or turn it off or on. What waits goes to the new address';
grant execute on function api.update_webhook to parking_api;
