/* GET /profile reads this, beside other reads, once api.get_profile has kept what the caller's token says. */
create or replace function api.get_stored_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = (select private.caller_id())
$$;

comment on function api.get_stored_profile is
  'Your profile as it is stored; what your token says of you is not kept.';
grant execute on function api.get_stored_profile to parking_api;

/* It goes with the next release. A process of 1.1.0 reads it first, and then asks api.get_profile. */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where false
$$;

comment on function api.get_known_profile is
  'Nothing, for processes of 1.1.0 during an upgrade.';
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
