create or replace function private.keep_own_spots(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- cutting gives less than was offered: limits that came later do not bind it
  set search_path = ''
as $$
begin
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
