/*
 * A spot that was ever claimed is not deleted (private.retire_spot). But a deletion with a snapshot from before
 * the claim does not see that: it is to fail as PostgreSQL has it, and is tried again.
 */
create or replace function private.enforce_while_spot_exists()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum bleibt sie geteilt.\nCannot delete a claimed availability';
