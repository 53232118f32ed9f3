drop policy if exists approved_account_required on parking.favorite_spots;
create policy approved_account_required on parking.favorite_spots
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.favorite_spots is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
