/* The claims of a deleted spot go before its windows, which foreign keys delete. */
create or replace function private.delete_claims_of_spot()
  returns trigger
  language plpgsql
  security definer -- the claims belong to other residents
  set search_path = ''
as $$
begin
  perform private.notify_of_spot_deletion(old);
  delete from parking.claims c
   where c.spot_id = old.id;
  return null;
end;
$$;

comment on function private.delete_claims_of_spot is
  'Trigger function: deletes the claims of a spot that was deleted, and notifies those concerned.';

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_a_
-- and a number that differs between databases; the capital A makes this one run before them all.
-- So no foreign key finds a claim that holds a deleted window, in whatever order they run.
create or replace trigger "A_delete_claims"
  after delete on parking.spots
  for each row
  execute function private.delete_claims_of_spot();
