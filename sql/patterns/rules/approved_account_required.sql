drop policy if exists approved_account_required on parking.patterns;
create policy approved_account_required on parking.patterns
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.patterns is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
