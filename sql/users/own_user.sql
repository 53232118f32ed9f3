/* The sign-in data of the caller. */
create or replace function private.own_user()
  returns setof private.users
  language sql
  stable
  security definer -- the API role has no access to private.users; this shows the caller's own row
  set search_path = ''
  rows 1
as $$
  select u.*
    from private.users u
   where u.id = (select private.caller_id())
$$;

comment on function private.own_user is
  'The sign-in data of the caller; no row before registration.';
grant execute on function private.own_user to parking_api;
