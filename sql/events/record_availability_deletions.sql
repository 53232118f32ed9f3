/* A spot may have thousands of windows: all that are deleted with it are logged in one statement. */
create or replace function private.record_availability_deletions()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, actor_id, reason, data)
  select 'availability.deleted',
         d.id,
         (select private.caller_id()),
         (select private.reason()),
         private.availability_json(row(d.*)::parking.availabilities)
    from deleted d;
  return null;
end;
$$;

comment on function private.record_availability_deletions is
  'Trigger function: logs the availabilities that a statement deleted.';

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_availability_deletions();
