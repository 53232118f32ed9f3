-- Policies let an administrator update any spot in order to verify it. This refuses other changes.
create or replace trigger spots_updated_by_owner
  before update of spot_number, building_section, notes on parking.spots
  for each row
  when (
    row_security_active('parking.spots') -- binds people, not the owner of the table
    and old.owner_id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger spots_updated_by_owner on parking.spots is
  E'@de Sie können nur Ihre eigenen Stellplätze ändern.\nYou can only update your own parking spots';
