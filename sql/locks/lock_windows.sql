/* Two writers of one spot's windows run one after the other: concurrent checks of an exclusion constraint can deadlock. */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- the API role may take no advisory lock
  set search_path = ''
as $$
declare
  v_key constant bigint := hashtextextended(new.spot_id::text, 0);
begin
  -- Not the spot: an UPDATE has locked its window already, and the deletion of the spot waits for that.
  if tg_op = 'UPDATE' and (new.start_time, new.end_time) = (old.start_time, old.end_time) then
    -- A claim takes or frees the window. PostgreSQL checks the constraint then too, because is_claimed
    -- is in an index. Claims of one spot do not wait for each other here.
    perform pg_advisory_xact_lock_shared(v_key);
  else
    perform pg_advisory_xact_lock(v_key);
  end if;
  return new;
end;
$$;

comment on function private.lock_windows is
  'Trigger function: makes those who write the times of one spot''s windows wait for each other, and for those who claim them.';

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time, is_claimed, free on parking.availabilities
  for each row
  execute function private.lock_windows();
