/*
 * The end of each function of api that found no row to change or delete. The caller may have lost the
 * right while the statement waited: that is what they read then.
 */
create or replace function private.refuse_unchanged(
    "table" text,
    rule text default null,
    is_there boolean default false
)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_unchanged.rule is null or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  end if;
  perform private.require_approved();

  if refuse_unchanged.is_there then
    perform private.refuse(refuse_unchanged.rule);
  end if;
  perform private.refuse_absent(refuse_unchanged."table");
end;
$$;

comment on function private.refuse_unchanged is
  'Fails under the rule, which lets only some change the row, where the row is there, and else as private.refuse_absent does. Without a rule, and with a reason, only administrators may change it.';
grant execute on function private.refuse_unchanged to parking_api;
