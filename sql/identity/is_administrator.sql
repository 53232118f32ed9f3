/* An administrator counts as one only while the account is approved. */
create or replace function private.is_administrator()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- the policies of profiles call it; otherwise they would call themselves
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
     and flags.is_admin
);

comment on function private.is_administrator is
  'Whether the caller is an approved administrator.';
grant execute on function private.is_administrator to parking_api;
