create or replace function api.update_profile(
    apartment_number text default null,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default null,
    vehicle text default null
)
  returns parking.profiles
  language plpgsql
  set search_path = ''
as $$
declare
  v_user private.users;
  v_profile parking.profiles;
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  -- The user before the profile, as a changed address locks them, or the two could deadlock.
  v_user := private.remember_user();

  -- Null leaves a field as it is; an empty text clears one that may be absent.
  if num_nonnulls(
    update_profile.apartment_number, update_profile.full_name, update_profile.phone_number,
    update_profile.shares_phone_number, update_profile.vehicle
  ) > 0 then
    update parking.profiles p
       set apartment_number = coalesce(update_profile.apartment_number, p.apartment_number),
           full_name = nullif(coalesce(update_profile.full_name, p.full_name), ''),
           phone_number = nullif(coalesce(update_profile.phone_number, p.phone_number), ''),
           shares_phone_number =
             coalesce(update_profile.shares_phone_number, p.shares_phone_number),
           vehicle = nullif(coalesce(update_profile.vehicle, p.vehicle), '')
     where p.id = v_user.id;
  end if;

  select p.* into v_profile
    from parking.profiles p
   where p.id = v_user.id;

  return v_profile;
end;
$$;

comment on function api.update_profile is
  'Change your own details; null clears those that may be missing';
grant execute on function api.update_profile to parking_api;
