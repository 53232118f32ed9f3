/* A claim keeps who cancelled it: the event log is pruned, and reports ask years later. */
create or replace function private.keep_canceller()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.cancelled_by := private.caller_id();
  return new;
end;
$$;

comment on function private.keep_canceller is
  'Trigger function: keeps who cancels a claim.';

create or replace trigger keep_canceller
  before update of status on parking.claims
  for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.keep_canceller();
