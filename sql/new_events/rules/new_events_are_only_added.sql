-- From here events are moved on by private.order_events, which alone sets parking.ordering.
create or replace trigger new_events_are_only_added
  before delete or update or truncate on private.new_events
  for each statement
  when (
    current_setting('parking.erasing', true) is distinct from 'on'
    and current_setting('parking.ordering', true) is distinct from 'on'
  )
  execute function private.enforce_rule();

comment on trigger new_events_are_only_added on private.new_events is
  'Events can be added, not changed';
