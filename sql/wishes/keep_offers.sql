/*
 * A pattern that is changed makes its windows anew, under other ids. Who was offered one of them keeps that
 * offer where a window of the spot has their time now.
 */
create or replace function private.keep_offers(spot_id uuid, windows uuid[])
  returns void
  language plpgsql
  volatile
  security definer -- writes the wishes and the notifications of others; offers stay with the caller's spot
  set search_path = ''
as $$
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return;
  end if;

  perform private.move_offers(o.from_window, o.to_window)
     from (
       select distinct w.availability_id as from_window, a.id as to_window
         from parking.spots s
         join parking.availabilities a on a.spot_id = s.id and not a.is_claimed
         join parking.wishes w
           on w.start_time >= a.start_time
          and w.start_time < a.end_time -- for the index
          and w.end_time <= a.end_time
          and w.claim_id is null
         join parking.notifications n on n.id = w.id and n.spot_id = s.id
        where s.id = keep_offers.spot_id
          and s.owner_id = (select private.caller_id())
          and a.end_time > clock_timestamp()
          and w.availability_id = any (keep_offers.windows)
          and w.availability_id <> a.id
     ) o;
end;
$$;

comment on function private.keep_offers is
  'Makes what was offered of these windows, of a spot of the caller, an offer of those that have the times of the wishes now.';
grant execute on function private.keep_offers to parking_api;
