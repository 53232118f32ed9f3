alter table parking.notifications
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (private.is_notification_kind(kind));

comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
