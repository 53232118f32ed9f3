/*
 * The erasure of a person deletes what it sees, and it locks the spots of the person: new notes and the
 * erasure wait for each other.
 */
create or replace function private.lock_spot_of_access()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a spot
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for no key update;
  return null;
end;
$$;

create or replace trigger lock_spot_of_access
  after insert on parking.spot_access
  for each row
  execute function private.lock_spot_of_access();
