/* Windows are created and moved. A claim of a window is an event of the claim. */
create or replace function private.record_availability_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case tg_op when 'INSERT' then 'availability.created' else 'availability.updated' end,
    new.id,
    private.availability_json(new)
  );
  return null;
end;
$$;

comment on function private.record_availability_event is
  'Trigger function: logs that an availability was created or moved.';

create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_availability_event();

create or replace trigger record_update
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_availability_event();
