/* Notifies the owner of a spot of changes of a claim on it, and the claimer of what others do to it. */
create or replace function private.notify_of_claim()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the caller
  set search_path = ''
as $$
declare
  v_claim constant parking.claims := case tg_op when 'DELETE' then old else new end;
  v_kind constant text := case
    when tg_op = 'INSERT' then 'claim.submitted'
    when tg_op = 'DELETE' then 'claim.deleted'
    when new.status is distinct from old.status then 'claim.' || new.status
  end;
  v_spot parking.spots;
  v_recipient_id uuid;
begin
  if v_kind is null then
    return null;
  end if;

  if v_kind in ('claim.cancelled', 'claim.deleted') then
    update parking.notifications n
       set resolved_at = now()
     where n.claim_id = v_claim.id
       and n.resolved_at is null;
  end if;

  -- The deletion of a spot has its own notification.
  select s.* into v_spot
    from parking.spots s
   where s.id = v_claim.spot_id
     and s.retired_at is null;

  if not found then
    return null;
  end if;

  foreach v_recipient_id in array case
    when v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled'
      then array[v_claim.owner_id, v_claim.claimer_id]
    else array[v_claim.owner_id]
  end loop
    perform private.notify(
      v_recipient_id,
      v_kind,
      v_spot,
      v_claim.availability_id,
      v_claim.id,
      v_claim.start_time,
      v_claim.end_time
    );
  end loop;
  return null;
end;
$$;

comment on function private.notify_of_claim is
  'Trigger function: notifies the owner that a claim was submitted, completed, cancelled or deleted, and the claimer that it was cancelled or deleted; these two resolve the earlier notifications about it.';

create or replace trigger notify_of_claim
  after insert or delete on parking.claims
  for each row
  execute function private.notify_of_claim();

create or replace trigger notify_of_closed
  after update of status on parking.claims
  for each row
  -- Not of what private.erase_person and private.retire_spot complete, which has ended.
  when (new.status <> 'completed' or row_security_active('parking.claims'))
  execute function private.notify_of_claim();
