/*
 * Forgets what the building keeps no longer, at most so many rows of each table, so that nobody waits for
 * it. What happened to people and spots stays: it is little, and reports and erasures read it.
 */
create or replace function private.prune(most integer default 10000)
  returns integer
  language plpgsql
  security definer -- the API role deletes none of it
  set search_path = ''
as $$
declare
  c_far constant interval := interval '7 days';
  v_building constant parking.building := private.building();
  v_table text;
  v_column text;
  v_days integer;
  v_rows integer;
  v_pruned integer := 0; -- of the table with the most
  v_kept_after bigint;
begin
  perform private.require_service();

  -- Deleted rows do not come back, so a clock that runs ahead must not delete. It may run ahead if nothing
  -- happened for a long time before now. Events of the last hour prove nothing: the same clock dated them.
  if now() - c_far > greatest(
    v_building.created_at,
    (select max(e.occurred_at) from only private.events e where e.occurred_at < now() - interval '1 hour')
  ) then
    return null;
  end if;

  -- First, as an erasure does before it changes events; and from here on it waits for no row.
  perform private.lock_events();

  -- Without a process that sends mails, or pushes, nothing is kept for it. Three days are more than an outage lasts.
  delete from private.jobs j
   using private.jobs r
   where r.key = 'timed'
     and r.run_at < now() - interval '3 days'
     and j.ended_at is null
     and (
       r.kind = 'reminders' and j.kind in ('reminders', 'mail')
       or r.kind = 'pushreminders' and j.kind in ('pushreminders', 'push')
     );

  for v_table, v_column, v_days in
    values ('private.jobs', 'ended_at', v_building.job_days),
           -- Its mails are jobs; the log has who gave an address to whom, and why.
           ('private.address_changes', 'ended_at', v_building.job_days),
           ('parking.notifications', 'created_at', v_building.notification_days),
           ('parking.spot_reports', 'created_at', v_building.notification_days),
           ('parking.passages', 'passed_at', v_building.passage_days),
           -- api.unmet_wishes reports as far back as the log goes.
           ('parking.wishes', 'end_time', v_building.event_days)
  loop
    execute format(
      $query$
        delete from %1$s t
         where t.id = any (array(
           select o.id
             from %1$s o
            where o.%2$I < now() - make_interval(days => $1)
            limit $2
              for update skip locked
         ))
      $query$,
      v_table, v_column
    ) using v_days, prune.most;
    get diagnostics v_rows = row_count;
    v_pruned := greatest(v_pruned, v_rows);
  end loop;
  v_pruned := greatest(v_pruned, identity.prune(prune.most));

  perform set_config('parking.pruning', 'on', true); -- the exception of events_are_only_added
  with pruned as (
    delete from only private.events e
     where e.id = any (array(
       select o.id
         from only private.events o
        where o.occurred_at < now() - make_interval(days => v_building.event_days)
          and split_part(o.type, '.', 1) in ('availability', 'pattern', 'claim', 'report', 'notification')
          and not exists (
            select
              from private.jobs j
             where j.event_id = o.id
               and j.ended_at is null
          )
          -- An erasure learns from these events alone whom an inbox still names because of a deleted claim.
          and not exists (
            select
              from parking.notifications n
             where (
                 o.type = 'claim.deleted' and n.data ? 'claimer_name'
                 or o.type = 'claim.submitted' and n.data ? 'actor_name'
               )
               and n.claim_id = o.subject_id
          )
        order by o.occurred_at
        limit prune.most
     ))
    returning e.position
  )
  select count(*), max(p.position) into v_rows, v_kept_after
    from pruned p;
  perform set_config('parking.pruning', 'off', true);

  update private.last_position l
     set kept_after = v_kept_after
   where l.kept_after < v_kept_after;

  return greatest(v_pruned, v_rows);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, changes of addresses, notifications, reports of cars, passages, wishes, events and sign-ins, and returns how many of the table with the most: as many as asked for where there may be more. Deletes nothing, and returns null, where nothing happened in the week before: the clock may run ahead.';
grant execute on function private.prune to parking_api;

/*
 * The planner's statistics hold values of the tables, also of what was erased since. Table by table, each in
 * a statement of its own, so that none takes long.
 */
create or replace function private.renew_statistics(number integer)
  returns boolean
  language plpgsql
  security definer -- only the owner of a table may
  set search_path = ''
as $$
declare
  v_table regclass;
begin
  perform private.require_service();

  select c.oid into v_table
    from pg_catalog.pg_class c
   where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace, 'identity'::regnamespace)
     and c.relkind = 'r'
   order by c.oid
  offset renew_statistics.number - 1
   limit 1;

  if v_table is null then
    return false;
  end if;

  execute format('analyze %s', v_table);
  return true;
end;
$$;

comment on function private.renew_statistics is
  'Makes the statistics of one table anew, the first, the second and so on; false where there are no more. They keep nothing of what was erased then.';
grant execute on function private.renew_statistics to parking_api;
