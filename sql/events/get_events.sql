create or replace function api.get_events()
  returns table ("position" bigint)
  language sql
  stable
  security invoker
  rows 1
as $$
  select private.current_position()
$$;

comment on function api.get_events is
  'What happens from now on, as server-sent events';
grant execute on function api.get_events to parking_api;
