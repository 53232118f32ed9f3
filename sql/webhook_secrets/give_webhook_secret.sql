create or replace function private.give_webhook_secret(webhook_id uuid)
  returns text
  language plpgsql
  security definer -- nobody reads the secrets
  set search_path = ''
as $$
declare
  v_secret constant text := 'whsec_' || encode(private.new_secret(), 'base64');
begin
  perform private.require_administrator();

  perform from parking.webhooks w where w.id = give_webhook_secret.webhook_id for update;
  perform private.require_administrator(); -- still, after all the waiting

  -- Two sign at most: of those that were replaced, the last.
  delete from private.webhook_secrets s
   where s.webhook_id = give_webhook_secret.webhook_id
     and s.expires_at is not null;
  update private.webhook_secrets s
     set expires_at = clock_timestamp() + interval '1 day'
   where s.webhook_id = give_webhook_secret.webhook_id;

  insert into private.webhook_secrets (webhook_id, secret)
  values (give_webhook_secret.webhook_id, v_secret);
  return v_secret;
end;
$$;

comment on function private.give_webhook_secret is
  'Gives a webhook a new secret, for administrators, and returns it. The one before signs for another day.';
grant execute on function private.give_webhook_secret to parking_api;
