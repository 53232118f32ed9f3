/*
 * Patterns and exceptions depend on each other, and after the lock of the spot an old snapshot still does not see
 * new ones. There is one turn for each person, because an exception may be about all their spots.
 */
create or replace function private.lock_plans()
  returns void
  language plpgsql
  volatile
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  if private.is_approved() then
    perform private.take_turn('plans', private.caller_id());
  end if;
end;
$$;

comment on function private.lock_plans is
  'Makes those who change patterns or exceptions of the caller, who is approved, wait for each other, and fail where they do not see each other.';
grant execute on function private.lock_plans to parking_api;
