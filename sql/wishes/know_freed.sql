create or replace function private.know_freed()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
declare
  v_before parking.claims[];
begin
  if tg_op = 'UPDATE' then
    v_before := array[old];
  else
    v_before := array(select d from deleted d);
  end if;

  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from unnest(v_before) c
    join private.fitting_windows f
      on f.availability_id = c.holds
     and f.wisher_id = c.claimer_id
     and f.during && c.takes
   where c.claimer_id = (select private.caller_id())
  on conflict do nothing;
  return null;
end;
$$;

comment on function private.know_freed is
  'Trigger function: notes that claimers know the windows that they free.';

-- Triggers run in the order of their names: after those that set what is free.
create or replace trigger note_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.held is not null
    and (new.held @> old.held) is not true
    and pg_relation_size('parking.wishes', 'main') > 0 -- somebody has waited
  )
  execute function private.know_freed();

create or replace trigger note_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  when (pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.know_freed();
