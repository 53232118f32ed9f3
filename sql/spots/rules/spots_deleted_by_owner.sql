drop policy if exists spots_deleted_by_owner on parking.spots;
create policy spots_deleted_by_owner on parking.spots
  for delete to parking_api
  using (owner_id = (select private.caller_id()) and retired_at is null);

comment on policy spots_deleted_by_owner on parking.spots is
  E'@de Sie können nur Ihre eigenen Stellplätze entfernen.\nYou can only delete your own parking spots';
