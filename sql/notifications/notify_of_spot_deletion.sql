/* Notifies those who lose something by the deletion of a spot. */
create or replace function private.notify_of_spot_deletion(spot parking.spots)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  perform private.notify(spot.owner_id, 'spot.deleted', spot);

  -- One for each resident, however many claims they had.
  perform private.notify(c.claimer_id, 'spot.deleted', spot)
     from (
       select distinct claimer_id
         from parking.claims
        where claims.spot_id = spot.id
          and claims.status <> 'cancelled'
     ) c;
end;
$$;

comment on function private.notify_of_spot_deletion is
  'Notifies the owner of a deleted spot and those whose claims on it were not cancelled. For triggers, before the claims are deleted.';
