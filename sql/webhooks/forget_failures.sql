/* A webhook that is turned on again has five new days to fail. */
create or replace function private.forget_failures()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.failing_since := null;
  return new;
end;
$$;

comment on function private.forget_failures is
  'Trigger function: forgets since when deliveries have failed.';

create or replace trigger forget_failures
  before update of enabled on parking.webhooks
  for each row
  when (new.enabled and not old.enabled)
  execute function private.forget_failures();
