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

-- After the rule claims_wait_for_offers: triggers run in the order of their names.
create or replace trigger fulfil_wishes
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.fulfil_wishes();

/* Whatever frees a time adds a row, and waits for nobody. */
create or replace function private.note_freed()
  returns trigger
  language plpgsql
  security definer -- nobody writes what became free
  set search_path = ''
as $$
declare
  v_before tstzmultirange := '{}';
  v_freed_by uuid;
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;
  if tg_table_name = 'availabilities' and tg_op = 'UPDATE' then
    v_before := private.free_times(old);
    v_freed_by := private.caller_id();
    if exists (
      select
        from parking.claims c
       where c.availability_id = new.id
         and c.cancelled_by = v_freed_by
         and c.claimer_id <> v_freed_by
    ) then
      v_freed_by := null; -- an administrator: it was not theirs
    end if;
  end if;

  insert into private.freed_times (availability_id, during, freed_by)
  select a.id, f.during, v_freed_by
    from parking.availabilities a
   cross join lateral (select private.free_times(a) - v_before) f (during)
   where new.id in (a.id, a.owner_id, a.spot_id)
     and a.end_time > now()
     and not isempty(f.during);
  return null;
end;
$$;

create or replace trigger note_freed
  after insert or update of is_claimed, start_time, end_time on parking.availabilities
  for each row
  when (not new.is_claimed)
  execute function private.note_freed();

create or replace trigger note_freed
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.note_freed();

create or replace trigger note_freed
  after update of building_section on parking.spots
  for each row
  when (new.building_section <> old.building_section)
  execute function private.note_freed();

/* Nobody needs the notification about a wish that is fulfilled or withdrawn, or whose window is gone. */
create or replace function private.resolve_wish()
  returns trigger
  language plpgsql
  security definer -- residents do not write resolved_at
  set search_path = ''
as $$
begin
  update parking.notifications n
     set resolved_at = now()
   where n.id = old.id
     and n.resolved_at is null
     and not exists (
       select from parking.wishes w where w.id = old.id and w.claim_id is null and w.availability_id is not null
     );
  return null;
end;
$$;

-- Only before it begins: what prunes wishes then waits for no notification.
create or replace trigger resolve_wish
  after delete or update of claim_id, availability_id on parking.wishes
  for each row
  when (old.availability_id is not null and old.start_time > now())
  execute function private.resolve_wish();
