create or replace function api.list_patterns()
  returns setof parking.patterns
  language sql
  stable
  security invoker
as $$
  select p.*
    from parking.patterns p
$$;

comment on function api.list_patterns is
  'The patterns of your spots, newest first';
grant execute on function api.list_patterns to parking_api;
