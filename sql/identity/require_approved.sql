/* Gives the caller an error where the policies would only show no rows. */
create or replace function private.require_approved()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
end;
$$;

comment on function private.require_approved is
  'Fails under the rule approved_account_required unless the caller''s account is approved.';
grant execute on function private.require_approved to parking_api;
