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

create or replace trigger keep_counts_of_deleted
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.drop_availability_counts();

/* The counts of days follow each window. What is free of it is counted by who sets it (private.set_free). */
create or replace function private.keep_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.add_day_counts(
      old.start_time,
      old.end_time,
      windows => -(not old.is_hidden)::integer,
      claimed => -old.is_claimed::integer
    );
  end if;

  perform private.add_day_counts(
    new.start_time,
    new.end_time,
    windows => (not new.is_hidden)::integer,
    claimed => new.is_claimed::integer
  );
  return null;
end;
$$;

create or replace trigger keep_counts_of_added
  after insert on parking.availabilities
  for each row
  execute function private.keep_availability_counts();

create or replace trigger keep_counts_of_changed
  after update of start_time, end_time, is_claimed, free on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    or pg_trigger_depth() = 0 -- the owner of the database, by hand
  )
  execute function private.keep_availability_counts();

/*
 * The past windows of a retired spot stay: nobody moves them into the future, or deletes them with their claims.
 * It takes no lock, because the removal of the spot may wait for a window that is being moved.
 */
create or replace function private.keep_window()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id and s.retired_at is not null) then
    perform private.refuse_absent('availabilities');
  end if;
  return null;
end;
$$;

create or replace trigger keep_window
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_window();
