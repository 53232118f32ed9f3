/*
 * GET /profile reads this, beside other reads, once api.get_profile has kept what the caller's token says.
 */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = (select private.caller_id())
$$;

comment on function api.get_known_profile is
  'Your profile as it is stored; what your token says of you is not kept.';
grant execute on function api.get_known_profile to parking_api;

create or replace function api.get_profile_by_id(id uuid)
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = get_profile_by_id.id
$$;

comment on function api.get_profile_by_id is
  'One person''s profile';
grant execute on function api.get_profile_by_id to parking_api;

create or replace function api.get_user()
  returns setof private.users
  language sql
  stable
  rows 1
as $$
  select u.*
    from private.own_user() u
$$;

comment on function api.get_user is
  'Your sign-in data, which stands beside your profile.';
grant execute on function api.get_user to parking_api;

create or replace function api.list_profiles()
  returns setof parking.profiles
  language sql
  stable
as $$
  select p.*
    from parking.profiles p
$$;

comment on function api.list_profiles is
  'Everyone who registered, newest first';
grant execute on function api.list_profiles to parking_api;
