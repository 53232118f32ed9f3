/*
 * A source does not publish a time again after its owner, or an administrator with a reason, has withdrawn or moved
 * the window. Another source may still share that time.
 */
create or replace function private.withdraw_by_hand()
  returns trigger
  language plpgsql
  security invoker -- what follows is published under the limits of the building
  set search_path = ''
as $$
begin
  if old.source_id is not null then
    perform private.leave_out(old);
  end if;
  perform private.reconcile(old.spot_id);
  return null;
end;
$$;

comment on function private.withdraw_by_hand is
  'Trigger function: leaves out of its source a window that was moved or deleted, and sets anew what the spot offers.';

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger withdraw_by_hand
  after update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.withdraw_by_hand();

create or replace trigger withdraw_deleted_by_hand
  after delete on parking.availabilities
  for each row
  when (pg_trigger_depth() = 0)
  execute function private.withdraw_by_hand();
