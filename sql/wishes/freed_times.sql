/*
 * A queue: private.tell_waiting deletes a row when those who wait have been told. A row names its transaction, and a
 * wish the transactions that had ended when it was made: so a resident is not told of what they saw.
 */
create table if not exists private.freed_times (
  availability_id uuid not null,
  during tstzmultirange not null,
  freed_by uuid,
  freed_at timestamptz(3) not null default clock_timestamp(),
  freed_in xid8 not null default pg_current_xact_id()
);

comment on table private.freed_times is
  'What became free, and those who wait have not been told of yet.';
comment on column private.freed_times.availability_id is
  'The window.';
comment on column private.freed_times.during is
  'What of it became free.';
comment on column private.freed_times.freed_by is
  'Who freed it, and knows.';
comment on column private.freed_times.freed_at is
  'When it became free.';
comment on column private.freed_times.freed_in is
  'The transaction that freed it.';

create index if not exists freed_times_availability_id_idx
  on private.freed_times (availability_id);

alter table private.freed_times enable row level security;
-- No policy and no grant: only functions write and read it.

alter table private.freed_times replica identity full; -- as private.new_events
