/* How many requests each caller has made lately: the count that several services share (RATE_LIMIT_STORE=postgres). */
create unlogged table if not exists private.rate_limits (
  -- rate-limiter-flexible inserts without naming the columns: their order matters.
  key text,
  points integer not null,
  expire bigint not null,
  constraint rate_limits_pkey primary key (key)
);

comment on table private.rate_limits is
  'Requests made in the current windows of time, one row per caller and window. Written by rate-limiter-flexible; unlogged, because no request should wait for the disk and a crash may forget the counts.';
comment on column private.rate_limits.key is
  'The window and the caller, as <window>:<sub of the token>.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.expire is
  'When the window ends, in milliseconds since 1970. The row is deleted an hour later.';

alter table private.rate_limits enable row level security;

-- Rows belong to no caller: the service counts a request before it acts in anybody's name.
drop policy if exists all_by_the_service on private.rate_limits;
create policy all_by_the_service on private.rate_limits
  for all to parking_api
  using (true);

-- The service itself opens windows, counts in them and clears away those that ended.
grant select, insert, update, delete on private.rate_limits to parking_api;
