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

comment on function private.enforce_while_spot_exists is
  'Trigger function: refuses the deletion of a row, unless its spot has been deleted before it.';
