create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null
)
  returns parking.profiles
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();

  if num_nonnulls(update_profile_flags.is_approved, update_profile_flags.is_admin) > 0 then
    update parking.profiles p
       set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
           is_admin = coalesce(update_profile_flags.is_admin, p.is_admin)
     where p.id = update_profile_flags.id
    returning * into v_profile;
  else
    select p.* into v_profile
      from parking.profiles p
     where p.id = update_profile_flags.id;
  end if;

  if not found then
    perform private.refuse_unchanged('profiles');
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account or make an administrator, or take that back';
grant execute on function api.update_profile_flags to parking_api;
