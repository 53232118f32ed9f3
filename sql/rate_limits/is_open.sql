/* By the clock at this moment, not at the start of the request: another may have opened the window since. */
create or replace function private.is_open(ends_at timestamptz, seconds integer)
  returns boolean
  language sql
  volatile
return is_open.ends_at > clock_timestamp()
  and is_open.ends_at <= clock_timestamp()::timestamptz(3) + make_interval(secs => is_open.seconds);

comment on function private.is_open is
  'Whether a window of so many seconds is open. One that ends later than that from now was opened by a clock that ran ahead, and is over.';
