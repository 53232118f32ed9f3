create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  -- A claim that takes or gives back time changes its window from its own trigger.
  when (old.is_claimed and pg_trigger_depth() = 0)
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  'Cannot update a claimed availability';
