/* Spots are registered, verified, updated and deleted. */
create or replace trigger record_registration
  after insert on parking.spots
  for each row
  execute function private.record_event('spot.registered');

create or replace trigger record_verification
  after update on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.record_event('spot.verified');

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    not (new.is_verified and not old.is_verified)
    and (new.spot_number, new.building_section, new.is_verified, new.notes)
      is distinct from (old.spot_number, old.building_section, old.is_verified, old.notes)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');
