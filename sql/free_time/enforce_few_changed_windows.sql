/*
 * One request about a pattern or an exception changes dozens of windows, and each leaves events that stay:
 * somebody who sends them without end would fill the disk of everybody. The log itself knows how many.
 */
create or replace function private.enforce_few_changed_windows()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
  v_today constant timestamptz := date_trunc('day', clock_timestamp(), 'UTC');
begin
  if (
    select count(*)
      from (
        select
          from private.events e -- with those that have no position yet
         where e.actor_id = new.owner_id
           and e.type in ('availability.deleted', 'availability.updated')
           and e.occurred_at >= v_today
         limit v_most + 1
      ) x
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;
