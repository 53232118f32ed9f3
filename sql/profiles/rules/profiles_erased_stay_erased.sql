create or replace trigger profiles_erased_stay_erased
  before update of
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin,
    is_concierge, rejection_reason
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle,
      new.is_approved, new.is_admin, new.is_concierge, new.rejection_reason
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle,
      old.is_approved, old.is_admin, old.is_concierge, old.rejection_reason
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  E'@de Dieses Konto wurde gelöscht.\nThis account was erased';
