create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (old.is_claimed)
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  'Cannot delete a claimed availability';
