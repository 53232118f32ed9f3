/* A person who registers a spot and is erased at one moment: one waits for the other. */
create or replace function private.lock_owner()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform from parking.profiles p where p.id = new.owner_id for share;
  return new;
end;
$$;

comment on function private.lock_owner is
  'Trigger function: locks the owner''s profile before a spot is registered.';

create or replace trigger lock_owner
  before insert on parking.spots
  for each row
  execute function private.lock_owner();
