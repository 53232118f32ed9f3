/* Only a trigger knows what a person did by hand and what follows from it. */
create or replace function private.require_trigger()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if pg_trigger_depth() = 0 then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'Only triggers do this: say a pattern again, and its spot is set anew';
  end if;
end;
$$;

comment on function private.require_trigger is
  'Refuses what only triggers do to who calls it by hand.';
grant execute on function private.require_trigger to parking_api;
