create or replace trigger administrator_required
  before update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin, new.is_concierge, new.is_suspended, new.rejection_reason)
      is distinct from
        (old.is_approved, old.is_admin, old.is_concierge, old.is_suspended, old.rejection_reason)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
