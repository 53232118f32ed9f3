/* Every notification is written here. */
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
  -- Nobody gets a notification about their own action.
  insert into parking.notifications
    (recipient_id, kind, message, claim_id, availability_id, spot_id)
  select
    notify.recipient_id, notify.kind, concat_ws('. Reason: ', notify.message, private.reason()),
    notify.claim_id, notify.availability_id, notify.spot_id
   where notify.recipient_id is distinct from (select private.caller_id());
end;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';
