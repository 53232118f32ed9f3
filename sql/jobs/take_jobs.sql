/* A job that is taken is due again when its time is over, for the process that took it may be gone. */
create or replace function private.take_jobs(lane text, most integer, lease interval)
  returns table (
    id uuid,
    kind text,
    key text,
    event_id uuid,
    data jsonb,
    attempts integer,
    failures integer,
    overdue_seconds float8
  )
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  update private.jobs j
     set attempts = j.attempts + 1,
         run_at = clock_timestamp() + take_jobs.lease,
         pause = take_jobs.lease,
         taken_until = clock_timestamp() + take_jobs.lease
   where j.id = any (array(
     select d.id
       from private.jobs d
      where d.lane = take_jobs.lane
        and d.ended_at is null
        and private.is_due(d.run_at, d.pause)
      order by d.run_at
      limit take_jobs.most
        for update skip locked
   ))
  returning j.id, j.kind, j.key, j.event_id, j.data, j.attempts, j.failures,
            extract(epoch from clock_timestamp() - old.run_at)::float8;
end;
$$;

comment on function private.take_jobs is
  'Takes the jobs of a lane that have been due longest: nobody else gets them before the lease ends.';
grant execute on function private.take_jobs to parking_api;
