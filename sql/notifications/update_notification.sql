create or replace function api.update_notification(id uuid, is_read boolean default null)
  returns parking.notifications
  language plpgsql
  set search_path = ''
as $$
declare
  v_notification parking.notifications;
begin
  perform private.require_approved();

  if update_notification.is_read is not null then
    update parking.notifications n
       set is_read = update_notification.is_read
     where n.id = update_notification.id
    returning * into v_notification;
  else
    select n.* into v_notification
      from parking.notifications n
     where n.id = update_notification.id;
  end if;

  if not found then
    perform private.refuse_absent('notifications');
  end if;

  return v_notification;
end;
$$;

comment on function api.update_notification is
  'Mark one of your notifications read or unread';
grant execute on function api.update_notification to parking_api;
