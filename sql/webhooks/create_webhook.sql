create or replace function api.create_webhook(
    inout url text,
    inout types text[],
    inout format text default 'event',
    inout enabled boolean default true,
    out id uuid,
    out failing_since timestamptz,
    out created_at timestamptz,
    out updated_at timestamptz,
    out secret text
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  insert into parking.webhooks as w (url, types, format, enabled)
  values (create_webhook.url, create_webhook.types, create_webhook.format, create_webhook.enabled)
  returning w.id, w.created_at, w.updated_at
       into create_webhook.id, create_webhook.created_at, create_webhook.updated_at;

  secret := private.give_webhook_secret(create_webhook.id);
end;
$$;

comment on function api.create_webhook is
  'Send events to an address from now on. Only this answer has the secret that signs them';
grant execute on function api.create_webhook to parking_api;
