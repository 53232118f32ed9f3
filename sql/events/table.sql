/* The log of all changes, in order. Only here does a deleted row remain. */
create table if not exists private.events (
  id uuid default uuidv7(),
  type text not null,
  subject_id uuid not null,
  actor_id uuid default private.actor_id(),
  data jsonb not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  reason text default private.given_reason(),
  constraint events_pkey primary key (id)
);

alter table private.events
  add column if not exists position bigint,
  drop constraint if exists events_position_key,
  add constraint events_position_key unique (position),
  alter column actor_id set default private.actor_id(),
  alter column reason set default private.given_reason();

alter table private.events enable row level security;
-- No policy and no grant: events are written by triggers and read by the owner of the database.

comment on table private.events is
  'The log of everything that happened to profiles, spots, availabilities, patterns and claims. Rows are added only.';
comment on column private.events.id is
  'The event; ids grow with time.';
comment on column private.events.type is
  'What happened, as <thing>.<participle>.';
comment on column private.events.subject_id is
  'The profile, spot, availability or claim it happened to. No foreign key: the event outlives it.';
comment on column private.events.actor_id is
  'Who did it; null for the owner of the database.';
comment on column private.events.data is
  'The subject as clients saw it afterwards; for a deletion, as it was. Without a position yet: its row.';
comment on column private.events.reason is
  'Why, where an administrator or a concierge acted on what belongs to another resident.';
comment on column private.events.occurred_at is
  'When the change was made.';
comment on column private.events.position is
  'Its place in the order that all readers follow; null until it has one, and for events of 1.0.0.';

create index if not exists events_subject_id_id_idx on private.events (subject_id, id);
create index if not exists events_occurred_at_idx on private.events (occurred_at);

-- For private.exports: deletions, and what people did to rows of others. A new claim writes to neither of
-- these two indexes.
create index if not exists events_actor_id_idx on private.events (actor_id)
  where reason is not null
     or type in (
       'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
       'spot.deleted', 'availability.deleted', 'claim.deleted'
     );
create index if not exists events_of_deleted_idx
  on private.events ((coalesce(data ->> 'claimer_id', data ->> 'owner_id')::uuid))
  where type in ('spot.deleted', 'claim.deleted');

-- For private.enforce_few_changed_windows: the windows that an owner changes on a day.
create index if not exists events_of_changed_windows_idx on private.events (actor_id, occurred_at)
  where type in ('availability.deleted', 'availability.updated');

-- For private.erase_person: few events have a reason.
create index if not exists events_with_reason_idx on private.events (subject_id) where reason is not null;
