create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum bleibt sie geteilt.\nCannot delete a claimed availability';
