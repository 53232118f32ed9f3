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

comment on function private.end_deliveries is
  'Trigger function: deletes the jobs of a webhook that was deleted.';

create or replace trigger end_deliveries
  after delete on parking.webhooks
  for each row
  execute function private.end_deliveries();
