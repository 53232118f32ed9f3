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

create or replace function private.note_delivery(webhook_id uuid, succeeded boolean, is_gone boolean)
  returns void
  language plpgsql
  security definer -- nobody but administrators changes a webhook
  set search_path = ''
as $$
begin
  perform private.require_service();

  if note_delivery.succeeded then
    update parking.webhooks w
       set failing_since = null
     where w.id = note_delivery.webhook_id
       and w.failing_since is not null;
    return;
  end if;

  update parking.webhooks w
     set failing_since = now()
   where w.id = note_delivery.webhook_id
     and w.failing_since is null;

  update parking.webhooks w
     set enabled = false
   where w.id = note_delivery.webhook_id
     and w.enabled
     and (note_delivery.is_gone or w.failing_since < now() - interval '5 days');

  if found then
    perform private.notify(p.id, 'webhook.disabled')
       from parking.profiles p
      where p.is_admin
        and p.is_approved;
  end if;
end;
$$;

comment on function private.note_delivery is
  'Notes whether an attempt to send succeeded. A webhook whose receiver wants no more, or has failed for five days, is turned off, and administrators are told.';
grant execute on function private.note_delivery to parking_api;
