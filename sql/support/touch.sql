/* Keeps updated_at. */
create or replace function private.touch()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, so that a later write never shows an earlier time than the one it waited for, nor the
  -- same: calendars tell by it that something changed.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end;
$$;

comment on function private.touch is
  'Trigger function: sets updated_at to the present moment, and later than it was.';
