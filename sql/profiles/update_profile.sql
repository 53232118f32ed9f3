create or replace function api.update_profile(
    apartment_number text default null,
    full_name text default null,
    phone_number text default null
)
  returns json
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  -- First what GET /profile writes too, and in its order, or the two could deadlock.
  perform api.get_profile();

  -- Null leaves a field as it is; an empty text clears one that may be absent.
  if num_nonnulls(
    update_profile.apartment_number, update_profile.full_name, update_profile.phone_number
  ) > 0 then
    update parking.profiles p
       set apartment_number = coalesce(update_profile.apartment_number, p.apartment_number),
           full_name = nullif(coalesce(update_profile.full_name, p.full_name), ''),
           phone_number = nullif(coalesce(update_profile.phone_number, p.phone_number), '')
     where p.id = private.caller_id();
  end if;

  return api.get_profile();
end;
$$;

comment on function api.update_profile is
  'PUT /profile. Changes the caller''s own details; an empty full_name or phone_number removes it.';
grant execute on function api.update_profile to parking_api;
