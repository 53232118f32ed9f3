create or replace function private.known_profile()
  returns setof parking.profiles
  language sql
  stable
  security definer -- the API role has no access to private.users; this shows the caller's own row
  set search_path = ''
  rows 1
as $$
  select p.*
    from private.users u
    join parking.profiles p on p.id = u.id
   cross join lateral private.said_by_token(u.email, u.email_confirmed_at) said
   cross join lateral private.flags_by_groups(p) flags
   where u.id = (select private.caller_id())
     and (
       -- The profile needs no refresh (private.remember_user, private.follow_groups).
       u.erased_at is not null
       or private.is_outdated(u.token_issued_at)
       or (
         u.email, u.email_confirmed_at,
         p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups,
         u.token_issued_at
       ) is not distinct from (
         said.email, said.email_confirmed_at,
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups,
         coalesce((select private.token_issued_at()), u.token_issued_at)
       )
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user or private.follow_groups would write, or there is none.';
grant execute on function private.known_profile to parking_api;
