/* A claim keeps who cancelled it: the event log is pruned, and reports ask years later. */
create or replace function private.touch_status()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond'); -- as private.touch
  new.cancelled_by := case when new.status = 'cancelled' then private.caller_id() end;
  return new;
end;
$$;

comment on function private.touch_status is
  'Trigger function: keeps updated_at of a claim whose status changes, and who cancelled it.';

create or replace trigger touch
  before update of status on parking.claims
  for each row
  when (new.status <> old.status)
  execute function private.touch_status();
