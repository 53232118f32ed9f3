/* Claims are submitted, moved, completed, cancelled and deleted. */
create or replace function private.record_claim_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_claim constant parking.claims := case tg_op when 'DELETE' then old else new end;
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'claim.submitted'
      when tg_op = 'DELETE' then 'claim.deleted'
      when new.status is distinct from old.status then 'claim.' || new.status
      else 'claim.updated'
    end,
    v_claim.id,
    private.claim_json(v_claim)
  );
  return null;
end;
$$;

comment on function private.record_claim_event is
  'Trigger function: logs what happened to a claim.';

create or replace trigger record_submission_or_deletion
  after insert or delete on parking.claims
  for each row
  execute function private.record_claim_event();

create or replace trigger record_update
  after update on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time)
      is distinct from (old.status, old.start_time, old.end_time)
  )
  execute function private.record_claim_event();
