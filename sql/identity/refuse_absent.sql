/* Nothing is there for the caller; or the caller lost the right to see it while the statement waited. */
create or replace function private.refuse_absent(message text)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  raise sqlstate 'PT404' using message = refuse_absent.message;
end;
$$;

comment on function private.refuse_absent is
  'Fails with status 404 and the message, or under the rule approved_account_required.';
grant execute on function private.refuse_absent to parking_api;
