create or replace function private.enforce_few_a_day()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Not what one that keeps takes later: neither the end of a claim nor that of another exception fails
  -- by it. What is shared again counts, and stays off offer where it is too much (private.share_again).
  if exists (
    select
      from (
        select e.owner_id, count(*)::integer as number
          from added a
          join parking.exceptions e on e.id = a.exception_id
         where e.created_at = now()::timestamptz(3)
            or e.kind = 'share'
         group by e.owner_id
      ) n
     where private.count_changed_windows(n.owner_id, 'exception', n.number) > tg_argv[0]::integer
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_a_day is
  'Trigger function: refuses a new exception, and what an older one shares again, to a resident whose exceptions have changed as many windows on this day as the argument says.';
