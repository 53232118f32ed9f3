/* Work that must happen, though a process ends in the middle of it: mails, deliveries, what is due by the clock. */
create table if not exists private.jobs (
  id uuid default uuidv7(),
  kind text not null,
  lane text not null,
  key text not null,
  event_id uuid,
  data jsonb not null default '{}',
  run_at timestamptz(3) not null default now(),
  pause interval,
  attempts integer not null default 0,
  failures integer not null default 0,
  taken_until timestamptz(3),
  failure text,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint jobs_pkey primary key (id),
  constraint jobs_kind_key_key unique (kind, key)
);

create index if not exists jobs_open_idx on private.jobs (lane, run_at) where ended_at is null;
create index if not exists jobs_ended_at_idx on private.jobs (ended_at) where ended_at is not null;
create index if not exists jobs_given_up_idx on private.jobs (kind)
  where ended_at is not null and failure is not null;
create index if not exists jobs_of_recipient_idx
  on private.jobs ((data ->> 'recipient_id'), created_at)
  where data ->> 'recipient_id' is not null;

comment on table private.jobs is
  'What is to be done outside of requests, by whichever process takes it. A job that succeeded or was given up stays for a while.';
comment on column private.jobs.id is
  'The job.';
comment on column private.jobs.kind is
  'What is to be done, by the name of the code that does it.';
comment on column private.jobs.lane is
  'Jobs of a lane wait for one another, and for those of no other: one receiver that is slow holds up nobody else.';
comment on column private.jobs.key is
  'What it is done for: each is done once.';
comment on column private.jobs.event_id is
  'The event it is about, if it is about one. The event is kept until the job has ended.';
comment on column private.jobs.data is
  'What the code needs to know besides.';
comment on column private.jobs.run_at is
  'When it is due.';
comment on column private.jobs.attempts is
  'How often it was taken. Who took it may end it while nobody else has taken it since.';
comment on column private.jobs.failures is
  'How many attempts have failed since one succeeded.';
comment on column private.jobs.taken_until is
  'Until when nobody else takes it. A process that is gone gives nothing back.';
comment on column private.jobs.failure is
  'Why the last attempt failed.';
comment on column private.jobs.ended_at is
  'When it succeeded, or, with a failure, was given up.';
comment on column private.jobs.created_at is
  'When it was added.';
comment on column private.jobs.pause is
  'How long before run_at that was set. A job that is further ahead than this was put off by a clock that ran ahead, and is due.';
comment on index private.jobs_given_up_idx is
  'Counts what was given up.';
comment on index private.jobs_open_idx is
  'Finds what is due in a lane.';
comment on index private.jobs_ended_at_idx is
  'Finds what ended long ago, to delete it.';
comment on index private.jobs_of_recipient_idx is
  'Counts the mails and pushes to a person.';

alter table private.jobs enable row level security;
-- No policy and no grant: the service reaches it through functions, as nobody in particular.
