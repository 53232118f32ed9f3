-- The administrator verified the old number and section.
-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_verification
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section) is distinct from (old.spot_number, old.building_section)
  )
  execute function private.set_columns('{"is_verified": false}');

/*
 * A spot that has a past is not deleted: reports, and those who claimed it, keep what was. Its number is
 * free for the next owner, and what was to come ends. Whoever deletes a spot, by any way, retires it.
 */
create or replace function private.retire_spot()
  returns trigger
  language plpgsql
  security definer -- claims, wishes, reports and stars belong to other residents
  set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  if old.retired_at is not null then
    return null;
  end if;

  v_now := date_trunc('milliseconds', clock_timestamp());
  perform private.notify(old.owner_id, 'spot.deleted', old);
  -- One for each resident, however many claims they had. Past claims stay, and need no notification.
  perform private.notify(c.claimer_id, 'spot.deleted', old)
     from (
       select distinct l.claimer_id
         from parking.claims l
        where l.spot_id = old.id
          and l.status <> 'cancelled'
          and l.end_time > clock_timestamp()
     ) c;
  perform private.notify(
    w.wisher_id, 'spot.deleted', old, start_time => w.start_time, end_time => w.end_time
  )
     from parking.wishes w
    where w.spot_id = old.id
      and w.claim_id is null
      and w.start_time > clock_timestamp();

  if not exists (select from parking.claims c where c.spot_id = old.id)
    and not exists (
      select from parking.availabilities a where a.spot_id = old.id and a.start_time < v_now
    )
    and not exists (select from parking.wishes w where w.spot_id = old.id and w.start_time < v_now)
    and not exists (select from parking.spot_reports r where r.spot_id = old.id)
  then
    return old;
  end if;

  update parking.spots s
     set retired_at = v_now,
         notes = null
   where s.id = old.id;
  delete from parking.exceptions e
   where e.spot_id = old.id;
  delete from parking.patterns p
   where p.spot_id = old.id;
  delete from parking.spot_access a
   where a.spot_id = old.id;
  delete from parking.favorite_spots f
   where f.spot_id = old.id;

  update parking.claims c
     set status = 'completed'
   where c.spot_id = old.id
     and c.status = 'active'; -- it has ended, or spots_with_active_claims_stay would have refused

  delete from parking.availabilities a
   where a.spot_id = old.id
     and a.start_time >= v_now
     and not private.is_held(a.id);
  -- The past does not change: until now, the time was offered.
  update parking.availabilities a
     set end_time = v_now,
         offered = a.offered * tstzmultirange(tstzrange(null, v_now))
   where a.spot_id = old.id
     and a.end_time > v_now
     and not private.is_held(a.id);
  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(array(
            select a from parking.availabilities a where a.spot_id = old.id and a.end_time = v_now
          )) f;
  perform private.set_offered(old.id);

  delete from parking.wishes w
   where w.spot_id = old.id
     and w.claim_id is null
     and w.start_time >= v_now;

  return null;
end;
$$;

-- The last of them, so that every rule about the deletion of a spot has been asked: triggers run in the
-- order of their names.
create or replace trigger z_retire_spot
  before delete on parking.spots
  for each row
  execute function private.retire_spot();
