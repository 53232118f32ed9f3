create table if not exists private.day_counts (
  id bigint generated always as identity,
  day date not null,
  windows_started integer not null,
  windows_ended integer not null,
  claimed_started integer not null,
  claimed_ended integer not null,
  active_started integer not null,
  active_ended integer not null,
  completed_started integer not null,
  completed_ended integer not null,
  cancelled_started integer not null,
  cancelled_ended integer not null,
  constraint day_counts_pkey primary key (id)
)
-- Room on each page for the next version of its rows, which then needs no new entry in the index.
with (fillfactor = 50);

alter table private.day_counts enable row level security;
-- No policy and no grant: functions that know what the caller may see read it.

comment on table private.day_counts is
  'How many windows and claims of the building start and end on each day. The count of a day is the sum of its rows: there are several where several transactions wrote at the same time.';
comment on column private.day_counts.id is
  'The row.';
comment on column private.day_counts.day is
  'The day in UTC.';
comment on column private.day_counts.windows_started is
  'Windows that start on the day.';
comment on column private.day_counts.windows_ended is
  'Windows that end on the day.';
comment on column private.day_counts.claimed_started is
  'Windows that start on the day and are claimed.';
comment on column private.day_counts.claimed_ended is
  'Windows that end on the day and are claimed.';
comment on column private.day_counts.active_started is
  'Claims that start on the day and are active.';
comment on column private.day_counts.active_ended is
  'Claims that end on the day and are active.';
comment on column private.day_counts.completed_started is
  'Claims that start on the day and are completed.';
comment on column private.day_counts.completed_ended is
  'Claims that end on the day and are completed.';
comment on column private.day_counts.cancelled_started is
  'Claims that start on the day and are cancelled.';
comment on column private.day_counts.cancelled_ended is
  'Claims that end on the day and are cancelled.';

create index if not exists day_counts_day_idx on private.day_counts (day);
