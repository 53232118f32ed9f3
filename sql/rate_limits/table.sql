/* How many requests each caller has made lately: the count that several services share (RATE_LIMIT_STORE=postgres). */
create unlogged table if not exists private.rate_limits (
  key text,
  points integer not null,
  ends_at timestamptz(3) not null,
  constraint rate_limits_pkey primary key (key)
);

create index if not exists rate_limits_ends_at_idx on private.rate_limits (ends_at);

comment on table private.rate_limits is
  'Requests made in the current windows of time, one row per caller and window. Unlogged, because no request should wait for the disk and a crash may forget the counts.';
comment on column private.rate_limits.key is
  'The window and the caller, as <window>:<sub of the token>, <window>:feed of <its owner>, or <window>:mail of <the hash of the key>.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.ends_at is
  'When the window ends. The row stays until the next charge of its key, or until other windows are opened.';
comment on index private.rate_limits_ends_at_idx is
  'Finds windows that ended, to delete them.';

alter table private.rate_limits enable row level security;
-- No policy and no grant: the API role counts through private.charge_rate_limits only.
