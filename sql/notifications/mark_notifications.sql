create or replace function api.mark_notifications(is_read boolean)
  returns table (marked integer)
  language plpgsql
  security invoker -- the policies leave each person their own
  set search_path = ''
as $$
begin
  update parking.notifications n
     set is_read = mark_notifications.is_read
   where n.recipient_id = (select private.caller_id())
     and n.is_read <> mark_notifications.is_read;
  get diagnostics marked = row_count;

  return next;
end;
$$;

comment on function api.mark_notifications is
  'Mark all your notifications read or unread';
grant execute on function api.mark_notifications to parking_api;
