/* In the transaction that makes the work necessary: neither without the other. */
create or replace function private.add_job(
    kind text,
    key text,
    data jsonb default '{}',
    run_at timestamptz default now(),
    event_id uuid default null,
    lane text default null
)
  returns void
  language sql
  volatile
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  insert into private.jobs (kind, lane, key, event_id, data, run_at, pause)
  values (
    add_job.kind, coalesce(add_job.lane, add_job.kind), add_job.key, add_job.event_id,
    add_job.data, add_job.run_at, add_job.run_at - clock_timestamp()
  )
  on conflict on constraint jobs_kind_key_key do nothing;
end;

comment on function private.add_job is
  'Adds a job, unless there is or was one of this kind with this key.';
