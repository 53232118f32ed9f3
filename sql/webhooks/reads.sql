create or replace function api.get_webhook(id uuid)
  returns setof parking.webhooks
  language sql
  stable
  rows 1
as $$
  select w.*
    from parking.webhooks w
   where w.id = get_webhook.id
$$;

comment on function api.get_webhook is
  'One webhook';
grant execute on function api.get_webhook to parking_api;

create or replace function api.list_webhooks()
  returns setof parking.webhooks
  language sql
  stable
as $$
  select w.*
    from parking.webhooks w
$$;

comment on function api.list_webhooks is
  'Where events are sent, newest first';
grant execute on function api.list_webhooks to parking_api;

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
