/* The deliveries of a webhook, sent or not, are deleted with it. */
create or replace function private.end_deliveries()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  delete from private.jobs j
   where j.kind = 'webhook'
     and (j.data ->> 'webhook_id')::uuid = old.id;
  return null;
end;
$$;

create or replace trigger end_deliveries
  after delete on parking.webhooks
  for each row
  execute function private.end_deliveries();

-- A webhook that is turned on again has five new days to fail.
create or replace trigger forget_failures
  before update of enabled on parking.webhooks
  for each row
  when (new.enabled and not old.enabled)
  execute function private.set_columns('{"failing_since": null}');
