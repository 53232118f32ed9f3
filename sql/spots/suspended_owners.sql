/* For policies. One array for a statement costs less than a look at the owner of each row. */
create or replace function private.suspended_owners()
  returns uuid[]
  language sql
  stable
  parallel safe
  security definer -- the caller may not see the profiles of others
  set search_path = ''
return array(
  select p.id
    from parking.profiles p
   where (select private.is_approved())
     and not p.is_approved
     and exists (select from parking.spots s where s.owner_id = p.id)
);

comment on function private.suspended_owners is
  'The residents who own spots and are no longer approved; nobody, where the caller is not approved.';
grant execute on function private.suspended_owners to parking_api;
