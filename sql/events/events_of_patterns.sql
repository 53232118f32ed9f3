/* Patterns are created, changed and deleted. Their windows have events of their own. */
create or replace trigger record_creation
  after insert on parking.patterns
  for each row
  execute function private.record_event('pattern.created');

create or replace trigger record_update
  after update on parking.patterns
  for each row
  when (
    (new.weekdays, new.starts_at, new.ends_at, new.first_day, new.last_day)
      is distinct from
      (old.weekdays, old.starts_at, old.ends_at, old.first_day, old.last_day)
  )
  execute function private.record_event('pattern.updated');

create or replace trigger record_deletions
  after delete on parking.patterns
  referencing old table as deleted
  for each statement
  execute function private.record_event('pattern.deleted');
