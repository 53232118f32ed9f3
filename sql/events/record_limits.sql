/* Open pages hear that the limits changed, and read them again. */
create or replace function private.record_limits()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.new_events (type, subject_id, data)
  select 'building.updated', b.id, jsonb_build_object('id', b.id)
    from parking.building b;
  return null;
end;
$$;

comment on function private.record_limits is
  'Trigger function: logs that the limits of the building, or of a section, have changed.';

create or replace trigger record_limits
  after update on parking.building
  for each row
  when (old.* is distinct from new.*)
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.section_limits
  for each statement
  execute function private.record_limits();
