/* A process that stops gives back what it has not ended: that is no failure. */
create or replace function private.give_back_job(id uuid, attempts integer)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  update private.jobs j
     set run_at = clock_timestamp(),
         taken_until = null
   where j.id = give_back_job.id
     and j.attempts = give_back_job.attempts
     and j.ended_at is null;
end;
$$;

comment on function private.give_back_job is
  'Makes a job due now that this attempt does not end.';
grant execute on function private.give_back_job to parking_api;
