drop policy if exists administrator_required on parking.keys;
create policy administrator_required on parking.keys
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.keys is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
