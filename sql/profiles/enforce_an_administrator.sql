/* Without an administrator nobody could approve anyone, and nobody could make one. */
create or replace function private.enforce_an_administrator()
  returns trigger
  language plpgsql
  security definer -- counts administrators, whom the one acting need not be allowed to see
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.is_admin and new.is_approved then
    return new;
  end if;

  -- Locked, not only seen: a snapshot that is older than another's removal must fail on it.
  perform
     from parking.profiles p
    where p.is_admin
      and p.is_approved
      and p.id <> old.id
    limit 1
      for share;

  if not found then
    perform private.refuse(tg_name, '23514');
  end if;

  return case tg_op when 'DELETE' then old else new end;
end;
$$;

comment on function private.enforce_an_administrator is
  'Trigger function: refuses to remove the last approved administrator.';
