alter table private.address_changes
  drop constraint if exists address_changes_status_is_known,
  add constraint address_changes_status_is_known
    check (status in ('open', 'used', 'kept') and (status = 'open') = (ended_at is null));

comment on constraint address_changes_status_is_known on private.address_changes is
  'status must be open, used or kept, with its time where it is not open';
