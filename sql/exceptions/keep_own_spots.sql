create or replace function private.keep_own_spots(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- cutting gives less than was offered: limits that came later do not bind it
  set search_path = ''
as $$
begin
  -- Written, not only locked: the end of a claim with a snapshot from before fails, and sees the
  -- exception when it is tried again (private.withdraw_freed).
  update parking.availabilities a
     set is_claimed = true
    from parking.exceptions e
   where e.id = keep_own_spots.exception_id
     and e.kind = 'keep'
     and e.owner_id = (select private.caller_id())
     and a.owner_id = e.owner_id
     and a.spot_id = coalesce(e.spot_id, a.spot_id)
     and a.is_claimed
     and a.start_time < e.end_time
     and a.end_time > greatest(e.start_time, now());

  perform private.withdraw_kept(e, s.id)
     from parking.exceptions e
     join parking.spots s on s.owner_id = e.owner_id and s.id = coalesce(e.spot_id, s.id)
    where e.id = keep_own_spots.exception_id
      and e.kind = 'keep'
      and e.owner_id = (select private.caller_id())
    order by s.id;
end;
$$;

comment on function private.keep_own_spots is
  'Takes the time of an exception of the caller, of kind keep, off the offer.';
grant execute on function private.keep_own_spots to parking_api;
