create table if not exists parking.availabilities (
  id uuid default uuidv7(),
  spot_id uuid not null,
  owner_id uuid not null default private.caller_id(),
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  -- Null for bounds out of order, which tstzrange would refuse before our own rule can.
  during tstzrange generated always as (
    case when start_time < end_time then tstzrange(start_time, end_time) end
  ) stored,
  is_claimed boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint availabilities_pkey primary key (id),
  -- Foreign keys of claims refer to these two: same spot and owner, and inside the window.
  constraint availabilities_id_spot_id_owner_id_key unique (id, spot_id, owner_id),
  constraint availabilities_id_during_key unique (id, during without overlaps)
);

alter table parking.availabilities
  add column if not exists pattern_id uuid,
  add column if not exists source_id uuid,
  add column if not exists offered tstzmultirange,
  -- In the form of an answer, because each list reads it.
  add column if not exists free jsonb,
  add column if not exists free_since timestamptz(3) not null default clock_timestamp(),
  add column if not exists is_hidden boolean not null generated always as (
    coalesce(free = '[]', false) and not is_claimed
  ) stored;

comment on table parking.availabilities is
  E'@absent Availability not found\nA window in which a spot may be claimed.';
comment on column parking.availabilities.id is
  'Identifies the window.';
comment on column parking.availabilities.spot_id is
  'The spot that may be used.';
comment on column parking.availabilities.owner_id is
  'The owner of the spot.';
comment on column parking.availabilities.start_time is
  'The first moment of the window.';
comment on column parking.availabilities.end_time is
  'The first moment after the window.';
comment on column parking.availabilities.during is
  'The window as a range, start included and end excluded.';
comment on column parking.availabilities.is_claimed is
  'Whether claims leave nothing of what is offered.';
comment on column parking.availabilities.pattern_id is
  'The pattern that published the window, if one did; null once the window is moved.';
comment on column parking.availabilities.source_id is
  'The pattern or the exception that published the window; null where its owner did by hand. No foreign key: a claimed window outlives it.';
comment on column parking.availabilities.offered is
  'The part of the window that is on offer, free or claimed; null: all of it. private.set_free writes it, and the next three.';
comment on column parking.availabilities.free is
  'The free part of the window; null where all of it is free, or all is claimed.';
comment on column parking.availabilities.free_since is
  'When the window was published, or some of it was freed last.';
comment on column parking.availabilities.is_hidden is
  'Whether nothing of the window is offered and nothing claimed: then its owner alone sees it.';
comment on column parking.availabilities.created_at is
  'When the window was published.';
comment on column parking.availabilities.updated_at is
  'When the row last changed.';

create index if not exists availabilities_start_time_id_idx
  on parking.availabilities (start_time, id)
  include (is_claimed, is_hidden);
-- These two include what policies and filters read, so that ten years of windows are counted from the
-- index alone.
create index if not exists availabilities_spot_id_start_time_idx
  on parking.availabilities (spot_id, start_time, id)
  include (owner_id, is_claimed, is_hidden, end_time, offered);
create index if not exists availabilities_owner_id_start_time_idx
  on parking.availabilities (owner_id, start_time, id)
  include (is_claimed, is_hidden, end_time);

create index if not exists availabilities_end_time_idx
  on parking.availabilities (end_time)
  include (is_claimed, is_hidden);

-- Most people look for windows that are still free. It includes the columns that the policy reads, so that
-- they are counted from the index alone.
create index if not exists availabilities_free_start_time_idx
  on parking.availabilities (start_time, id)
  include (owner_id, is_claimed, is_hidden)
  where not is_claimed;

-- The free windows of suspended owners, which residents do not see.
create index if not exists availabilities_free_owner_id_start_time_idx
  on parking.availabilities (owner_id, start_time)
  include (is_claimed, is_hidden, end_time)
  where not is_claimed;

-- For reports: few windows are not offered whole.
create index if not exists availabilities_offered_in_part_idx
  on parking.availabilities (start_time)
  include (spot_id, end_time, offered)
  where offered is not null;

-- An owner counts theirs, which no other sees.
create index if not exists availabilities_hidden_owner_id_idx
  on parking.availabilities (owner_id, start_time)
  where is_hidden;

-- Two triggers, because each statement plans the conditions of the triggers on its columns anew: the update by a
-- claim has a short one.
create or replace trigger touch
  before update of is_claimed, free on parking.availabilities
  for each row
  when (new.is_claimed <> old.is_claimed or new.free is distinct from old.free)
  execute function private.touch();

create or replace trigger touch_moved
  before update of start_time, end_time on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.touch();

/* Approved residents see every window that they could claim or have claimed, and write those of their own spots. */
alter table parking.availabilities enable row level security;

drop policy if exists select_claimed_or_of_approved_owner on parking.availabilities;
create policy select_claimed_or_of_approved_owner on parking.availabilities
  for select to parking_api
  using (
    is_claimed
    or not is_hidden and owner_id <> all ((select private.suspended_owners())::uuid[])
    or owner_id = (select private.caller_id())
  );

drop policy if exists select_as_administrator on parking.availabilities;
create policy select_as_administrator on parking.availabilities
  for select to parking_api
  using ((select private.is_administrator()) and not is_hidden);

drop policy if exists delete_as_administrator on parking.availabilities;
create policy delete_as_administrator on parking.availabilities
  for delete to parking_api
  using ((select private.reason()) is not null);

drop policy if exists insert_any on parking.availabilities;
create policy insert_any on parking.availabilities
  for insert to parking_api
  with check (true);

grant select, delete on parking.availabilities to parking_api;
grant insert (spot_id, owner_id, start_time, end_time, pattern_id, source_id)
  on parking.availabilities to parking_api;
-- No update of what follows from claims and plans. No update of spot_id: a window stays with its spot.
grant update (start_time, end_time) on parking.availabilities to parking_api;
