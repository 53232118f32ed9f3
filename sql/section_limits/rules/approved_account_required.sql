drop policy if exists approved_account_required on parking.section_limits;
create policy approved_account_required on parking.section_limits
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.section_limits is
  'Account not approved';
