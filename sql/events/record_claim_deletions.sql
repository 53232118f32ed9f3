/* A spot may have thousands of claims: all that are deleted with it are logged in one statement. */
create or replace function private.record_claim_deletions()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, actor_id, reason, data)
  select 'claim.deleted',
         d.id,
         (select private.caller_id()),
         (select private.reason()),
         private.claim_json(row(d.*)::parking.claims)
    from deleted d;
  return null;
end;
$$;

comment on function private.record_claim_deletions is
  'Trigger function: logs the claims that a statement deleted.';

create or replace trigger record_deletions
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.record_claim_deletions();
