create or replace trigger profiles_describe_oneself
  before update of full_name, apartment_number, phone_number, shares_phone_number, vehicle
  on parking.profiles
  for each row
  when (
    (new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle)
      is distinct from
        (old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and old.id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_describe_oneself on parking.profiles is
  E'@de Sie können nur Ihre eigenen Angaben ändern.\nYou can only update your own profile';
