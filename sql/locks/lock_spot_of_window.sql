/* The first statement of what changes a window: the spot before the window, as its deletion locks them. */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = (
            select a.spot_id from parking.availabilities a where a.id = lock_spot_of_window.id
          )
      and (select private.is_approved())
      for no key update;
end;
$$;

comment on function private.lock_spot_of_window is
  'Locks the spot of the window with this id, for an approved caller.';
grant execute on function private.lock_spot_of_window to parking_api;
