/* Every notification is written here. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    spot parking.spots default null,
    availability_id uuid default null,
    claim_id uuid default null,
    start_time timestamptz default null,
    end_time timestamptz default null,
    more jsonb default '{}'
)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
declare
  v_reason text;
  v_id uuid;
begin
  -- Nobody gets a notification about their own action.
  if notify.recipient_id is not distinct from private.caller_id() then
    return;
  end if;

  v_reason := private.reason();
  insert into parking.notifications
    (recipient_id, kind, message, data, claim_id, availability_id, spot_id)
  values (
    notify.recipient_id,
    notify.kind,
    private.notification_message(
      notify.recipient_id, notify.kind, notify.spot, notify.start_time, notify.end_time,
      v_reason
    ),
    private.notification_data(
      notify.recipient_id, notify.spot, notify.start_time, notify.end_time, v_reason
    ) || notify.more,
    notify.claim_id,
    notify.availability_id,
    (notify.spot).id
  )
  returning id into v_id;

  -- Without actor and reason, which the event that it is about has: to find them out costs time.
  insert into private.new_events (type, subject_id, actor_id, reason, data)
  values (
    'notification.created', v_id, null, null,
    jsonb_build_object('recipient_id', notify.recipient_id)
  );
end;
$$;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';
