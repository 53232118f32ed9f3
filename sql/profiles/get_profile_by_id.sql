create or replace function api.get_profile_by_id(id uuid)
  returns setof parking.profiles
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = get_profile_by_id.id
$$;

comment on function api.get_profile_by_id is
  'One person''s profile';
grant execute on function api.get_profile_by_id to parking_api;
