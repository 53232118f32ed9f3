/* A caller whose snapshot is older than another change of the plans fails, and tries again: see private.take_turn. */
create or replace function private.lock_spot_to_reconcile(spot_id uuid)
  returns parking.spots
  language plpgsql
  volatile
  security definer -- a claimer may lock neither another's spot nor take a turn
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_trigger();
  select s.* into v_spot
    from parking.spots s
   where s.id = lock_spot_to_reconcile.spot_id
     for no key update;
  if found then
    perform private.take_turn('plans', v_spot.owner_id);
    -- A claim that is being made is seen afterwards. Before private.lock_windows, as a claim locks them.
    perform
       from parking.availabilities a
      where a.spot_id = v_spot.id
        and a.end_time > clock_timestamp()
      order by a.id
        for no key update;
  end if;
  return v_spot;
end;
$$;

comment on function private.lock_spot_to_reconcile is
  'Locks a spot, what its owner plans, and its windows that have not ended, until the transaction ends.';
grant execute on function private.lock_spot_to_reconcile to parking_api;
