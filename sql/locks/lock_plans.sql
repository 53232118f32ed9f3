/*
 * What patterns publish and what exceptions keep depend on each other, and the lock of the spot shows
 * neither to a snapshot from before. Written, not only locked: one with such a snapshot fails, and sees
 * the other when it is tried again. One row of a person, for an exception may be about all their spots.
 */
create or replace function private.lock_plans()
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
begin
  insert into private.changed_windows as c (person_id, kind, day, number)
  select private.caller_id(), 'pattern', private.utc_day(clock_timestamp()), 0
   where (select private.is_approved())
  on conflict on constraint changed_windows_pkey do update
     set number = c.number;
end;
$$;

comment on function private.lock_plans is
  'Makes those who change patterns or exceptions of the caller, who is approved, wait for each other, and fail where they do not see each other.';
grant execute on function private.lock_plans to parking_api;
