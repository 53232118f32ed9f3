create table if not exists parking.claims (
  id uuid default uuidv7(),
  availability_id uuid not null,
  spot_id uuid not null,
  owner_id uuid not null,
  claimer_id uuid not null default private.caller_id(),
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  -- Text, not an enum: under row-level security only leakproof operators may use an index.
  status text not null default 'active',
  -- Null while cancelled, so that a foreign key binds only claims that hold their window;
  -- null for bounds out of order, which tstzrange would refuse before our own rule can.
  held tstzrange generated always as (
    case
      when status <> 'cancelled' and start_time < end_time then tstzrange(start_time, end_time)
    end
  ) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint claims_pkey primary key (id)
);

alter table parking.claims
  add column if not exists guest text,
  add column if not exists vehicle text,
  add column if not exists cancelled_by uuid,
  add column if not exists takes tstzrange,
  -- A window may be deleted while its cancelled claims stay as they are.
  add column if not exists holds uuid generated always as (
    case when status <> 'cancelled' then availability_id end
  ) stored,
  add column if not exists series_id uuid,
  add column if not exists made_by uuid default private.acting_id();

comment on table parking.claims is
  E'@absent Claim not found\nA resident''s use of another''s window, or of part of it.';
comment on column parking.claims.id is
  'Identifies the claim.';
comment on column parking.claims.availability_id is
  'The window that was claimed. Once the claim is cancelled, the window may be gone.';
comment on column parking.claims.spot_id is
  'The spot of the claimed window.';
comment on column parking.claims.owner_id is
  'The owner of that spot.';
comment on column parking.claims.claimer_id is
  'The resident who claimed.';
comment on column parking.claims.start_time is
  'The first moment of the parking session.';
comment on column parking.claims.end_time is
  'The first moment after the parking session.';
comment on column parking.claims.status is
  'The state of the claim: active, completed or cancelled.';
comment on column parking.claims.held is
  'The times of the claim as a range, null once cancelled.';
comment on column parking.claims.holds is
  'The claimed window, null once cancelled.';
comment on column parking.claims.takes is
  'The part of the window that is no longer free: the times of the claim where the rest stays on offer, and otherwise all that is connected with them. Null once cancelled.';
comment on column parking.claims.guest is
  'Who parks, where it is not the claimer. The claimer, the owner of the spot, administrators and concierges see it.';
comment on column parking.claims.vehicle is
  'The plate of the vehicle. The claimer, the owner of the spot, administrators and concierges see it.';
comment on column parking.claims.series_id is
  'The series that it was claimed with, if it was.';
comment on column parking.claims.made_by is
  'The administrator or concierge who claimed for the claimer; null: the claimer did.';
comment on column parking.claims.cancelled_by is
  'The account that cancelled it; null for the owner of the database, and unless it is cancelled.';
comment on column parking.claims.created_at is
  'When the claim was made.';
comment on column parking.claims.updated_at is
  'When the row last changed.';

create index if not exists claims_start_time_id_idx
  on parking.claims (start_time desc, id)
  include (status);
create index if not exists claims_availability_id_idx
  on parking.claims (availability_id);
create index if not exists claims_holds_idx
  on parking.claims (holds);
create index if not exists claims_end_time_idx
  on parking.claims (end_time)
  include (status);
create index if not exists claims_claimer_id_created_at_idx
  on parking.claims (claimer_id, created_at desc, id desc);

-- These three include what policies and filters read, so that ten years of claims are counted from
-- the index alone.
create index if not exists claims_claimer_id_start_time_idx
  on parking.claims (claimer_id, start_time desc, id)
  include (owner_id, status, end_time);
create index if not exists claims_owner_id_start_time_idx
  on parking.claims (owner_id, start_time desc, id)
  include (claimer_id, status, end_time);
create index if not exists claims_spot_id_start_time_idx
  on parking.claims (spot_id, start_time desc, id)
  include (claimer_id, owner_id, status, end_time);

-- The latest claims are in the future and none of those is completed: without an index of their own,
-- a page of completed ones is found behind all of them.
create index if not exists claims_completed_start_time_idx
  on parking.claims (start_time desc, id)
  where status = 'completed';

-- For the gate, which reads no claims of the past. Most claims name no vehicle.
create index if not exists claims_plate_idx
  on parking.claims (private.plate(vehicle), end_time)
  where vehicle is not null;

create index if not exists claims_series_id_idx
  on parking.claims (series_id)
  where series_id is not null;

-- For an erasure.
create index if not exists claims_made_by_idx
  on parking.claims (made_by)
  where made_by is not null;

-- The few claims that can span a whole period of a day or more.
create index if not exists claims_long_idx
  on parking.claims using gist (tstzrange(start_time, end_time))
  where end_time - start_time >= interval '1 day';

-- Three triggers, because each statement plans the conditions of the triggers on its columns anew: a
-- cancellation has a short one.
create or replace trigger touch
  before update of status on parking.claims
  for each row
  when (new.status <> old.status)
  execute function private.touch();

create or replace trigger touch_moved
  before update of start_time, end_time on parking.claims
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.touch();

create or replace trigger touch_described
  before update of guest, vehicle on parking.claims
  for each row
  -- A claim that is over shows when it was closed, also after an erasure.
  when (old.status = 'active' and (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle))
  execute function private.touch();

/* The claimer and the owner of the spot see a claim; only the claimer writes it. An administrator may cancel it. */
alter table parking.claims enable row level security;

drop policy if exists select_as_party_or_administrator on parking.claims;
create policy select_as_party_or_administrator on parking.claims
  for select to parking_api
  using (
    claimer_id = (select private.caller_id())
    or owner_id = (select private.caller_id())
    or (select private.is_administrator()) -- last: a party's rows do not ask
  );

drop policy if exists update_as_administrator on parking.claims;
create policy update_as_administrator on parking.claims
  for update to parking_api
  using ((select private.reason()) is not null);

drop policy if exists insert_own on parking.claims;
create policy insert_own on parking.claims
  for insert to parking_api
  with check (claimer_id = (select private.caller_id()));

grant select, delete on parking.claims to parking_api;
-- No insert of claimer_id and made_by: they are the caller, and who acts for the caller (private.act_for). No insert of status: a claim begins active.
grant insert (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle, series_id)
  on parking.claims to parking_api;
grant update (status, start_time, end_time, guest, vehicle) on parking.claims to parking_api;
