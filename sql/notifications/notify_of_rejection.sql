/* Notifies a person whose account was not approved. They get it by mail: notifications are for who is approved. */
create or replace function private.notify_of_rejection()
  returns trigger
  language plpgsql
  security definer -- writes to the person's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.rejected');
  return null;
end;
$$;

comment on function private.notify_of_rejection is
  'Trigger function: notifies a person that the account was not approved.';

create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.notify_of_rejection();
