drop policy if exists availabilities_deleted_by_spot_owner on parking.availabilities;
create policy availabilities_deleted_by_spot_owner on parking.availabilities
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_deleted_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Zeiten Ihrer eigenen Stellplätze zurückziehen.\nYou can only delete availabilities for your own spots';
