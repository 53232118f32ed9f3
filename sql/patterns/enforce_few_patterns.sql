create or replace function private.enforce_few_patterns()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  perform private.take_turn('plans', new.owner_id);
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
