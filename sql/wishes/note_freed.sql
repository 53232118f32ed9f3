/*
 * Whatever frees a time adds a row, and waits for nobody: a publication, the end of a claim, what an owner does
 * not need any more, the approval of an owner, another section.
 */
create or replace function private.note_freed()
  returns trigger
  language plpgsql
  security definer -- nobody else writes what became free
  set search_path = ''
as $$
begin
  if tg_table_name = 'availabilities' then
    if new.is_claimed or pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
      return null;
    end if;
    insert into private.freed_times (availability_id, during, freed_by)
    select new.id, f.during, private.caller_id()
      from (
        select private.free_times(new) - case tg_op when 'UPDATE' then private.free_times(old) else '{}' end
      ) f (during)
     where not isempty(f.during);
  else
    insert into private.freed_times (availability_id, during, freed_by)
    select a.id, private.free_times(a), private.caller_id()
      from parking.availabilities a
     where new.id in (a.owner_id, a.spot_id)
       and a.end_time > now()
       and not a.is_claimed
       and pg_relation_size('parking.wishes', 'main') > 0;
  end if;
  return null;
end;
$$;

comment on function private.note_freed is
  'Trigger function: notes what became free, for private.tell_waiting.';

create or replace trigger note_freed
  after insert or update of is_claimed, start_time, end_time on parking.availabilities
  for each row
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
