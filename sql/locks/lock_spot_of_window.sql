/* The first statement of what changes a window: the spot before the window, as its deletion locks them. */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
declare
  v_spot_id uuid;
begin
  select s.id into v_spot_id
    from parking.spots s
   where s.id = (
           select a.spot_id from parking.availabilities a where a.id = lock_spot_of_window.id
         )
     and (select private.is_approved())
     for no key update;

  -- All, for what the spot offers beside it is set anew.
  perform
     from parking.availabilities a
    where a.spot_id = v_spot_id
      and a.end_time > clock_timestamp()
    order by a.id
      for no key update;
end;
$$;

comment on function private.lock_spot_of_window is
  'Locks the spot of the window with this id, and its windows that have not ended, for an approved caller.';
grant execute on function private.lock_spot_of_window to parking_api;
