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
   where u.id = (select private.caller_id())
     and (
       u.erased_at is not null -- nothing refreshes it (private.remember_user)
       or (u.email, u.email_confirmed_at)
          is not distinct from (said.email, said.email_confirmed_at)
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user would write, or there is none.';
grant execute on function private.known_profile to parking_api;
