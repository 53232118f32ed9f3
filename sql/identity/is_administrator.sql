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
   where p.id = (select private.caller_id())
     and p.is_approved
     and p.is_admin
);

comment on function private.is_administrator is
  'Whether the caller is an approved administrator.';
grant execute on function private.is_administrator to parking_api;
