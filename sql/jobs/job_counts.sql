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
  select j.kind,
         count(*) filter (where j.ended_at is null and j.run_at <= clock_timestamp())::integer,
         count(*) filter (where j.ended_at is null and j.failures > 0)::integer,
         count(*) filter (where j.ended_at is not null and j.failure is not null)::integer,
         coalesce(
           extract(epoch from clock_timestamp() - min(j.run_at) filter (
             where j.ended_at is null and j.run_at <= clock_timestamp()
           )),
           0
         )::float8
    from private.jobs j
   group by j.kind
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
