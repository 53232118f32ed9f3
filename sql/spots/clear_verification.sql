/* The administrator verified the old number and section. */
create or replace function private.clear_verification()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_verified := false;
  return new;
end;
$$;

comment on function private.clear_verification is
  'Trigger function: a spot whose number or section changed is not verified.';

-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_verification
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section) is distinct from (old.spot_number, old.building_section)
  )
  execute function private.clear_verification();
