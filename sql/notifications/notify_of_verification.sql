/* Notifies the owner of a spot that was verified. */
create or replace function private.notify_of_verification()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.owner_id, 'spot.verified', new);
  return null;
end;
$$;

comment on function private.notify_of_verification is
  'Trigger function: notifies the owner that a spot was verified.';

create or replace trigger notify_of_verification
  after update of is_verified on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.notify_of_verification();
