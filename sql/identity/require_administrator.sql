/* Gives the caller an error where the policies would only show no rows. */
create or replace function private.require_administrator()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  if not private.is_administrator() then
    perform private.refuse('administrator_required');
  end if;
end;
$$;

comment on function private.require_administrator is
  'Fails under the rule administrator_required unless the caller is an approved administrator.';
grant execute on function private.require_administrator to parking_api;
