/* Spots are registered, updated, verified and deleted. */
create or replace function private.record_spot_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_spot constant parking.spots := case tg_op when 'DELETE' then old else new end;
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'spot.registered'
      when tg_op = 'DELETE' then 'spot.deleted'
      when new.is_verified and not old.is_verified then 'spot.verified'
      else 'spot.updated'
    end,
    v_spot.id,
    private.spot_json(v_spot)
  );
  return null;
end;
$$;

comment on function private.record_spot_event is
  'Trigger function: logs what happened to a spot.';

create or replace trigger record_registration_or_deletion
  after insert or delete on parking.spots
  for each row
  execute function private.record_spot_event();

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section, new.is_verified)
      is distinct from (old.spot_number, old.building_section, old.is_verified)
  )
  execute function private.record_spot_event();
