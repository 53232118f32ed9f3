create or replace trigger profiles_concierges_by_groups
  before update of is_concierge on parking.profiles
  for each row
  when (
    new.is_concierge <> old.is_concierge
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and private.decided_by_groups('is_concierge') is not null
  )
  execute function private.enforce_rule();

comment on trigger profiles_concierges_by_groups on parking.profiles is
  E'@status 409\n@de Wer Concierge ist, entscheiden die Gruppen Ihres Anmeldedienstes.\nThe identity provider decides who is a concierge';
