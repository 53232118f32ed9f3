/* Notifies those who lose something by the deletion of a spot. */
create or replace function private.notify_of_spot_deletion(spot parking.spots)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  perform private.notify(spot.owner_id, 'spot.deleted', spot);

  -- One for each resident, however many claims they had. Past claims stay, and need no notification.
  perform private.notify(c.claimer_id, 'spot.deleted', spot)
     from (
       select distinct claimer_id
         from parking.claims
        where claims.spot_id = spot.id
          and claims.status <> 'cancelled'
          and claims.end_time > clock_timestamp()
     ) c;

  perform private.notify(
    w.wisher_id, 'spot.deleted', spot, start_time => w.start_time, end_time => w.end_time
  )
     from parking.wishes w
    where w.spot_id = spot.id
      and w.claim_id is null
      and w.start_time > clock_timestamp();
end;
$$;

comment on function private.notify_of_spot_deletion is
  'Notifies the owner of a spot that is being deleted, those who have completed a claim on it before its end, and those who wait for it. For triggers.';
