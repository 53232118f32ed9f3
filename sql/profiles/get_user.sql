create or replace function api.get_user()
  returns setof private.users
  language sql
  stable
  security invoker
  rows 1
as $$
  select u.*
    from private.own_user() u
$$;

comment on function api.get_user is
  'Your sign-in data, which stands beside your profile.';
grant execute on function api.get_user to parking_api;
