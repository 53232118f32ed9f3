/* Open pages hear that the limits changed, and read them again. */
create or replace function private.record_limits()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if new is distinct from old then
    insert into private.new_events (type, subject_id, data)
    select 'building.updated', b.id, jsonb_build_object('id', b.id)
      from parking.building b;
  end if;
  return null;
end;
$$;

comment on function private.record_limits is
  'Trigger function: logs that the building, its limits or those of a section have changed.';

create or replace trigger record_limits
  after update on parking.building
  for each row
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.limits
  for each row
  execute function private.record_limits();
