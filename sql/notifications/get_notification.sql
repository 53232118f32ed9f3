create or replace function api.get_notification(id uuid)
  returns setof parking.notifications
  language sql
  stable
  security invoker
  rows 1
as $$
  select n.*
    from parking.notifications n
   where n.id = get_notification.id
$$;

comment on function api.get_notification is
  'One of your notifications';
grant execute on function api.get_notification to parking_api;
