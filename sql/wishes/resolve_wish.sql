/* Nobody needs the notification about a wish that is fulfilled or withdrawn. */
create or replace function private.resolve_wish()
  returns trigger
  language plpgsql
  security definer -- residents do not write resolved_at
  set search_path = ''
as $$
begin
  update parking.notifications n
     set resolved_at = now()
   where n.id = old.id
     and n.resolved_at is null;
  return null;
end;
$$;

comment on function private.resolve_wish is
  'Trigger function: resolves the notification about a wish that was fulfilled or withdrawn.';

-- Only before it begins: what prunes wishes then waits for no notification.
create or replace trigger resolve_wish
  after delete or update of claim_id on parking.wishes
  for each row
  when (old.availability_id is not null and old.start_time > now())
  execute function private.resolve_wish();
