/* Somebody with a wish for every hour would be told of every window, and keep it from all others. */
create or replace function private.enforce_few_open()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.wisher_id for no key update;
  perform private.take_turn(tg_name, new.wisher_id);

  if (
    select count(*)
      from parking.wishes w
     where w.wisher_id = new.wisher_id
       and w.claim_id is null
       and w.start_time > clock_timestamp()
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_open is
  'Trigger function: refuses a wish to a resident who has as many open ones as the argument says.';
