/* Not in the trigger's condition, which each statement would plan anew. */
create or replace function private.enforce_own_description()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.claimer_id is distinct from private.caller_id() then
    perform private.refuse(tg_name, '42501');
  end if;
  return new;
end;
$$;

comment on function private.enforce_own_description is
  'Trigger function: refuses guest and vehicle from others than the claimer.';
