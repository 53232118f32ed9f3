create or replace function api.rotate_webhook(
    inout id uuid,
    out url text,
    out types text[],
    out format text,
    out enabled boolean,
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

  select w.url, w.types, w.format, w.enabled, w.failing_since, w.created_at, w.updated_at
    into url, types, format, enabled, failing_since, created_at, updated_at
    from parking.webhooks w
   where w.id = rotate_webhook.id;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  secret := private.give_webhook_secret(rotate_webhook.id);
end;
$$;

comment on function api.rotate_webhook is
  'Give a webhook another secret. For a day, the one before signs, too';
grant execute on function api.rotate_webhook to parking_api;
