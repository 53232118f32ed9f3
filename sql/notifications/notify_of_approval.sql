/* Notifies a resident whose account was approved. */
create or replace function private.notify_of_approval()
  returns trigger
  language plpgsql
  security definer -- writes to the resident's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.approved');
  return null;
end;
$$;

comment on function private.notify_of_approval is
  'Trigger function: notifies a resident that the account was approved.';

create or replace trigger notify_of_approval
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.notify_of_approval();
