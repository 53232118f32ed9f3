/* Notifies the owner of a window that an administrator removed. */
create or replace function private.notify_of_availability_deletion()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Windows that are deleted with their spot find no spot here: its deletion has its own notification.
  perform private.notify(
    d.owner_id,
    'availability.deleted',
    s,
    availability_id => d.id,
    start_time => d.start_time,
    end_time => d.end_time
  )
     from deleted d
     join parking.spots s on s.id = d.spot_id;
  return null;
end;
$$;

comment on function private.notify_of_availability_deletion is
  'Trigger function: notifies the owner of windows that another person deleted.';

create or replace trigger notify_of_deletion
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  -- Not of a piece that was joined with others, nor of what private.withdraw_window puts away. People
  -- may set this too, but it binds them.
  when (
    current_setting('parking.tidying', true) is distinct from 'on'
    or row_security_active('parking.availabilities')
  )
  execute function private.notify_of_availability_deletion();
