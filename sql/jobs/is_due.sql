/*
 * A clock is set back by a moment all the time, and a job must not be taken twice for that. The time of a job was
 * rounded to milliseconds when it was stored, and so is now: a new job is due at once.
 */
create or replace function private.is_due(run_at timestamptz, pause interval)
  returns boolean
  language sql
  volatile
return is_due.run_at <= clock_timestamp()::timestamptz(3)
  or coalesce(is_due.run_at > clock_timestamp() + is_due.pause + interval '1 minute', false);

comment on function private.is_due is
  'Whether a job is due: at its time, or where it is further ahead than it was put off, by a clock that ran ahead.';
