create or replace function api.get_profile_by_id(id uuid)
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();

  select p.* into v_profile
    from parking.profiles p
   where p.id = get_profile_by_id.id;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('profiles');
  end if;

  return json_build_object('profile', private.profile_json(v_profile));
end;
$$;

comment on function api.get_profile_by_id is
  'One person''s profile';
grant execute on function api.get_profile_by_id to parking_api;
