create or replace function api.get_profile()
  returns json
  language plpgsql
  volatile -- a token that says something new about the user is remembered
  security invoker
  set search_path = ''
as $$
declare
  v_user private.users;
  v_profile parking.profiles;
begin
  if not exists (select from parking.profiles p where p.id = private.caller_id()) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  v_user := private.remember_user();

  select p.* into v_profile
    from parking.profiles p
   where p.id = v_user.id;

  return json_build_object(
    'profile', private.profile_json(v_profile),
    'user', private.user_json(v_user)
  );
end;
$$;

comment on function api.get_profile is
  'Your profile and sign-in data; also before approval';
grant execute on function api.get_profile to parking_api;
