/* The service sets these members where its settings name a group (AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP). */
create or replace function private.claimed_by_groups(flag text)
  returns boolean
  language plpgsql
  stable
  parallel safe
  security definer -- the API role has no access to private.users
  set search_path = ''
as $$
declare
  v_claimed constant jsonb := private.token_claims() -> claimed_by_groups.flag;
  v_user private.users;
begin
  if jsonb_typeof(v_claimed) is distinct from 'boolean' then
    return null;
  end if;

  select u.* into v_user
    from private.users u
   where u.id = (select private.caller_id());

  if v_user.erased_at is not null then
    return null; -- whatever the groups say, the account stays closed
  elsif private.is_outdated(v_user.token_issued_at) then
    return (
      select case claimed_by_groups.flag when 'is_admin' then p.is_admin else p.is_approved end
        from parking.profiles p
       where p.id = v_user.id
    );
  end if;
  return v_claimed;
end;
$$;

comment on function private.claimed_by_groups is
  'For private.decided_by_groups: reads the flag from the claims of the token, or from the profile where a later token has come.';
grant execute on function private.claimed_by_groups to parking_api;
