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

comment on function private.note_freed is
  'Trigger function: notes what became free of a window, or of the windows of a person or a spot.';

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
