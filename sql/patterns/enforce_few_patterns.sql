create or replace function private.enforce_few_patterns()
  returns trigger
  language plpgsql
  security definer -- the same count, whatever the policies show the caller
  set search_path = ''
as $$
begin
  -- Two of one resident at once: private.enforce_few_changed_windows has made the second wait for the first.
  if (
    select count(*) from parking.patterns p where p.owner_id = new.owner_id
  ) > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_patterns is
  'Trigger function: refuses a pattern to a resident who has as many as the argument says.';
