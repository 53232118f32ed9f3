create or replace function api.get_pattern(id uuid)
  returns setof parking.patterns
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from parking.patterns p
   where p.id = get_pattern.id
$$;

comment on function api.get_pattern is
  'One of your patterns';
grant execute on function api.get_pattern to parking_api;
