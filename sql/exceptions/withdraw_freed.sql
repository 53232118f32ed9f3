/* The owner talked to who had claimed a time that the owner needs: freed, it is not on offer either. */
create or replace function private.withdraw_freed()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  v_windows uuid[];
begin
  if tg_op = 'DELETE' then
    v_windows := array(select d.availability_id from deleted d where d.status <> 'cancelled');
  elsif (new.status, new.start_time, new.end_time)
    is distinct from (old.status, old.start_time, old.end_time)
    and exists ( -- quickly: mostly there is none
      select
        from parking.exceptions e
       where e.owner_id = new.owner_id
         and e.kind = 'keep'
         and e.end_time > now()
    )
  then
    -- With the pieces of what was one window: a claim may give up a part of its time.
    v_windows := array(
      select p.id
        from parking.availabilities a
        join parking.availabilities p on p.id = a.id or p.part_of = a.part_of
       where a.id = new.availability_id
    );
  else
    return null;
  end if;

  perform private.withdraw_kept(e, s.id, a.during)
     from parking.availabilities a
     join parking.spots s on s.id = a.spot_id -- not where it was deleted
     join parking.exceptions e on e.owner_id = a.owner_id
    where a.id = any (v_windows)
      and e.kind = 'keep'
      and coalesce(e.spot_id, s.id) = s.id
      and e.start_time < a.end_time
      and e.end_time > greatest(a.start_time, now());
  return null;
end;
$$;

comment on function private.withdraw_freed is
  'Trigger function: withdraws a window that a claim has freed, where the owner needs it.';

-- Triggers run in the order of their names: these after those that mark and count windows.
create or replace trigger withdraw_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  -- Also where it takes more: what is left of its window is put on offer then (private.offer_rest).
  when (pg_relation_size('parking.exceptions', 'main') > 0) -- somebody has made one
  execute function private.withdraw_freed();

create or replace trigger withdraw_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  when (pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.withdraw_freed();
