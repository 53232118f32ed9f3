create or replace trigger events_are_only_added
  before delete or update or truncate on private.events
  for each statement
  execute function private.enforce_rule();

comment on trigger events_are_only_added on private.events is
  'Events can be added, not changed';
