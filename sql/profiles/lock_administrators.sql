/* Two administrators who remove each other run one after the other, before either locks a profile. */
create or replace function private.lock_administrators()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtext(tg_name));
  return null;
end;
$$;

comment on function private.lock_administrators is
  'Trigger function: makes statements that may remove an administrator run one after the other.';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin on parking.profiles
  for each statement
  execute function private.lock_administrators();
