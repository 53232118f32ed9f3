create or replace function api.create_profile(
    apartment_number text,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default false,
    vehicle text default null
)
  returns parking.profiles
  language plpgsql
  set search_path = ''
as $$
declare
  v_user constant private.users := private.remember_user();
  v_profile parking.profiles;
begin
  insert into parking.profiles
    (id, email, apartment_number, full_name, phone_number, shares_phone_number, vehicle)
  values (
    v_user.id,
    v_user.email,
    create_profile.apartment_number,
    create_profile.full_name,
    create_profile.phone_number,
    create_profile.shares_phone_number,
    create_profile.vehicle
  );
  perform private.follow_groups();

  -- Groups, or an invitation, approve at once.
  select p.* into v_profile
    from parking.profiles p
   where p.id = v_user.id;

  return v_profile;
end;
$$;

comment on function api.create_profile is
  'Register with the building; who was invited is approved at once, others later by an administrator';
grant execute on function api.create_profile to parking_api;
