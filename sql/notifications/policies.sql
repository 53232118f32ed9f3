/* Only the recipient sees a notification. */
alter table parking.notifications enable row level security;

drop policy if exists select_own on parking.notifications;
create policy select_own on parking.notifications
  for select to parking_api
  using (recipient_id = (select private.caller_id()));

drop policy if exists update_own on parking.notifications;
create policy update_own on parking.notifications
  for update to parking_api
  using (recipient_id = (select private.caller_id()));

grant select on parking.notifications to parking_api;
-- No insert and no delete: triggers write notifications, and none is deleted.
grant update (is_read) on parking.notifications to parking_api;
