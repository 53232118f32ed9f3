/* Only administrators approve accounts and make administrators, so one of them must remain. */
create or replace function private.enforce_an_administrator()
  returns trigger
  language plpgsql
  security definer -- reads the profiles of all administrators, which the caller may not see
  set search_path = ''
as $$
begin
  -- The identity provider can name another administrator, if it decides.
  if tg_op = 'UPDATE'
    and (new.is_admin or private.decided_by_groups('is_admin') is not null)
    and (new.is_approved or private.decided_by_groups('is_approved') is not null)
  then
    return new;
  end if;

  -- Read, not locked: private.lock_administrators lets one removal go on at a time, and an erasure holds spots by now.
  if not exists (
    select
      from parking.profiles p
     where p.is_admin
       and p.is_approved
       and p.id <> old.id
  ) then
    perform private.refuse(tg_name, '23514');
  end if;

  return case tg_op when 'DELETE' then old else new end;
end;
$$;

create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\n@de Das ist die letzte Person der Verwaltung. Nehmen Sie erst eine andere auf.\nThe last administrator cannot be removed';
