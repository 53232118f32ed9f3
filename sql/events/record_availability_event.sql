/* Windows are created, moved and deleted. A claim of a window is an event of the claim. */
create or replace function private.record_availability_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_availability constant parking.availabilities := case tg_op when 'DELETE' then old else new end;
begin
  insert into private.events (type, subject_id, data)
  values (
    case tg_op
      when 'INSERT' then 'availability.created'
      when 'DELETE' then 'availability.deleted'
      else 'availability.updated'
    end,
    v_availability.id,
    private.availability_json(v_availability)
  );
  return null;
end;
$$;

comment on function private.record_availability_event is
  'Trigger function: logs what happened to an availability.';

create or replace trigger record_creation_or_deletion
  after insert or delete on parking.availabilities
  for each row
  execute function private.record_availability_event();

create or replace trigger record_update
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_availability_event();
