/*
 * Windows are created, moved and deleted. A claim of a window is an event of the claim. That pieces of a
 * window were joined is logged by private.join_pieces: of these pieces nobody reads that they were deleted.
 */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted', 'availability.joined');
