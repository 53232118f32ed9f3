/* A spot may have thousands of windows: all that are deleted with it are counted in one statement. */
create or replace function private.drop_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    min(d.start_time),
    min(d.end_time),
    windows => -count(*) filter (where not d.is_hidden),
    claimed => -count(*) filter (where d.is_claimed)
  )
     from deleted d
    group by private.utc_day(d.start_time), private.utc_day(d.end_time);
  return null;
end;
$$;

comment on function private.drop_availability_counts is
  'Trigger function: takes the windows that a statement deleted from the counts.';

create or replace trigger keep_counts_of_deleted
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.drop_availability_counts();
