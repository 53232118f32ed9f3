/*
 * A claim fulfils a wish when it is made, or moved to fit. A resident who has a claim may wish for its time: for one
 * more spot, such as for a guest.
 */
create or replace function private.fulfil_wishes()
  returns trigger
  language plpgsql
  security definer -- residents write no wish
  set search_path = ''
as $$
begin
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;

  update parking.wishes w
     set claim_id = new.id
   where w.wisher_id = new.claimer_id
     and w.claim_id is null
     and w.start_time >= new.start_time
     and w.end_time <= new.end_time
     and (tg_op = 'INSERT' or w.start_time < old.start_time or w.end_time > old.end_time)
     and coalesce(w.spot_id, new.spot_id) = new.spot_id
     and (
       w.building_section is null
       or w.building_section = (select s.building_section from parking.spots s where s.id = new.spot_id)
     );
  return null;
end;
$$;

comment on function private.fulfil_wishes is
  'Trigger function: a claim fulfils the wishes of the claimer that it fits, and did not before.';

-- After the rule claims_wait_for_offers: triggers run in the order of their names.
create or replace trigger fulfil_wishes
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.fulfil_wishes();
