drop policy if exists administrator_required on parking.passages;
create policy administrator_required on parking.passages
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.passages is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
