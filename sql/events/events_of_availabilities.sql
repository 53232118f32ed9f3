/* Windows are created, moved and deleted, and more or less of them is offered. A claim of a window is an event of the claim. */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time, offered on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time, new.offered) is distinct from (old.start_time, old.end_time, old.offered)
  )
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted');
