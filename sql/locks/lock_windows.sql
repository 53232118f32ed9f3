/* Two writers of one spot's windows run one after the other: concurrent checks of an exclusion constraint can deadlock. */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- the API role may take no advisory lock
  set search_path = ''
as $$
begin
  -- Not the spot: an UPDATE has locked its window already, and whoever deletes the spot waits for
  -- that. Nobody waits for anything else while they have this lock.
  perform pg_advisory_xact_lock(hashtextextended(new.spot_id::text, 0));
  return new;
end;
$$;

comment on function private.lock_windows is
  'Trigger function: makes those who write the times of one spot''s windows wait for each other.';

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_windows();
