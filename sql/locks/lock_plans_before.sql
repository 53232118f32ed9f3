/* Plans come before patterns, and an UPDATE locks its rows before the triggers of each row run. */
create or replace function private.lock_plans_before()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_plans();
  return null;
end;
$$;

comment on function private.lock_plans_before is
  'Trigger function: locks the plans of the caller before the patterns that a statement changes.';

create or replace trigger lock_plans_before
  before update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each statement
  execute function private.lock_plans_before();
