/* Each report is a message to all administrators. */
create or replace function private.enforce_few_reports()
  returns trigger
  language plpgsql
  security definer -- the API role may not lock profiles
  set search_path = ''
as $$
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.reporter_id for no key update;
  perform private.take_turn(tg_name, new.reporter_id);

  if (
    select count(*)
      from parking.spot_reports r
     where r.reporter_id = new.reporter_id
       and r.created_at > clock_timestamp() - interval '1 day'
       and r.created_at <= clock_timestamp()::timestamptz(3) -- not while the clock ran ahead
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_reports is
  'Trigger function: refuses a report by who has made as many in 24 hours as the argument says.';
