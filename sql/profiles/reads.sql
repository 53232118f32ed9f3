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
         p.is_concierge, p.is_concierge_by_groups,
         u.token_issued_at
       ) is not distinct from (
         said.email, said.email_confirmed_at,
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups,
         private.is_concierge_by_token(p), private.decided_by_groups('is_concierge') is not null,
         coalesce((select private.token_issued_at()), u.token_issued_at)
       )
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user or private.follow_groups would write, or there is none.';
grant execute on function private.known_profile to parking_api;

/*
 * GET /profile reads this first, beside other reads. Hardly any token says something new, and only
 * then api.get_profile has something to write.
 */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from private.known_profile() p
$$;

comment on function api.get_known_profile is
  'Your profile, where your token says nothing new about you; otherwise no row.';
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

/* An answer has no more than the name at the door. */
create or replace function api.find_residents(search text)
  returns table (id uuid, full_name text, apartment_number text)
  language plpgsql
  stable
  security definer -- a concierge reads no profiles of others; private.require_staff refuses who may not ask
  set search_path = ''
as $$
declare
  v_search constant text := private.number_key(find_residents.search);
begin
  perform private.require_staff();

  return query
    select p.id, p.full_name, p.apartment_number
      from parking.profiles p
     where p.is_approved
       and (
         strpos(private.number_key(p.full_name), v_search) > 0
         or strpos(private.number_key(p.apartment_number), v_search) > 0
       )
     order by private.number_key(p.apartment_number) = v_search desc,
              p.apartment_number, p.full_name, p.id
     limit 20;
end;
$$;

comment on function api.find_residents is
  'The residents whose name or apartment has a text, twenty at most: for whom an administrator or concierge can claim';
grant execute on function api.find_residents to parking_api;
