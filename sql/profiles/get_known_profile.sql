/*
 * GET /profile reads this first, beside other reads. Hardly any token says something new, and only
 * then api.get_profile has something to write.
 */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from private.known_profile() p
$$;

comment on function api.get_known_profile is
  'Your profile, where your token says nothing new about you; otherwise no row.';
grant execute on function api.get_known_profile to parking_api;
