drop policy if exists availabilities_updated_by_spot_owner on parking.availabilities;
create policy availabilities_updated_by_spot_owner on parking.availabilities
  for update to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_updated_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Zeiten Ihrer eigenen Stellplätze ändern.\nYou can only update availabilities for your own spots';
