create or replace trigger administrator_required
  before update of is_approved, is_admin on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin) is distinct from (old.is_approved, old.is_admin)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  'Administrator privileges required';
