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
begin
  if jsonb_typeof(v_claimed) is distinct from 'boolean'
    or exists (
      select from private.users u
       where u.id = (select private.caller_id())
         and u.erased_at is not null -- whatever the groups say, the account stays closed
    )
  then
    return null;
  end if;
  return v_claimed;
end;
$$;

comment on function private.claimed_by_groups is
  'For private.decided_by_groups: reads the flag from the claims of the token.';
grant execute on function private.claimed_by_groups to parking_api;
