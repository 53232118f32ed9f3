create or replace trigger administrator_required
  before update of is_verified on parking.spots
  for each row
  when (
    new.is_verified is distinct from old.is_verified
    and row_security_active('parking.spots') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.spots is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
