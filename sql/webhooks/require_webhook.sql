create or replace function private.require_webhook(id uuid)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  if not exists (select from parking.webhooks w where w.id = require_webhook.id) then
    perform private.refuse_absent('webhooks');
  end if;
end;
$$;

comment on function private.require_webhook is
  'Fails with status 404 where there is no such webhook, and for all but administrators.';
grant execute on function private.require_webhook to parking_api;
