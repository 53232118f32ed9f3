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

/* It looks at each lane by the index, and in it at jobs until one is due. */
create or replace function private.due_lanes()
  returns text[]
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return array(
    with recursive lanes (lane) as (
      select min(j.lane)
        from private.jobs j
       where j.ended_at is null
      union all
      select (select min(j.lane) from private.jobs j where j.ended_at is null and j.lane > l.lane)
        from lanes l
       where l.lane is not null
    )
    select l.lane
      from lanes l
     where exists (
       select
         from private.jobs j
        where j.lane = l.lane
          and j.ended_at is null
          and private.is_due(j.run_at, j.pause)
     )
  );
end;
$$;

comment on function private.due_lanes is
  'The lanes in which a job is due.';
grant execute on function private.due_lanes to parking_api;

/* A process that took too long ends nothing: another process has taken the job meanwhile. */
create or replace function private.end_job(
    id uuid,
    attempts integer,
    failure text default null,
    run_at timestamptz default null
)
  returns void
  language plpgsql
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

/* A process that stops gives back what it has not ended: that is no failure. */
create or replace function private.give_back_job(id uuid, attempts integer)
  returns void
  language plpgsql
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

/*
 * A clock is set back by a moment all the time, and a job must not be taken twice for that. The time of a job was
 * rounded to milliseconds when it was stored, and so is now: a new job is due at once.
 */
create or replace function private.is_due(run_at timestamptz, pause interval)
  returns boolean
  language sql
return is_due.run_at <= clock_timestamp()::timestamptz(3)
  or coalesce(is_due.run_at > clock_timestamp() + is_due.pause + interval '1 minute', false);

comment on function private.is_due is
  'Whether a job is due: at its time, or where it is further ahead than it was put off, by a clock that ran ahead.';

/* For the metrics, at each scrape. */
create or replace function private.job_counts()
  returns table (kind text, waiting integer, failing integer, given_up integer, oldest_seconds float8)
  language plpgsql
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

/* The service does some work for nobody in particular. Only then does the API role ask without a caller. */
create or replace function private.require_service()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if private.caller_id() is not null or private.key_id() is not null then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'This is for the service itself';
  end if;
end;
$$;

comment on function private.require_service is
  'Refuses to do in a request what is a job of the service.';
grant execute on function private.require_service to parking_api;

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

-- Jobs that are due by the clock. The code says when they run again; these rows never end.
insert into private.jobs (kind, lane, key)
select t.kind, t.kind, 'timed'
  from unnest(array['patterns', 'pruning']) t (kind)
 where not exists (
   select from private.jobs j where j.kind = t.kind and j.key = 'timed'
 );
