/* A process that took too long ends nothing: another process has taken the job meanwhile. */
create or replace function private.end_job(
    id uuid,
    attempts integer,
    failure text default null,
    run_at timestamptz default null
)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  update private.jobs j
     set failure = left(end_job.failure, 500),
         taken_until = null,
         run_at = coalesce(end_job.run_at, j.run_at),
         pause = end_job.run_at - clock_timestamp(),
         failures = case when end_job.failure is not null then j.failures + 1 else 0 end,
         ended_at = case when end_job.run_at is null then clock_timestamp() end
   where j.id = end_job.id
     and j.attempts = end_job.attempts
     and j.ended_at is null;
end;
$$;

comment on function private.end_job is
  'Says how an attempt at a job ended: with a failure or not, and, where there is a time, when it is due again.';
grant execute on function private.end_job to parking_api;
