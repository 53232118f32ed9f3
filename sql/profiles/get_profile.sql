create or replace function api.get_profile()
  returns parking.profiles
  language plpgsql
  volatile -- a token that says something new about the user is remembered
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  select p.* into v_profile
    from parking.profiles p
   where p.id = (select private.caller_id());

  if not found then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  perform private.follow_groups();
  perform private.remember_user();

  -- A new address changes the profile too, and one that is confirmed now may have been invited.
  select p.* into v_profile
    from parking.profiles p
   where p.id = v_profile.id;

  return v_profile;
end;
$$;

comment on function api.get_profile is
  'Your profile and sign-in data; also before approval';
grant execute on function api.get_profile to parking_api;
