create or replace function api.delete_webhook(
    id uuid,
    out message text,
    out deleted_webhook_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.webhooks w
   where w.id = delete_webhook.id;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  message := 'Webhook deleted successfully';
  deleted_webhook_id := delete_webhook.id;
end;
$$;

comment on function api.delete_webhook is
  'Delete a webhook, and its deliveries: nothing more is sent to it';
grant execute on function api.delete_webhook to parking_api;
