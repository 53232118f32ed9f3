create or replace function private.enforce_few_windows()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- Only of an exception that this transaction makes: neither the end of a claim nor that of another
  -- exception fails by it.
  if exists (
    select
      from parking.exceptions e
      join private.exception_changes t on t.exception_id = e.id
     where e.id in (select a.exception_id from added a)
       and e.created_at = now()::timestamptz(3)
     group by e.id
    having count(*) > v_most
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_windows is
  'Trigger function: refuses a new exception that changes more windows than the argument says.';
