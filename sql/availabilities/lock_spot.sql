/* Two writers of one spot's windows run one after the other: concurrent checks of an exclusion constraint can deadlock. */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for no key update;
  return new;
end;
$$;

comment on function private.lock_spot is
  'Trigger function: locks the spot of a window before the window is written.';

create or replace trigger lock_spot
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_spot();
