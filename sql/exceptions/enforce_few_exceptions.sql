create or replace function private.enforce_few_exceptions()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.owner_id for no key update;
  perform private.take_turn(tg_name, new.owner_id);

  if (
    select count(*)
      from parking.exceptions e
     where e.owner_id = new.owner_id
       and e.end_time > clock_timestamp()
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_exceptions is
  'Trigger function: refuses an exception to a person who has as many that have not ended as the argument says.';
