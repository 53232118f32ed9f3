create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\n@de Das ist die letzte Person der Verwaltung. Nehmen Sie erst eine andere auf.\nThe last administrator cannot be removed';
