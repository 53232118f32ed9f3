create or replace function api.list_notifications()
  returns setof parking.notifications
  language sql
  stable
  security invoker
as $$
  select n.*
    from parking.notifications n
$$;

comment on function api.list_notifications is
  'Messages to you, newest first';
grant execute on function api.list_notifications to parking_api;
