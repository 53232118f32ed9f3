/*
 * A claim writes its window anew, and PostgreSQL checks the exclusion constraint then: it and the owner who writes
 * another window over that one would wait for each other. So the owner waits for the claim first.
 */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- a policy hides the windows of a suspended owner, and an administrator may not lock any
  set search_path = ''
as $$
begin
  if new.start_time < new.end_time then
    perform
       from parking.availabilities a
      where a.during && tstzrange(new.start_time, new.end_time)
        and uuid_send(a.spot_id) = uuid_send(new.spot_id) -- as the index of the constraint has it
        and a.id <> new.id
      order by a.id
        for no key update;
  end if;
  return new;
end;
$$;

comment on function private.lock_windows is
  'Trigger function: locks what a window overlaps before it is written.';

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_windows();
