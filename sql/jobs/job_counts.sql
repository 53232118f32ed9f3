/* For the metrics, at each scrape. */
create or replace function private.job_counts()
  returns table (kind text, waiting integer, failing integer, given_up integer, oldest_seconds float8)
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  -- One look at the index for each kind, however many jobs have ended.
  with recursive kinds (kind) as (
    select min(j.kind)
      from private.jobs j
    union all
    select (select min(j.kind) from private.jobs j where j.kind > k.kind)
      from kinds k
     where k.kind is not null
  ),
  open as (
    select j.kind,
           count(*) filter (where private.is_due(j.run_at, j.pause)) as waiting,
           count(*) filter (where j.failures > 0) as failing,
           greatest(extract(epoch from clock_timestamp() - min(j.run_at)), 0) as oldest_seconds
      from private.jobs j
     where j.ended_at is null
     group by j.kind
  )
  select k.kind,
         coalesce(o.waiting, 0)::integer,
         coalesce(o.failing, 0)::integer,
         (
           select count(*)
             from private.jobs j
            where j.kind = k.kind
              and j.ended_at is not null
              and j.failure is not null
         )::integer,
         coalesce(o.oldest_seconds, 0)::float8
    from kinds k
    left join open o on o.kind = k.kind
   where k.kind is not null
  union all
  -- They are no jobs, but to give them their positions is work as well, which may fail.
  select 'events',
         count(*)::integer,
         0,
         0,
         extract(epoch from clock_timestamp() - min(e.occurred_at))::float8
    from private.new_events e
  having count(*) > 0
   order by 1;
end;
$$;

comment on function private.job_counts is
  'How many jobs of each kind are due, have failed and will be tried again, and were given up; and for how long the oldest has been due. Events that wait for their position are a kind, too.';
grant execute on function private.job_counts to parking_api;
