/* No such row is there for the caller, or the caller lost the right to see it while the statement waited. */
create or replace function private.refuse_absent("table" text, requires_approval boolean default true)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_absent.requires_approval then
    perform private.require_approved();
  end if;

  raise sqlstate 'PT404' using
    message = coalesce(
      (select a.message from private.absences a where a."table" = refuse_absent."table"),
      'Not found'
    ),
    table = refuse_absent."table";
end;
$$;

comment on function private.refuse_absent is
  'Fails with status 404 and the message that the comment of the table gives (@absent), or under the rule approved_account_required.';
grant execute on function private.refuse_absent to parking_api;
