/*
 * Spots come before plans and windows, and an UPDATE or a DELETE locks its rows before the triggers of each row
 * run. An administrator who gives a reason has locked the spot of another.
 */
create or replace function private.lock_own_spots_before()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if private.reason() is null then
    perform private.lock_own_spots();
  end if;
  return null;
end;
$$;

comment on function private.lock_own_spots_before is
  'Trigger function: locks the spots of the caller before the plans and windows that a statement changes.';

create or replace trigger lock_own_spots_before
  before delete or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete on parking.exceptions
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();
