create or replace function private.enforce_few_patterns()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Of one person one after the other: private.count_pattern_write has locked their row.
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
