-- Two exceptions: private.erase_person removes from past events what names a person, and alone sets
-- parking.erasing, while it does so; private.prune alone sets parking.pruning. Only the owner of the
-- database could set them otherwise: no other role may change events at all.
create or replace trigger events_are_only_added
  before delete or update or truncate on private.events
  for each statement
  when (
    current_setting('parking.erasing', true) is distinct from 'on'
    and current_setting('parking.pruning', true) is distinct from 'on'
  )
  execute function private.enforce_rule();

comment on trigger events_are_only_added on private.events is
  'Events can be added, not changed';
