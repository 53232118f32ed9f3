/* The counts of days follow each window. */
create or replace function private.keep_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.add_day_counts(
      private.utc_day(old.start_time),
      private.utc_day(old.end_time),
      windows => -1,
      claimed => -old.is_claimed::integer
    );
  end if;
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    windows => 1,
    claimed => new.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_availability_counts is
  'Trigger function: counts a window that was added or moved.';

create or replace trigger keep_counts_of_added
  after insert on parking.availabilities
  for each row
  execute function private.keep_availability_counts();

create or replace trigger keep_counts_of_moved
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.keep_availability_counts();
