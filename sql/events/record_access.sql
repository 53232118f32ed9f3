/*
 * Pages that show how to get to a spot hear that it changed, and read it again. The event does not say it: it is
 * for few people, and for each only for a while.
 */
create or replace function private.record_access()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or new.access_notes is distinct from old.access_notes then
    insert into private.new_events (type, subject_id, data)
    values ('access.updated', new.spot_id, jsonb_build_object('id', new.spot_id));
  end if;
  return null;
end;
$$;

comment on function private.record_access is
  'Trigger function: logs that the access notes of a spot have changed.';

create or replace trigger record_access
  after insert or update of access_notes on parking.spot_access
  for each row
  execute function private.record_access();
