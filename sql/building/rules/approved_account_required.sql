drop policy if exists approved_account_required on parking.building;
create policy approved_account_required on parking.building
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.building is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
