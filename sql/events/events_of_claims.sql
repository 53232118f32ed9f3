/* Claims are submitted, moved, completed, cancelled and deleted. */
create or replace trigger record_submission
  after insert on parking.claims
  for each row
  execute function private.record_event('claim.submitted');

create or replace trigger record_update
  after update of start_time, end_time on parking.claims
  for each row
  when (
    new.status = old.status
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_description
  after update of guest, vehicle on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time) = (old.status, old.start_time, old.end_time)
    and old.status = 'active' -- what an erasure takes out of one that is over is no event of the claim
    and (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_completion
  after update on parking.claims
  for each row
  when (new.status = 'completed' and old.status <> 'completed')
  execute function private.record_event('claim.completed');

create or replace trigger record_cancellation
  after update on parking.claims
  for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.record_event('claim.cancelled');

create or replace trigger record_deletions
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.record_event('claim.deleted');
