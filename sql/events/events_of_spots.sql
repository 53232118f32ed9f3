/* Spots are registered, verified, updated and deleted; one that is retired is gone for all who hear of it. */
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
    and new.retired_at is not distinct from old.retired_at
    and (new.spot_number, new.building_section, new.is_verified, new.notes)
      is distinct from (old.spot_number, old.building_section, old.is_verified, old.notes)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');

create or replace trigger record_retirement
  after update of retired_at on parking.spots
  for each row
  when (new.retired_at is not null and old.retired_at is null)
  execute function private.record_event('spot.deleted');
