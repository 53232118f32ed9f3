/* For policies. Write (select private.is_approved()) there, so that it runs once per statement. */
create or replace function private.is_approved()
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
);

comment on function private.is_approved is
  'Whether the caller has a profile that is approved: by the groups in the token where these decide, else by an administrator.';
grant execute on function private.is_approved to parking_api;
