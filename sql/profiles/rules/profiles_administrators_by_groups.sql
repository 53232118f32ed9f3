create or replace trigger profiles_administrators_by_groups
  before update of is_admin on parking.profiles
  for each row
  when (
    new.is_admin <> old.is_admin
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and private.decided_by_groups('is_admin') is not null
  )
  execute function private.enforce_rule();

comment on trigger profiles_administrators_by_groups on parking.profiles is
  E'@status 409\n@de Wer zur Verwaltung gehört, entscheiden die Gruppen Ihres Anmeldedienstes.\nThe identity provider decides who administers';
