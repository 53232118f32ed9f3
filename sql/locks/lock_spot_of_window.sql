/*
 * The first statement of what changes a window: the spot before the window, as its deletion locks them. An owner
 * changes what they plan, too, and locks all of that in the order of private.lock_spot.
 */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
declare
  v_spot_id uuid;
  v_is_own boolean;
begin
  select a.spot_id, a.owner_id = (select private.caller_id()) into v_spot_id, v_is_own
    from parking.availabilities a
   where a.id = lock_spot_of_window.id
     and (select private.is_approved());

  if v_is_own then
    perform private.lock_own_spots();
  else
    perform from parking.spots s where s.id = v_spot_id for no key update;
  end if;

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
  'Locks the spot of the window with this id, and its windows that have not ended, for an approved caller; of its owner, all their spots.';
grant execute on function private.lock_spot_of_window to parking_api;
