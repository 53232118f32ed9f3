/* Claims are submitted, moved, completed and cancelled. */
create or replace function private.record_claim_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'claim.submitted'
      when new.status is distinct from old.status then 'claim.' || new.status
      else 'claim.updated'
    end,
    new.id,
    private.claim_json(new)
  );
  return null;
end;
$$;

comment on function private.record_claim_event is
  'Trigger function: logs that a claim was submitted, moved, completed or cancelled.';

create or replace trigger record_submission
  after insert on parking.claims
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
