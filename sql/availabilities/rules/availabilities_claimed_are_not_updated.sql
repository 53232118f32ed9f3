create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum lässt sie sich nicht ändern.\nCannot update a claimed availability';
