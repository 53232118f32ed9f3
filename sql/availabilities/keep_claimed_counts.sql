/* The window stays; one more or one less is claimed. */
create or replace function private.keep_claimed_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    claimed => new.is_claimed::integer - old.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_claimed_counts is
  'Trigger function: counts a window as claimed or as free again.';

create or replace trigger keep_counts_of_claimed
  after update on parking.availabilities
  for each row
  when (
    new.is_claimed <> old.is_claimed
    and (new.start_time, new.end_time) = (old.start_time, old.end_time)
  )
  execute function private.keep_claimed_counts();
