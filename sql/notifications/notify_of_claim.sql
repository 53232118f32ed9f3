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
  v_spot_number text;
  v_happened text;
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

  select s.spot_number into v_spot_number
    from parking.spots s
   where s.id = v_claim.spot_id;

  -- The deletion of a spot has its own notification.
  if not found then
    return null;
  end if;

  v_happened := format(
    '%s %s was %s',
    v_spot_number,
    private.readable_span(v_claim.start_time, v_claim.end_time),
    split_part(v_kind, '.', 2)
  );

  perform private.notify(
    v_claim.owner_id,
    v_kind,
    'The claim of your parking spot ' || v_happened,
    v_claim.id,
    v_claim.availability_id,
    v_claim.spot_id
  );

  if v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled' then
    perform private.notify(
      v_claim.claimer_id,
      v_kind,
      'Your claim of parking spot ' || v_happened,
      v_claim.id,
      v_claim.availability_id,
      v_claim.spot_id
    );
  end if;
  return null;
end;
$$;

comment on function private.notify_of_claim is
  'Trigger function: notifies the owner that a claim was submitted, completed, cancelled or deleted, and the claimer that it was cancelled or deleted; these two resolve the earlier notifications about it.';

create or replace trigger notify_of_claim
  after insert or delete or update of status on parking.claims
  for each row
  execute function private.notify_of_claim();
