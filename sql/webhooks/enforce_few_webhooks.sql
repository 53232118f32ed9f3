/* Each event is sent to each of them. */
create or replace function private.enforce_few_webhooks()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  perform private.take_turn(tg_name);

  if (select count(*) from parking.webhooks) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_webhooks is
  'Trigger function: refuses a webhook where there are as many as the argument says.';
