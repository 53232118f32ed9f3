/* The one way a notification is made. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    message text,
    claim_id uuid default null,
    availability_id uuid default null,
    spot_id uuid default null
)
  returns void
  language sql
  volatile
begin atomic
  -- Nobody needs to be told of what they did themselves.
  insert into parking.notifications
    (recipient_id, kind, message, claim_id, availability_id, spot_id)
  select
    notify.recipient_id, notify.kind, notify.message,
    notify.claim_id, notify.availability_id, notify.spot_id
   where notify.recipient_id is distinct from private.caller_id();
end;

comment on function private.notify is
  'Tells a resident what somebody else did. For triggers; the API role may not call it.';
