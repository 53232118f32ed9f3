/* The counts of days follow each window. */
create or replace function private.keep_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    -- Here, because a trigger's condition that is long costs each claim more. A claim counts the window
    -- that it marks, from its own trigger; one marked by hand is counted here.
    if (new.start_time, new.end_time) is not distinct from (old.start_time, old.end_time)
      and (new.is_claimed = old.is_claimed or pg_trigger_depth() > 1)
    then
      return null;
    end if;

    perform private.add_day_counts(
      old.start_time,
      old.end_time,
      windows => -1,
      claimed => -old.is_claimed::integer
    );
  end if;
  perform private.add_day_counts(
    new.start_time,
    new.end_time,
    windows => 1,
    claimed => new.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_availability_counts is
  'Trigger function: counts a window that was added or changed.';

create or replace trigger keep_counts_of_added
  after insert on parking.availabilities
  for each row
  execute function private.keep_availability_counts();

create or replace trigger keep_counts_of_changed
  after update of start_time, end_time, is_claimed on parking.availabilities
  for each row
  execute function private.keep_availability_counts();
