/* Notifies the owner of a spot of changes of a claim on it. */
create or replace function private.notify_of_claim()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the claimer
  set search_path = ''
as $$
declare
  v_claim constant parking.claims := case tg_op when 'DELETE' then old else new end;
  v_kind constant text := case
    when tg_op = 'INSERT' then 'claim.submitted'
    when tg_op = 'DELETE' then 'claim.deleted'
    when new.status is distinct from old.status then 'claim.' || new.status
  end;
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

  perform private.notify(
    v_claim.owner_id,
    v_kind,
    format(
      'The claim of your parking spot %s from %s to %s UTC was %s',
      coalesce((select s.spot_number from parking.spots s where s.id = v_claim.spot_id), ''),
      to_char(v_claim.start_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
      to_char(v_claim.end_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
      split_part(v_kind, '.', 2)
    ),
    v_claim.id,
    v_claim.availability_id,
    v_claim.spot_id
  );
  return null;
end;
$$;

comment on function private.notify_of_claim is
  'Trigger function: notifies the owner that a claim was submitted, completed, cancelled or deleted; the last two resolve the earlier notifications about it.';

create or replace trigger notify_of_claim
  after insert or delete or update of status on parking.claims
  for each row
  execute function private.notify_of_claim();
