create or replace function api.list_profiles()
  returns setof parking.profiles
  language sql
  stable
  security invoker
as $$
  select p.*
    from parking.profiles p
$$;

comment on function api.list_profiles is
  'Everyone who registered, newest first';
grant execute on function api.list_profiles to parking_api;
