--! Previous: sha1:2d04ffc2d96db2761ae2d86bafb9d874b7f70787
--! Hash: sha1:301a0a19de108cbc6d1474d18de04f2d47b856b4
--! Message: Free time is derived

-- Windows are not cut any more: what is free of them follows from the rows.
drop trigger if exists clear_part_of on parking.availabilities;
drop trigger if exists offer_published on parking.availabilities;
drop trigger if exists offer_kept on parking.availabilities;
drop trigger if exists offer_freed on parking.availabilities;
drop trigger if exists offer_moved on parking.availabilities;
drop trigger if exists notify_of_deletion on parking.availabilities;
drop trigger if exists record_deletions on parking.availabilities;
drop trigger if exists availabilities_start_in_future on parking.availabilities;
drop trigger if exists fit_claim on parking.claims;
drop trigger if exists withdraw_freed on parking.claims;
drop trigger if exists withdraw_freed_of_deleted on parking.claims;
drop trigger if exists notify_of_claim on parking.claims;
drop trigger if exists lock_plans_before on parking.patterns;
drop function if exists private.lock_plans_before();
drop function if exists api.preview_pattern(uuid, text[], text, text, date, date, uuid);
drop function if exists private.outcomes_of_pattern(uuid);
drop function if exists private.until_of(parking.patterns);
drop function if exists private.lock_spot_of_pattern(uuid);
drop function if exists private.clear_part_of();
drop function if exists private.fit_claim();
drop function if exists private.withdraw_freed();
drop function if exists private.offer_window();
drop function if exists private.offer_to_waiting(parking.availabilities, tstzmultirange);
drop function if exists private.move_offers(uuid, uuid);
drop function if exists private.keep_offers(uuid, uuid[]);
drop function if exists private.join_pieces(uuid, timestamptz, timestamptz);
drop function if exists private.keep_on_offer(uuid, timestamptz, timestamptz);
drop function if exists private.offer_rest(uuid, timestamptz, timestamptz);
drop function if exists private.piece_for(uuid, timestamptz, timestamptz);
drop function if exists private.rejoin_piece(uuid);
drop function if exists private.withdraw_all(uuid[]);
drop function if exists private.withdraw_window(uuid);
drop function if exists private.withdraw_windows(parking.patterns);
drop function if exists private.renew_pattern(uuid);
drop function if exists private.publish_pattern(uuid);
drop function if exists private.publish_window(parking.patterns, date, timestamptz, timestamptz);
drop function if exists private.note_published(uuid, date);
drop function if exists private.notify_of_collision(uuid, timestamptz, timestamptz);
drop function if exists private.leave_out(uuid, date, tstzrange);
drop function if exists private.is_kept(uuid, timestamptz, timestamptz);
drop function if exists private.is_of_pattern(uuid, date, tstzrange);
drop function if exists private.keep_out_of_window(uuid);
drop function if exists private.keep_own_spots(uuid);
drop function if exists private.note_shared(uuid, uuid[]);
drop function if exists private.publish_left_days(parking.exceptions);
drop function if exists private.restore_kept(jsonb);
drop function if exists private.restore_window(private.exception_changes, tstzrange);
drop function if exists private.share_again(uuid, tstzmultirange, uuid);
drop function if exists private.share_own_spots(parking.exceptions);
drop function if exists private.shared_windows(uuid);
drop function if exists private.taken_times(uuid);
drop function if exists private.withdraw_kept(parking.exceptions, uuid, tstzrange);
drop function if exists private.withdraw_shared(uuid);
drop function if exists private.kept_times(uuid, timestamptz, uuid);
drop function if exists private.count_changed_windows(uuid, text, integer);
drop function if exists private.origin_of(uuid);
drop function if exists private.note_origin(uuid, uuid);
drop function if exists private.enforce_few_a_day() cascade;
drop function if exists private.enforce_few_windows() cascade;
drop view if exists reporting.availabilities;

-- They include what a window shows to whom.
drop index if exists parking.availabilities_start_time_id_idx;
drop index if exists parking.availabilities_spot_id_start_time_idx;
drop index if exists parking.availabilities_owner_id_start_time_idx;
drop index if exists parking.availabilities_end_time_idx;
drop index if exists parking.availabilities_free_start_time_idx;
drop index if exists parking.availabilities_free_owner_id_start_time_idx;
alter table parking.claims drop constraint if exists claims_one_per_availability;
drop index if exists parking.claims_one_per_availability;

alter table parking.patterns drop constraint if exists patterns_left_out_times_are_few;
--! Included patterns/table.sql
/* The hours of the week in which a spot is shared. Its windows are made for some weeks ahead. */
create table if not exists parking.patterns (
  id uuid default uuidv7(),
  spot_id uuid not null,
  owner_id uuid not null default private.caller_id(),
  weekdays text[] not null,
  -- Text, not time: this is how people write it, and how it goes out.
  starts_at text not null,
  ends_at text not null,
  first_day date not null,
  last_day date,
  published_until date,
  time_zone text not null default (private.building()).time_zone,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint patterns_pkey primary key (id),
  -- Windows refer to it: same spot. It begins with the spot, whose deletion looks here.
  constraint patterns_spot_id_id_key unique (spot_id, id)
);

alter table parking.patterns
  add column if not exists withdrawn tstzmultirange not null default '{}';

comment on table parking.patterns is
  E'@absent Pattern not found\nThe same hours of some days of the week, in which a spot is shared.';
comment on column parking.patterns.id is
  'Identifies the pattern.';
comment on column parking.patterns.spot_id is
  'The spot that is shared.';
comment on column parking.patterns.owner_id is
  'The owner of the spot.';
comment on column parking.patterns.weekdays is
  'The days of the week on which a window starts.';
comment on column parking.patterns.starts_at is
  'When a window starts, on the clock of the building.';
comment on column parking.patterns.ends_at is
  'When a window ends, on the clock of the building; at or before starts_at, on the next day.';
comment on column parking.patterns.first_day is
  'The first day on which a window may start.';
comment on column parking.patterns.last_day is
  'The last day on which a window may start. Null: until further notice.';
comment on column parking.patterns.published_until is
  'The last day whose window was published, or left out for a reason. The days after it follow.';
comment on column parking.patterns.time_zone is
  'The time zone that the building had when the windows were made.';
comment on column parking.patterns.withdrawn is
  'Times that were withdrawn or moved by hand: they are not published again.';
comment on column parking.patterns.created_at is
  'When the pattern was made.';
comment on column parking.patterns.updated_at is
  'When its owner last changed it.';

create index if not exists patterns_owner_id_created_at_idx
  on parking.patterns (owner_id, created_at desc, id);

create or replace trigger touch
  before update on parking.patterns
  for each row
  -- Not of what publishing notes.
  when (
    (new.weekdays, new.starts_at, new.ends_at, new.first_day, new.last_day)
      is distinct from
      (old.weekdays, old.starts_at, old.ends_at, old.first_day, old.last_day)
  )
  execute function private.touch();

-- Residents see and write their own.
alter table parking.patterns enable row level security;

drop policy if exists select_own on parking.patterns;
create policy select_own on parking.patterns
  for select to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists insert_any on parking.patterns;
create policy insert_any on parking.patterns
  for insert to parking_api
  with check (true);

drop policy if exists update_own on parking.patterns;
create policy update_own on parking.patterns
  for update to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists delete_own on parking.patterns;
create policy delete_own on parking.patterns
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

grant select, delete on parking.patterns to parking_api;
grant insert (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
  on parking.patterns to parking_api;
-- No update of spot_id: windows stay with their spot.
grant update (weekdays, starts_at, ends_at, first_day, last_day) on parking.patterns to parking_api;
-- What is published and withdrawn, functions note.
--! EndIncluded patterns/table.sql
--! Included exceptions/table.sql
/* When owners need their spots themselves, and when they are away: exceptions from what they share else. */
create table if not exists parking.exceptions (
  id uuid default uuidv7(),
  owner_id uuid not null default private.caller_id(),
  spot_id uuid,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  kind text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint exceptions_pkey primary key (id)
);

alter table parking.exceptions
  add column if not exists withdrawn tstzmultirange not null default '{}';

comment on table parking.exceptions is
  E'@absent Exception not found\nA time at which an owner needs spots (keep), or is away (share).';
comment on column parking.exceptions.id is
  'Identifies the exception.';
comment on column parking.exceptions.owner_id is
  'The owner of the spots.';
comment on column parking.exceptions.spot_id is
  'The spot that it is about. Null: all spots of the owner.';
comment on column parking.exceptions.start_time is
  'The first moment of the exception. What is past by then stays as it was.';
comment on column parking.exceptions.end_time is
  'The first moment after the exception.';
comment on column parking.exceptions.kind is
  'keep: the owner needs the spots, so nothing of them is on offer but what is claimed already. share: the owner is away, so all of the time is on offer.';
comment on column parking.exceptions.withdrawn is
  'Of kind share: times that were withdrawn or moved by hand, and are not published again.';
comment on column parking.exceptions.created_at is
  'When the exception was made.';
comment on column parking.exceptions.updated_at is
  'When the row last changed.';

create index if not exists exceptions_owner_id_start_time_idx
  on parking.exceptions (owner_id, start_time, id);
create index if not exists exceptions_spot_id_idx
  on parking.exceptions (spot_id);

alter table parking.exceptions enable row level security;

drop policy if exists select_own on parking.exceptions;
create policy select_own on parking.exceptions
  for select to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists insert_any on parking.exceptions;
create policy insert_any on parking.exceptions
  for insert to parking_api
  with check (true);

drop policy if exists delete_own on parking.exceptions;
create policy delete_own on parking.exceptions
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

grant select, delete on parking.exceptions to parking_api;
-- No update: another time is another exception.
grant insert (spot_id, owner_id, start_time, end_time, kind) on parking.exceptions to parking_api;
--! EndIncluded exceptions/table.sql
--! Included availabilities/table.sql
/* The time windows in which a spot may be used by others. */
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
  -- As it goes out, because each list reads it.
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
  'What of the window is on offer, free or claimed; null: all of it. Kept by private.set_free, as is what follows.';
comment on column parking.availabilities.free is
  'What of the window is free, where that is not all of it, and not nothing because it is claimed.';
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

-- What most people look for: the windows that are still free. It includes what the policy of the
-- table reads, so that counting them needs the index alone.
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

-- Two, because each statement reads the conditions of the triggers of its columns anew: a claim, which
-- marks its window, reads a short one.
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
--! EndIncluded availabilities/table.sql
--! Included claims/table.sql
/* Who uses which window, and from when to when. */
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
  -- A window may be deleted while its cancelled claims stay as they are.
  add column if not exists holds uuid generated always as (
    case when status <> 'cancelled' then availability_id end
  ) stored,
  add column if not exists takes tstzrange;

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
  'What is no longer free of the window: all that is connected with the times of the claim, or where the rest stays on offer, these times. Null once cancelled.';
comment on column parking.claims.guest is
  'Who parks, where it is not the claimer. The claimer, the owner of the spot and administrators see it.';
comment on column parking.claims.vehicle is
  'The plate of the vehicle. The claimer, the owner of the spot and administrators see it.';
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

-- What somebody at the gate looks for. Most claims name no vehicle.
create index if not exists claims_plate_idx
  on parking.claims (private.plate(vehicle))
  where vehicle is not null;

-- The few claims that can span a whole period of a day or more.
create index if not exists claims_long_idx
  on parking.claims using gist (tstzrange(start_time, end_time))
  where end_time - start_time >= interval '1 day';

-- Three, because each statement reads the conditions of the triggers on its columns again: a cancellation
-- has a short one to read.
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
--! EndIncluded claims/table.sql
--! Included claims/rules/claims_of_an_availability.sql
alter table parking.claims
  drop constraint if exists claims_of_an_availability,
  add constraint claims_of_an_availability
    foreign key (holds, spot_id, owner_id)
    references parking.availabilities (id, spot_id, owner_id)
    on delete cascade;

comment on constraint claims_of_an_availability on parking.claims is
  E'@status 404\n@de Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.\nAvailability not found';
--! EndIncluded claims/rules/claims_of_an_availability.sql
--! Included claims/rules/claims_within_availability.sql
alter table parking.claims
  drop constraint if exists claims_within_availability,
  add constraint claims_within_availability
    foreign key (availability_id, period held)
    references parking.availabilities (id, period during);

comment on constraint claims_within_availability on parking.claims is
  E'@status 400\n@de Der Stellplatz ist nicht die ganze Zeit geteilt.\nClaim times must be within the availability window';
--! EndIncluded claims/rules/claims_within_availability.sql

--! Included exceptions/kept_times.sql
create or replace function private.kept_times(
    spot_id uuid,
    until timestamptz
)
  returns tstzmultirange
  language sql
  stable
  security invoker -- owners see their own exceptions, and no others matter to them
return (
  select coalesce(range_agg(tstzrange(e.start_time, e.end_time)), '{}')
    from parking.spots s
    join parking.exceptions e on e.owner_id = s.owner_id
   where s.id = kept_times.spot_id
     and e.kind = 'keep'
     and coalesce(e.spot_id, s.id) = s.id
     and e.start_time < kept_times.until
);

comment on function private.kept_times is
  'When the owner of the spot needs it, by exceptions that start before a moment.';
grant execute on function private.kept_times to parking_api;
--! EndIncluded exceptions/kept_times.sql
--! Included free_time/spans.sql
create or replace function private.spans(times tstzmultirange)
  returns jsonb
  language sql
  stable
  parallel safe
return (
  select coalesce(
           jsonb_agg(
             jsonb_build_object(
               'start_time', private.iso8601(lower(t)),
               'end_time', private.iso8601(upper(t))
             )
             order by t
           ),
           '[]'
         )
    from unnest(times) t
);

comment on function private.spans is
  'Times as they go out: [{ start_time, end_time }], by start.';
grant execute on function private.spans to parking_api;
--! EndIncluded free_time/spans.sql
--! Included free_time/free_times.sql
/* From the columns that private.set_free keeps: it costs a list nothing, and shows nothing of the claims of others. */
create or replace function private.free_times(availability parking.availabilities)
  returns tstzmultirange
  language sql
  stable
  parallel safe
return case
  when (availability).free is not null then (
    select coalesce(range_agg(tstzrange(s.start_time, s.end_time)), '{}')
      from jsonb_to_recordset((availability).free) s (start_time timestamptz, end_time timestamptz)
  )
  when (availability).is_claimed then '{}'
  else tstzmultirange((availability).during)
end;

comment on function private.free_times is
  'What of a window is free: what is offered of it, without what claims take.';
grant execute on function private.free_times to parking_api;
--! EndIncluded free_time/free_times.sql
--! Included free_time/set_free.sql
/*
 * The one place that says what is free of a window. It computes this from the rows, so the result is right
 * whoever changed them before. The caller has locked the window, or its spot.
 */
create or replace function private.set_free(windows parking.availabilities[])
  returns table (
    id uuid,
    start_time timestamptz,
    end_time timestamptz,
    windows_more integer,
    claimed_more integer
  )
  language sql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  with anew as (
    select w.id,
           w.during,
           w.offered,
           f.free,
           t.claims > 0 and isempty(f.free) as is_claimed
      from unnest(set_free.windows) w
     cross join lateral (
       select count(*) as claims, range_agg(c.takes) as taken
         from parking.claims c
        where c.holds = w.id
     ) t
     cross join lateral (
       select coalesce(w.offered, tstzmultirange(w.during)) - coalesce(t.taken, '{}') as free
     ) f
  )
  update parking.availabilities a
     set offered = n.offered,
         is_claimed = n.is_claimed,
         free = case
           when n.free <> tstzmultirange(n.during) and not n.is_claimed
             then private.spans(n.free)
         end,
         free_since = case
           when n.free <@ private.free_times(a) then a.free_since
           else clock_timestamp()
         end
    from anew n
   where a.id = n.id
     and (
       a.offered is distinct from n.offered
       or n.free <> private.free_times(a)
       or a.is_claimed <> n.is_claimed
     )
  returning a.id,
            a.start_time,
            a.end_time,
            old.is_hidden::integer - new.is_hidden::integer,
            new.is_claimed::integer - old.is_claimed::integer
$$;

comment on function private.set_free is
  'Sets anew what is free of these windows, whose column "offered" says what is offered of them. Returns what that changes of the counts of days.';
--! EndIncluded free_time/set_free.sql
--! Included free_time/source_spans.sql
/*
 * What the owner of a spot wants to be on offer: absences come first, then patterns. Each day of a pattern is a
 * span of its own, also where the next day begins at its end.
 */
create or replace function private.source_spans(spot_id uuid, around tstzrange default '(,)')
  returns table (rank bigint, source_id uuid, pattern_id uuid, span tstzrange, withdrawn tstzmultirange)
  language plpgsql
  stable
  security invoker -- owners see their own plans, and no others matter to their spots
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
begin
  return query
    select row_number() over (order by x.is_pattern, x.id, x.span),
           x.id,
           case when x.is_pattern then x.id end,
           x.span,
           x.withdrawn
      from (
        select false as is_pattern, e.id, tstzrange(e.start_time, e.end_time) as span, e.withdrawn
          from parking.spots s
          join parking.exceptions e
            on e.owner_id = s.owner_id
           and coalesce(e.spot_id, s.id) = s.id
           and s.id < e.id -- one that was registered later was never shared by it
         where s.id = source_spans.spot_id
           and e.kind = 'share'
           and e.end_time > clock_timestamp()
        union all
        select true, p.id, tstzrange(t.start_time, t.end_time), p.withdrawn
          from parking.patterns p
         cross join lateral private.pattern_spans(
           p.weekdays,
           p.starts_at,
           p.ends_at,
           -- One that began the day before may last until then.
           greatest(
             p.first_day, v_today - 1,
             (lower(source_spans.around) at time zone v_building.time_zone)::date - 1
           ),
           least(
             p.last_day,
             greatest(p.published_until, v_today + v_building.pattern_days - 1),
             (upper(source_spans.around) at time zone v_building.time_zone)::date
           ),
           v_building.time_zone
         ) t
         where p.spot_id = source_spans.spot_id
           and t.start_time < t.end_time -- not where a change of the clock leaves no time
      ) x;
end;
$$;

comment on function private.source_spans is
  'What the patterns and the exceptions of kind share of the caller say of a spot, from today on and around a time, in the order in which they come first; and what was withdrawn of them by hand.';
grant execute on function private.source_spans to parking_api;
--! EndIncluded free_time/source_spans.sql
--! Included free_time/set_offered.sql
/*
 * A window that its owner published by hand is offered but for the times that the owner keeps. A window of a
 * source is offered as far as the sources still share its time. The past does not change, and what is claimed
 * counts as offered.
 */
create or replace function private.set_offered(spot_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- nobody writes what follows from the rows; what it sets is the same, whoever asks
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_past constant tstzmultirange := tstzmultirange(tstzrange(null, v_now));
  v_is_retired constant boolean := exists (
    select from parking.spots s where s.id = set_offered.spot_id and s.retired_at is not null
  );
  v_kept constant tstzmultirange := private.kept_times(set_offered.spot_id, 'infinity');
  v_said constant tstzmultirange := (
    select coalesce(range_agg(x.said), '{}')
      from (
        select unnest(tstzmultirange(s.span) - s.withdrawn) as said
          from private.source_spans(set_offered.spot_id) s
      ) x
  );
  v_window parking.availabilities;
  v_offered tstzmultirange;
  v_changed parking.availabilities[] := '{}';
begin
  perform private.require_trigger();
  for v_window in
    select a.*
      from parking.availabilities a
     where a.spot_id = set_offered.spot_id
       and a.end_time > v_now
       and not (v_is_retired and a.is_claimed) -- nothing of it is free, and nothing will be
     order by a.id
       for no key update
  loop
    v_offered := case
      when v_is_retired then '{}'
      when v_window.source_id is null then tstzmultirange(v_window.during)
      else tstzmultirange(v_window.during) * v_said
    end - v_kept - v_past;
    v_offered := coalesce(v_window.offered, tstzmultirange(v_window.during)) * v_past + v_offered;
    -- Null only where nothing is withdrawn: who frees what is claimed asks (private.freed_by_claims).
    v_offered := case
      when v_offered <> tstzmultirange(v_window.during) then v_offered + coalesce(
        (select range_agg(c.held) from parking.claims c where c.holds = v_window.id), '{}'
      )
    end;
    if v_offered is distinct from v_window.offered then
      v_window.offered := v_offered;
      v_changed := v_changed || v_window;
    end if;
  end loop;

  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(v_changed) f
    where (f.windows_more, f.claimed_more) <> (0, 0);
end;
$$;

comment on function private.set_offered is
  'Sets anew what is offered, and what is free, of the windows of a spot that have not ended. The caller has locked the spot.';
grant execute on function private.set_offered to parking_api;
--! EndIncluded free_time/set_offered.sql
--! Included totals/actual_counts.sql
/* What day_counts and person_counts must add up to. Reads every window and claim: for repair and for checks. */
create or replace view private.actual_counts
  with (security_invoker)
as
  select b.day,
         null::uuid as person_id,
         b.counted || b.bound as counted,
         count(*) as number
    from (
      select k.day, 'windows' as counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       where not a.is_hidden
      union all
      select k.day, 'claimed' as counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       where a.is_claimed
      union all
      select k.day, c.status, k.bound
        from parking.claims c
       cross join lateral (
         values (private.utc_day(c.start_time), '_started'), (private.utc_day(c.end_time), '_ended')
       ) k (day, bound)
    ) b
   group by b.day, b.counted, b.bound
  union all
  select null as day, c.claimer_id, c.status, count(*)
    from parking.claims c
   group by c.claimer_id, c.status;

comment on view private.actual_counts is
  'The counts as the windows and claims give them. Slow: reads all of them.';
comment on column private.actual_counts.day is
  'The day in UTC, for a count of a day.';
comment on column private.actual_counts.person_id is
  'The claimer, for a count of a person.';
comment on column private.actual_counts.counted is
  'The column of private.day_counts, or the value of private.person_counts.counted.';
comment on column private.actual_counts.number is
  'How many there are.';
--! EndIncluded totals/actual_counts.sql
-- What was done to windows goes back into what their owners said, and no one is told of it.
do $$
declare
  v_whole record;
begin
  if not exists (
    select
      from pg_attribute a
     where a.attrelid = 'parking.availabilities'::regclass
       and a.attname = 'part_of'
       and not a.attisdropped
  ) then
    return;
  end if;

  alter table parking.availabilities disable trigger user;
  alter table parking.claims disable trigger user;

  update parking.availabilities a
     set source_id = coalesce(a.pattern_id, uuidv7())
   where a.pattern_day is not null
     -- What was moved by hand, or outlived its pattern, has none; only what is claimed outlived it.
     and (a.pattern_id is not null or a.is_claimed);
  update parking.availabilities a
     set source_id = t.exception_id
    from private.exception_changes t
    join parking.exceptions e on e.id = t.exception_id and e.kind = 'share'
   where a.spot_id = t.spot_id
     and a.start_time >= t.start_time
     and a.end_time <= t.end_time
     and t.window_id = coalesce(
       (select o.origin_id from private.window_origins o where o.window_id = a.id), a.id
     );
  update parking.patterns p
     set withdrawn = (
           select coalesce(range_agg(t), '{}')
             from (
               select unnest(p.left_out_times)
               union all
               select tstzrange(s.start_time, s.end_time)
                 from unnest(p.left_out) d
                cross join lateral private.pattern_spans(
                  p.weekdays, p.starts_at, p.ends_at, d, d, p.time_zone
                ) s
                where s.start_time < s.end_time
             ) x (t)
         )
   where cardinality(p.left_out) + cardinality(p.left_out_times) > 0;
  update parking.claims c
     set takes = a.during
    from parking.availabilities a
   where a.id = c.availability_id
     and c.status <> 'cancelled';
  -- Windows that were put away for their cancelled claims, which stay by themselves now.
  delete from parking.availabilities a
   where a.end_time - a.start_time = interval '1 millisecond'
     and not a.is_claimed;
  -- What is kept of a window by hand, and what is left of it, is one window again.
  for v_whole in
    with parts as (
      select t.spot_id, t.window_id as origin_id, tstzrange(t.start_time, t.end_time) as part, null::uuid as id
        from private.exception_changes t
        join parking.exceptions e on e.id = t.exception_id and e.kind = 'keep'
       where t.pattern_id is null
         and t.end_time > now()
         and not exists ( -- not of what an absence shared
           select
             from private.exception_changes o
             join parking.exceptions h on h.id = o.exception_id and h.kind = 'share'
            where o.window_id = t.window_id
         )
      union all
      select a.spot_id, coalesce(o.origin_id, a.id), a.during, a.id
        from parking.availabilities a
        left join private.window_origins o on o.window_id = a.id
       where a.source_id is null
         and not a.is_claimed
         and a.end_time > now()
    )
    select p.spot_id, p.origin_id, w.whole,
           array_agg(p.id order by p.part) filter (where p.id is not null) as ids
      from parts p
      join (
        select x.spot_id, x.origin_id, unnest(range_agg(x.part)) as whole
          from parts x
         group by x.spot_id, x.origin_id
        having bool_or(x.id is null)
      ) w on w.spot_id = p.spot_id and w.origin_id = p.origin_id and w.whole @> p.part
     group by p.spot_id, p.origin_id, w.whole
  loop
    continue when exists (
      select
        from parking.availabilities a
       where a.spot_id = v_whole.spot_id
         and a.during && v_whole.whole
         and a.id <> all (coalesce(v_whole.ids, '{}'))
    );
    delete from parking.availabilities a where a.id = any (v_whole.ids[2:]);
    if cardinality(v_whole.ids) > 0 then
      update parking.availabilities a
         set start_time = lower(v_whole.whole),
             end_time = upper(v_whole.whole)
       where a.id = v_whole.ids[1];
    else
      insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
      select s.id, s.owner_id, lower(v_whole.whole), upper(v_whole.whole)
        from parking.spots s
       where s.id = v_whole.spot_id
         and s.retired_at is null;
    end if;
  end loop;
  -- A claim that was cut out of a window by hand has that window again, with what is free beside it.
  for v_whole in
    with parts as (
      select a.spot_id, a.part_of, a.id, a.during, a.is_claimed
        from parking.availabilities a
       where a.part_of is not null
         and a.source_id is null
         and a.end_time > now()
    )
    select array_agg(p.id) filter (where not p.is_claimed) as ids,
           (array_agg(p.id) filter (where p.is_claimed))[1] as claimed_id,
           w.whole
      from parts p
      join (
        select x.spot_id, x.part_of, unnest(range_agg(x.during)) as whole
          from parts x
         group by x.spot_id, x.part_of
      ) w on w.spot_id = p.spot_id and w.part_of = p.part_of and w.whole @> p.during
     group by p.spot_id, p.part_of, w.whole
    having count(*) filter (where p.is_claimed) = 1 and count(*) > 1
  loop
    delete from parking.availabilities a where a.id = any (v_whole.ids);
    update parking.availabilities a
       set start_time = lower(v_whole.whole),
           end_time = upper(v_whole.whole)
     where a.id = v_whole.claimed_id;
  end loop;
  perform from private.set_free(array(
    select a
      from parking.availabilities a
      join parking.claims c on c.holds = a.id and c.takes <> a.during
  ));
  -- What is kept, or shared no longer, is not offered.
  perform private.set_offered(s.id)
    from parking.spots s
   where exists (
           select
             from parking.availabilities a
            where a.spot_id = s.id
              and a.end_time > now()
              and a.source_id is not null
         )
      or exists (
           select from parking.exceptions e where e.owner_id = s.owner_id and e.end_time > now()
         );
  perform private.recount();
  alter table parking.availabilities enable trigger user;
  alter table parking.claims enable trigger user;
end $$;

--! Included wishes/known_windows.sql
/*
 * Who asks while a window is free sees that it is, and so does who frees it: to them it does not become free, and
 * they have no turn. So nobody keeps a window from others by asking again. As rows, and not by times: a change
 * that has not ended yet has an earlier time than the wish, and is not seen.
 */
create table if not exists private.known_windows (
  -- No foreign keys: private.tell_waiting deletes what does not fit any more.
  wish_id uuid not null,
  availability_id uuid not null,
  constraint known_windows_pkey primary key (wish_id, availability_id)
);

comment on table private.known_windows is
  'Of the windows that fit an open wish, those that the resident knows: they saw them when they asked, freed them, or were told.';
comment on column private.known_windows.wish_id is
  'The wish.';
comment on column private.known_windows.availability_id is
  'The window that fits it.';

alter table private.known_windows enable row level security;
-- No policy and no grant: only functions write and read it.
--! EndIncluded wishes/known_windows.sql
--! Included free_time/has_free.sql
/* For the list of windows, which asks it of those alone that are free in part. */
create or replace function private.has_free(
    free jsonb,
    "from" timestamptz default null,
    until timestamptz default null
)
  returns boolean
  language sql
  stable
  parallel safe
return exists (
  select
    from jsonb_to_recordset(has_free.free) s (start_time timestamptz, end_time timestamptz)
   where (has_free."from" is null or s.start_time <= has_free."from" and s.end_time > has_free."from")
     and (has_free.until is null or s.start_time < has_free.until and s.end_time >= has_free.until)
);

comment on function private.has_free is
  'Whether one of these free spans begins at or before a time and lasts until another.';
grant execute on function private.has_free to parking_api;
--! EndIncluded free_time/has_free.sql
--! Included wishes/fitting_windows.sql
/*
 * Which free windows fit which open wishes: the whole time, the section or the spot, and an owner who may share.
 * The section is looked up last, for the few that fit by their times.
 */
create or replace view private.fitting_windows
  with (security_invoker)
as
  select w.id as wish_id,
         w.wisher_id,
         tstzrange(w.start_time, w.end_time) as during,
         a.id as availability_id,
         a.free_since
    from parking.wishes w
    join parking.availabilities a
      on a.end_time > now()
     and w.start_time >= a.start_time
     and w.start_time < a.end_time
     and w.end_time <= a.end_time
    join parking.profiles p on p.id = a.owner_id
   where w.claim_id is null
     and w.start_time > now()
     and not a.is_claimed
     and not a.is_hidden
     and (a.free is null or private.has_free(a.free, w.start_time, w.end_time))
     and p.is_approved
     and w.wisher_id <> a.owner_id
     and (w.spot_id is null or w.spot_id = a.spot_id)
     and (
       w.building_section is null
       or w.building_section = (
         select s.building_section from parking.spots s where s.id = a.spot_id
       )
     );

comment on view private.fitting_windows is
  'The open wishes, with each free window that fits them.';
comment on column private.fitting_windows.wish_id is
  'The wish.';
comment on column private.fitting_windows.wisher_id is
  'Who waits.';
comment on column private.fitting_windows.during is
  'For which time.';
comment on column private.fitting_windows.availability_id is
  'The window.';
comment on column private.fitting_windows.free_since is
  'When some of the window became free last.';
--! EndIncluded wishes/fitting_windows.sql
-- Who waits knows what is free today.
insert into private.known_windows (wish_id, availability_id)
select f.wish_id, f.availability_id from private.fitting_windows f
    on conflict do nothing;
--! Included export/exports.sql
/*
 * All that is held about people: each table that names a person has a part here. The person finds
 * the ids of a part, and an id finds its record again. What a person has little of stands under the id
 * of the person. What is made of a row stands in "record" alone, so that looking for ids spares it.
 */
create or replace view private.exports
  with (security_invoker)
as
  select 'profile' as member, p.id as person_id, p.id, to_jsonb(p) as record
    from parking.profiles p
  union all
  select 'user', u.id, u.id, to_jsonb(u)
    from private.users u
  union all
  select 'spots', s.owner_id, s.id, to_jsonb(s)
    from parking.spots s
  union all
  select 'access_notes', a.owner_id, a.spot_id, to_jsonb(a)
    from parking.spot_access a
  union all
  select 'availabilities', a.owner_id, a.id, to_jsonb(a) - 'during'
    from parking.availabilities a
  union all
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
   where (select private.is_approved()) -- as the policies show claims of others
  union all
  select 'patterns', p.owner_id, p.id, to_jsonb(p)
    from parking.patterns p
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'wishes', w.wisher_id, w.id, to_jsonb(w)
    from parking.wishes w
  union all
  select 'known_windows', w.wisher_id, w.id, to_jsonb(k)
    from private.known_windows k
    join parking.wishes w on w.id = k.wish_id
  union all
  select 'reports_made', r.reporter_id, r.id, to_jsonb(r) - 'holder_id'
    from parking.spot_reports r
  union all
  select 'reports_received', r.holder_id, r.id, to_jsonb(r) - 'reporter_id'
    from parking.spot_reports r
  union all
  select 'invitations', i.profile_id, i.id, to_jsonb(i) - 'inviter_id'
    from parking.invitations i
  union all
  select 'calendar_feed', f.person_id, f.person_id, to_jsonb(f) - 'secret_hash'
    from parking.calendar_feeds f
  union all
  select 'preferences', p.person_id, p.person_id, to_jsonb(p)
    from parking.preferences p
  union all
  select 'notifications', n.recipient_id, n.id, to_jsonb(n)
    from parking.notifications n
  union all
  select 'history', s.person_id, s.subject_id, jsonb_build_object(
           'subject_id', s.subject_id,
           'events', (
             select jsonb_agg(
                      to_jsonb(e) - '{id, subject_id, actor_id, position}'::text[]
                        || jsonb_build_object(
                          'data', private.event_data(e.type, e.data),
                          'by_you', e.actor_id is not distinct from s.person_id
                        )
                      order by e.id
                    )
               from private.events e
              where e.subject_id = s.subject_id
           )
         )
    from private.subjects s
  union all
  -- Of what others own, only that it was done.
  select 'acts', e.actor_id, e.id, to_jsonb(e) - '{id, actor_id, data, position}'::text[]
    from private.events e
   where e.reason is not null
      or e.type in (
        'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
        'spot.deleted', 'availability.deleted', 'claim.deleted'
      )
  union all
  select 'answers', k.person_id, k.person_id, to_jsonb(k) - 'fingerprint'
    from private.idempotency_keys k
  union all
  select 'counts', n.person_id, n.person_id, to_jsonb(n) - 'id'
    from private.person_counts n;

comment on view private.exports is
  'What GET /profile/export answers: the records of each person, under the names of its members.';
comment on column private.exports.member is
  'The member of the answer.';
comment on column private.exports.person_id is
  'Whom the record is about.';
comment on column private.exports.id is
  'Finds the record again; the id of the person where there are few such records.';
comment on column private.exports.record is
  'What is held.';
--! EndIncluded export/exports.sql
drop table if exists private.window_origins;
drop table if exists private.exception_changes;
drop table if exists private.changed_windows;
alter table parking.availabilities
  drop column if exists part_of,
  drop column if exists pattern_day;
alter table parking.patterns
  drop column if exists left_out,
  drop column if exists left_out_times;

-- Nobody is told of a collision: what does not collide is published, and the rest follows by itself.
delete from parking.notifications n where n.kind = 'pattern.collided';
update parking.building b set mail = array_remove(b.mail, 'pattern.collided');
update parking.preferences f set mail = array_remove(f.mail, 'pattern.collided') where 'pattern.collided' = any (f.mail);
update parking.webhooks w
   set types = coalesce(nullif(array_remove(array_remove(w.types, 'pattern.collided'), 'availability.joined'), '{}'), array['availability.updated'])
 where w.types && array['pattern.collided', 'availability.joined'];
alter table private.events disable trigger user;
delete from private.events e where e.type = 'pattern.collided';
update private.events e set type = 'availability.deleted', data = e.data - 'part_of' where e.type = 'availability.joined';
alter table private.events enable trigger user;
drop index if exists parking.wishes_offered_until_idx;
revoke update (pattern_id) on parking.availabilities from parking_api;
--! Included reports/views/spots.sql
/* Every spot, with when it was offered last. */
create or replace view reporting.spots as
  select s.id,
         s.spot_number,
         s.building_section,
         s.owner_id,
         s.is_verified,
         s.created_at,
         w.windows,
         w.claimed_windows,
         w.first_start_time,
         w.last_end_time,
         s.retired_at
    from parking.spots s
   cross join lateral (
     select count(*) as windows,
            count(*) filter (where a.is_claimed) as claimed_windows,
            min(a.start_time) as first_start_time,
            max(a.end_time) as last_end_time
       from parking.availabilities a
      where a.spot_id = s.id
        and a.offered is distinct from '{}'
   ) w;

comment on view reporting.spots is
  'One row for each spot, also for those that were never offered, and those that were removed after they had been.';
comment on column reporting.spots.id is
  'The spot.';
comment on column reporting.spots.spot_number is
  'The number on the ground.';
comment on column reporting.spots.building_section is
  'Section or location of the spot.';
comment on column reporting.spots.owner_id is
  'The owner; a key to count by, not a name.';
comment on column reporting.spots.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spots.created_at is
  'When it was registered.';
comment on column reporting.spots.windows is
  'How many windows it has, past and to come.';
comment on column reporting.spots.claimed_windows is
  'How many of them active or completed claims hold.';
comment on column reporting.spots.first_start_time is
  'When its first window starts; null if it was never offered.';
comment on column reporting.spots.last_end_time is
  'When its last window ends; null if it was never offered.';
comment on column reporting.spots.retired_at is
  'When it was removed; null while it is in use.';
grant select on reporting.spots to parking_reporter;
--! EndIncluded reports/views/spots.sql
--! Included reports/views/spot_utilisation.sql
/* Offered and claimed hours of each spot, day by day. */
create or replace view reporting.spot_utilisation as
  with days as (
    -- Without a time zone: the series must not depend on the one of the session.
    select b.time_zone,
           generate_series(
             date_trunc('day', (select min(start_time) from parking.availabilities) at time zone b.time_zone),
             least(
               (select max(end_time) from parking.availabilities),
               private.reported_until()
             ) at time zone b.time_zone - interval '1 microsecond',
             interval '1 day'
           ) as day
      from parking.building b
  ),
  spans as (
    select d.day::date as day,
           tstzrange(
             d.day at time zone d.time_zone,
             (d.day + interval '1 day') at time zone d.time_zone
           ) as span
      from days d
  ),
  offered as (
    select s.day, a.spot_id, w.time * s.span as time, c.held * s.span as taken
      from spans s
      join parking.availabilities a on a.during && s.span
     cross join lateral unnest(coalesce(a.offered, tstzmultirange(a.during))) w (time)
      left join parking.claims c on c.holds = a.id and c.held && s.span and c.held && w.time
     where w.time && s.span
  ),
  -- In seconds: of a day with less than two, the hours to a thousandth are none, and not to be divided by.
  used as (
    select o.day,
           o.spot_id,
           sum(extract(epoch from upper(o.time) - lower(o.time))) as offered,
           coalesce(sum(extract(epoch from upper(o.taken) - lower(o.taken))), 0) as claimed
      from offered o
     group by o.day, o.spot_id
  )
  select u.day,
         p.id as spot_id,
         p.spot_number,
         p.building_section,
         p.is_verified,
         round(u.offered / 3600, 3) as offered_hours,
         round(u.claimed / 3600, 3) as claimed_hours,
         round(u.claimed / u.offered, 4) as utilisation
    from used u
    join parking.spots p on p.id = u.spot_id;

comment on view reporting.spot_utilisation is
  'One row for each spot and each day (of the building''s time zone) on which it was offered, up to a year from today.';
comment on column reporting.spot_utilisation.day is
  'The day, from midnight to midnight in the time zone of the building.';
comment on column reporting.spot_utilisation.spot_id is
  'The spot.';
comment on column reporting.spot_utilisation.spot_number is
  'The number on the ground.';
comment on column reporting.spot_utilisation.building_section is
  'Section or location of the spot.';
comment on column reporting.spot_utilisation.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spot_utilisation.offered_hours is
  'Hours of that day in which the spot was published as available.';
comment on column reporting.spot_utilisation.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.spot_utilisation.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.spot_utilisation to parking_reporter;
--! EndIncluded reports/views/spot_utilisation.sql
--! Included reports/views/people.sql
/* Who gives and who takes. Seconds are added up, not intervals: 750 that last until the year 9999 are too long for one. */
create or replace view reporting.people as
  select p.id as profile_id,
         p.is_approved,
         coalesce(s.spots, 0) as spots,
         coalesce(w.windows, 0) as windows,
         coalesce(g.claims, 0) as claims_given,
         coalesce(g.hours, 0) as given_hours,
         coalesce(t.claims, 0) as claims_taken,
         coalesce(t.hours, 0) as taken_hours,
         coalesce(t.cancelled, 0) as claims_cancelled
    from parking.profiles p
    left join (
      select o.owner_id, count(*) as spots
        from parking.spots o
       where o.retired_at is null
       group by o.owner_id
    ) s on s.owner_id = p.id
    left join (
      select a.owner_id, count(*) as windows
        from parking.availabilities a
       where a.offered is distinct from '{}'
       group by a.owner_id
    ) w on w.owner_id = p.id
    left join (
      select c.owner_id,
             count(*) as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) / 3600, 3) as hours
        from parking.claims c
       where c.status <> 'cancelled'
       group by c.owner_id
    ) g on g.owner_id = p.id
    left join (
      select c.claimer_id,
             count(*) filter (where c.status <> 'cancelled') as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) filter (where c.status <> 'cancelled') / 3600, 3) as hours,
             count(*) filter (where c.status = 'cancelled') as cancelled
        from parking.claims c
       group by c.claimer_id
    ) t on t.claimer_id = p.id;

comment on view reporting.people is
  'One row for each account: what it gave to others and took from them, in the past and to come.';
comment on column reporting.people.profile_id is
  'The account; a key to count by, not a name.';
comment on column reporting.people.is_approved is
  'Whether it is approved now.';
comment on column reporting.people.spots is
  'How many spots it owns; not those that were removed.';
comment on column reporting.people.windows is
  'How many windows of them it has published.';
comment on column reporting.people.claims_given is
  'Active and completed claims of others on its spots.';
comment on column reporting.people.given_hours is
  'How long they are.';
comment on column reporting.people.claims_taken is
  'Its own active and completed claims.';
comment on column reporting.people.taken_hours is
  'How long they are.';
comment on column reporting.people.claims_cancelled is
  'Its own cancelled claims.';
grant select on reporting.people to parking_reporter;
--! EndIncluded reports/views/people.sql
drop function if exists private.is_put_away(timestamptz, timestamptz);
--! Included support/rule_catalogue.sql
/* The rules as the service shows them: every commented constraint, index, trigger and policy. A domain counts as a table. */
create or replace view private.rules
  with (security_invoker)
as
  with tables as materialized (
    select t.oid, t.relname, false as is_domain
      from pg_catalog.pg_class t
     where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
    union all
    select d.oid, d.typname, true
      from pg_catalog.pg_type d
     where d.typtype = 'd'
       and d.typnamespace in ('parking'::regnamespace, 'private'::regnamespace)
  ),
  objects as (
    select c.conname as name, c.conrelid as table_id, 'pg_constraint'::regclass as catalogue, c.oid,
           case c.contype
             when 'c' then 'check'
             when 'f' then 'foreign key'
             when 'n' then 'not null'
             when 'p' then 'primary key'
             when 'u' then 'unique'
             when 'x' then 'exclusion'
           end as kind,
           array['insert', 'update'] as verbs,
           false as looks_at_any_column,
           null::text as arguments
      from pg_catalog.pg_constraint c
     where c.contype in ('c', 'f', 'n', 'p', 'u', 'x')
       and c.conrelid <> 0
    union all
    select c.conname, c.contypid, 'pg_constraint'::regclass, c.oid, 'domain' as kind,
           array['select'], true, null as arguments
      from pg_catalog.pg_constraint c
     where c.contypid <> 0
    union all
    select i.relname, x.indrelid, 'pg_class'::regclass, i.oid, 'unique index' as kind,
           array['insert', 'update'], false, null as arguments
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
     where x.indisunique
    union all
    select t.tgname, t.tgrelid, 'pg_trigger'::regclass, t.oid, 'trigger' as kind,
           -- The bits of tgtype: pg_catalog/pg_trigger.h.
           array_remove(
             array[
               case when t.tgtype & 4 > 0 then 'insert' end,
               case when t.tgtype & 16 > 0 then 'update' end,
               case when t.tgtype & 8 > 0 then 'delete' end
             ],
             null
           ),
           -- A trigger on any update may refuse whatever column is written.
           t.tgtype & 16 > 0 and cardinality(t.tgattr::smallint[]) = 0,
           encode(t.tgargs, 'escape')
      from pg_catalog.pg_trigger t
     where not t.tgisinternal
    union all
    select p.polname, p.polrelid, 'pg_policy'::regclass, p.oid, 'policy' as kind,
           case p.polcmd
             when 'a' then array['insert']
             when 'w' then array['update']
             when 'd' then array['delete']
             when 'r' then array['select']
             else array['select', 'insert', 'update', 'delete']
           end,
           true,
           null as arguments
      from pg_catalog.pg_policy p
  ),
  commented as materialized (
    select o.*,
           t.relname,
           d.description,
           -- Tags are the first lines. A status that is no refusal's is no status.
           substring(d.description from '^(?:@\w+ [^\n]*\n)*@status (4\d\d)(?:\n|$)')::integer as tagged
      from objects o
      join tables t on t.oid = o.table_id and t.is_domain = (o.kind = 'domain')
      join pg_catalog.pg_description d
        on d.classoid = o.catalogue and d.objoid = o.oid and d.objsubid = 0
  )
  select c.name::text,
         c.relname::text as "table",
         c.kind,
         coalesce(
           c.tagged,
           case
             when c.kind in ('primary key', 'unique', 'unique index', 'exclusion') then 409
             when c.kind = 'policy' or c.arguments like '42501%' then 403
             else 400
           end
         ) as status,
         substring(c.description from '^(?:@\w+ [^\n]*\n)*@field (\w+)(?:\n|$)') as field,
         nullif(regexp_replace(c.description, '^(?:@\w+ [^\n]*(?:\n|$))+', ''), '') as message,
         c.verbs,
         case when not c.looks_at_any_column then (
           -- Of a generated column, those that it is made from.
           select array_agg(distinct coalesce(source.attname, a.attname)::text)
             from pg_catalog.pg_depend d
             join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
             left join pg_catalog.pg_attrdef g
               on a.attgenerated <> '' and g.adrelid = a.attrelid and g.adnum = a.attnum
             left join pg_catalog.pg_depend made
               on made.classid = 'pg_attrdef'::regclass
              and made.objid = g.oid
              and made.refclassid = 'pg_class'::regclass
              and made.refobjid = a.attrelid
              and made.refobjsubid <> a.attnum
             left join pg_catalog.pg_attribute source
               on source.attrelid = made.refobjid and source.attnum = made.refobjsubid
            where d.classid = c.catalogue
              and d.objid = c.oid
              and d.refclassid = 'pg_class'::regclass
              and d.refobjid = c.table_id
              and d.refobjsubid > 0
         ) end as columns,
         (
           select coalesce(jsonb_object_agg(t.found[1], t.found[2]), '{}')
             from regexp_matches(
               substring(c.description from '^(?:@\w+ [^\n]*\n)*'), '@([a-z]{2}) ([^\n]*)\n', 'g'
             ) t (found)
         ) as translations
    from commented c;

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time, @de Das Ende …; the rest is the message). Without @status a duplicate is 409, a policy and a trigger with the argument 42501 are 403, all else is 400.';
comment on column private.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column private.rules."table" is
  'The table it is about, or the domain.';
comment on column private.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, domain, trigger or policy.';
comment on column private.rules.status is
  'The HTTP status of a refusal.';
comment on column private.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column private.rules.message is
  'What the caller reads; null where the comment has tags only.';
comment on column private.rules.translations is
  'The message in other languages: {"de": "…"}.';
comment on column private.rules.verbs is
  'The statements that can break it: insert, update, delete; a policy may also limit select.';
comment on column private.rules.columns is
  'The columns that it looks at: an update that writes none of them cannot break it. Null where any write can.';
grant select on private.rules to parking_api;
--! EndIncluded support/rule_catalogue.sql
--! Included users/note_token.sql
/* What a token says is stored where it is new, and that it came in any case: it outdates older ones. */
create or replace function private.note_token()
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_issued_at constant timestamptz(3) := private.token_issued_at();
begin
  -- A read-only server serves the same tokens, and cannot write.
  if v_issued_at is not null and current_setting('transaction_read_only') = 'off' then
    -- A new address is stored later in this transaction, under a lock that comes before the user (private.lock_spot).
    if exists (
      select
        from private.users u
       cross join lateral private.said_by_token(u.email, u.email_confirmed_at) said
       where u.id = (select private.caller_id())
         and u.token_issued_at is distinct from v_issued_at
         and (u.email, u.email_confirmed_at) is distinct from (said.email, said.email_confirmed_at)
    ) then
      update private.administrators_lock set only_row = true;
    end if;
    update private.users u
       set token_issued_at = v_issued_at
     where u.id = (select private.caller_id())
       and u.erased_at is null
       and u.token_issued_at is distinct from v_issued_at
       and not private.is_outdated(u.token_issued_at);
  end if;
end;
$$;

comment on function private.note_token is
  'Notes when the caller''s token was issued, unless it is out of date.';
--! EndIncluded users/note_token.sql
--! Included users/rules/users_email_is_an_address.sql
alter table private.users
  drop constraint if exists users_email_is_an_address,
  add constraint users_email_is_an_address
    check (private.is_one_line(email, 3, 320) and email like '_%@%_');

comment on constraint users_email_is_an_address on private.users is
  E'@field email\n@de Ihre Anmeldung hat keine E-Mail-Adresse, die sich verwenden lässt.\nemail must be an address of at most 320 characters';
--! EndIncluded users/rules/users_email_is_an_address.sql
--! Included users/rules/users_email_is_given.sql
/* The constraint itself is part of the table. */
comment on constraint users_email_is_given on private.users is
  E'@de Ihre Anmeldung hat keine E-Mail-Adresse. Wer den Anmeldedienst betreibt, kann sie ergänzen.\nThe token carries no email address';
--! EndIncluded users/rules/users_email_is_given.sql
--! Included events/table.sql
/* The log of all changes, in order. Only here does a deleted row remain. */
create table if not exists private.events (
  id uuid default uuidv7(),
  type text not null,
  subject_id uuid not null,
  actor_id uuid default private.caller_id(),
  data jsonb not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  reason text default private.reason(),
  constraint events_pkey primary key (id)
);

alter table private.events
  add column if not exists position bigint,
  drop constraint if exists events_position_key,
  add constraint events_position_key unique (position);

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
  'The caller who did it; null for the owner of the database.';
comment on column private.events.data is
  'The subject as clients saw it afterwards; for a deletion, as it was. Without a position yet: its row.';
comment on column private.events.reason is
  'Why, where an administrator acted on what belongs to another resident.';
comment on column private.events.occurred_at is
  'When the change was made.';
comment on column private.events.position is
  'Its place in the order that all readers follow; null until it has one, and for events of 1.0.0.';

create index if not exists events_subject_id_id_idx on private.events (subject_id, id);
create index if not exists events_occurred_at_idx on private.events (occurred_at);

-- What is deleted, and what people did to what is not theirs (private.exports). What they do all day
-- is not in them: a new claim writes neither.
create index if not exists events_actor_id_idx on private.events (actor_id)
  where reason is not null
     or type in (
       'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
       'spot.deleted', 'availability.deleted', 'claim.deleted'
     );
create index if not exists events_of_deleted_idx
  on private.events ((coalesce(data ->> 'claimer_id', data ->> 'owner_id')::uuid))
  where type in ('spot.deleted', 'claim.deleted');

-- What an owner changes of their windows on a day (private.enforce_few_changed_windows).
create index if not exists events_of_changed_windows_idx on private.events (actor_id, occurred_at)
  where type in ('availability.deleted', 'availability.updated');

-- For private.erase_person: few events have a reason.
create index if not exists events_with_reason_idx on private.events (subject_id) where reason is not null;
--! EndIncluded events/table.sql
--! Included profiles/end_of_person.sql
/* What the erasure of a person ends. Only what is not over changes, and only those concerned read of it. */
create or replace function private.end_of_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  perform
     from parking.spots s
    where s.owner_id = end_of_person.id
       or s.id in (
         select c.spot_id
           from parking.claims c
          where c.claimer_id = end_of_person.id
            and c.status = 'active'
       )
    order by s.id
      for no key update;
  v_now := date_trunc('milliseconds', clock_timestamp());

  delete from parking.exceptions e
   where e.owner_id = end_of_person.id;

  update parking.claims c
     set status = 'completed'
   where c.status = 'active'
     and c.end_time <= v_now
     and end_of_person.id in (c.claimer_id, c.owner_id);

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and end_of_person.id in (c.claimer_id, c.owner_id);

  delete from parking.wishes w
   where w.wisher_id = end_of_person.id
     and w.claim_id is null
     and w.start_time > v_now;

  -- Their future goes with them. Spots with a past are retired instead (private.retire_spot).
  delete from parking.spots s
   where s.owner_id = end_of_person.id
     and s.retired_at is null;
end;
$$;

comment on function private.end_of_person is
  'Cancels the claims of the person with this id that have not ended, and those on their spots; completes what has ended; removes their spots, open wishes and exceptions.';
--! EndIncluded profiles/end_of_person.sql
--! Included profiles/rules/administrator_required.sql
create or replace trigger administrator_required
  before update of is_approved, is_admin, is_suspended, rejection_reason on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin, new.is_suspended, new.rejection_reason)
      is distinct from (old.is_approved, old.is_admin, old.is_suspended, old.rejection_reason)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded profiles/rules/administrator_required.sql
--! Included profiles/rules/profiles_administrators_by_groups.sql
create or replace trigger profiles_administrators_by_groups
  before update of is_admin on parking.profiles
  for each row
  when (
    new.is_admin <> old.is_admin
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and private.decided_by_groups('is_admin') is not null
  )
  execute function private.enforce_rule();

comment on trigger profiles_administrators_by_groups on parking.profiles is
  E'@status 409\n@de Wer zur Verwaltung gehört, entscheiden die Gruppen Ihres Anmeldedienstes.\nThe identity provider decides who administers';
--! EndIncluded profiles/rules/profiles_administrators_by_groups.sql
--! Included profiles/rules/profiles_apartment_number_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_apartment_number_is_one_line,
  add constraint profiles_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint profiles_apartment_number_is_one_line on parking.profiles is
  E'@field apartment_number\n@de Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.\napartment_number must be 1 to 32 characters on one line';
--! EndIncluded profiles/rules/profiles_apartment_number_is_one_line.sql
--! Included profiles/rules/profiles_approved_are_not_rejected.sql
alter table parking.profiles
  drop constraint if exists profiles_approved_are_not_rejected,
  add constraint profiles_approved_are_not_rejected
    check (not is_approved or rejection_reason is null);

comment on constraint profiles_approved_are_not_rejected on parking.profiles is
  E'@status 409\n@de Dieses Konto ist freigegeben. Nehmen Sie die Freigabe zurück, um es abzulehnen.\nThis account is approved: take the approval back to reject it';
--! EndIncluded profiles/rules/profiles_approved_are_not_rejected.sql
--! Included profiles/rules/profiles_approved_by_groups.sql
create or replace trigger profiles_approved_by_groups
  before update of is_approved on parking.profiles
  for each row
  when (
    new.is_approved <> old.is_approved
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and private.decided_by_groups('is_approved') is not null
  )
  execute function private.enforce_rule();

comment on trigger profiles_approved_by_groups on parking.profiles is
  E'@status 409\n@de Wer freigegeben ist, entscheiden die Gruppen Ihres Anmeldedienstes.\nThe identity provider decides who is approved';
--! EndIncluded profiles/rules/profiles_approved_by_groups.sql
--! Included profiles/rules/profiles_describe_oneself.sql
create or replace trigger profiles_describe_oneself
  before update of full_name, apartment_number, phone_number, shares_phone_number, vehicle
  on parking.profiles
  for each row
  when (
    (new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle)
      is distinct from
        (old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and old.id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_describe_oneself on parking.profiles is
  E'@de Sie können nur Ihre eigenen Angaben ändern.\nYou can only update your own profile';
--! EndIncluded profiles/rules/profiles_describe_oneself.sql
--! Included profiles/rules/profiles_email_is_the_users.sql
alter table parking.profiles
  drop constraint if exists profiles_email_is_the_users,
  add constraint profiles_email_is_the_users
    foreign key (id, email)
    references private.users (id, email)
    on update cascade;

comment on constraint profiles_email_is_the_users on parking.profiles is
  E'@status 409\n@de Die E-Mail-Adresse ist die, mit der Sie sich anmelden.\nThe email address is the one of the sign-in';
--! EndIncluded profiles/rules/profiles_email_is_the_users.sql
--! Included profiles/rules/profiles_erased_stay_erased.sql
create or replace trigger profiles_erased_stay_erased
  before update of
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin,
    rejection_reason
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle,
      new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle,
      old.is_approved, old.is_admin, old.rejection_reason
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  E'@de Dieses Konto wurde gelöscht.\nThis account was erased';
--! EndIncluded profiles/rules/profiles_erased_stay_erased.sql
--! Included profiles/rules/profiles_full_name_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_full_name_is_one_line,
  add constraint profiles_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint profiles_full_name_is_one_line on parking.profiles is
  E'@field full_name\n@de Der Name hat 1 bis 200 Zeichen in einer Zeile.\nfull_name must be 1 to 200 characters on one line';
--! EndIncluded profiles/rules/profiles_full_name_is_one_line.sql
--! Included profiles/rules/profiles_keep_an_administrator.sql
create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\n@de Das ist die letzte Person der Verwaltung. Nehmen Sie erst eine andere auf.\nThe last administrator cannot be removed';
--! EndIncluded profiles/rules/profiles_keep_an_administrator.sql
--! Included profiles/rules/profiles_one_per_user.sql
/* The key itself is part of the table: other tables refer to it. */
comment on constraint profiles_one_per_user on parking.profiles is
  E'@status 409\n@de Sie sind schon registriert.\nUser profile already exists';
--! EndIncluded profiles/rules/profiles_one_per_user.sql
--! Included profiles/rules/profiles_phone_number_is_dialable.sql
alter table parking.profiles
  drop constraint if exists profiles_phone_number_is_dialable,
  add constraint profiles_phone_number_is_dialable
    check (private.is_one_line(phone_number, 3, 32) and phone_number ~ '^[-0-9 +()./]*$');

comment on constraint profiles_phone_number_is_dialable on parking.profiles is
  E'@field phone_number\n@de Eine Telefonnummer hat 3 bis 32 Ziffern, Leerzeichen und +().-/\nphone_number must be 3 to 32 digits, spaces and +().-/';
--! EndIncluded profiles/rules/profiles_phone_number_is_dialable.sql
--! Included profiles/rules/profiles_rejection_reason_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_rejection_reason_is_one_line,
  add constraint profiles_rejection_reason_is_one_line
    check (private.is_one_line(rejection_reason, 1, 300));

comment on constraint profiles_rejection_reason_is_one_line on parking.profiles is
  E'@field rejection_reason\n@de Der Grund hat 1 bis 300 Zeichen in einer Zeile.\nrejection_reason must be 1 to 300 characters on one line';
--! EndIncluded profiles/rules/profiles_rejection_reason_is_one_line.sql
--! Included profiles/rules/profiles_vehicle_is_a_plate.sql
alter table parking.profiles
  drop constraint if exists profiles_vehicle_is_a_plate,
  add constraint profiles_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint profiles_vehicle_is_a_plate on parking.profiles is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded profiles/rules/profiles_vehicle_is_a_plate.sql
--! Included notifications/is_notification_kind.sql
/* A function for the reason that private.is_event_type has. */
create or replace function private.is_notification_kind(kind text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return kind in (
    'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'profile.approved', 'profile.rejected', 'profiles.waiting', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'wish.fits', 'webhook.disabled'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
--! EndIncluded notifications/is_notification_kind.sql
--! Included building/table.sql
/* What is particular to the building: one row, which administrators change. */
create table if not exists parking.building (
  id uuid default uuidv7(),
  name text not null default 'The building',
  time_zone text not null default 'UTC',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint building_pkey primary key (id)
);

alter table parking.building
  add column if not exists pattern_days integer not null default 28,
  add column if not exists rest_stays_on_offer boolean not null default false,
  add column if not exists offer_minutes integer,
  add column if not exists event_days integer not null default 400,
  add column if not exists notification_days integer not null default 400,
  add column if not exists job_days integer not null default 30,
  add column if not exists mail text[] not null default '{}',
  add column if not exists language text not null default 'en',
  add column if not exists remind_minutes integer not null default 60,
  add column if not exists grace_minutes integer default 5,
  add column if not exists mark text,
  add column if not exists colour text;

alter table parking.building
  alter column mail set default array[
    'claim.submitted', 'claim.cancelled', 'claim.deleted', 'claim.starts', 'claim.ends',
    'profile.approved', 'profile.rejected', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'wish.fits', 'profiles.waiting'
  ];

comment on table parking.building is
  'The building, one row: its name, its time zone and how it shares.';
comment on column parking.building.id is
  'Identifies the building.';
comment on column parking.building.name is
  'What people call the building.';
comment on column parking.building.time_zone is
  'The time zone of notifications and reports, by its IANA name. The API is in UTC.';
comment on column parking.building.pattern_days is
  'For how many days, from today on, the windows of patterns are published.';
comment on column parking.building.rest_stays_on_offer is
  'Whether a claim of a part of a window leaves the rest on offer, as windows of their own.';
comment on column parking.building.offer_minutes is
  'How long each who waits has for a window before the next is asked, in the order of asking. Null: all are told at once.';
comment on column parking.building.event_days is
  'For how many days the event log keeps what happened to windows, patterns, claims and strangers'' cars, and for how many wishes are kept that are over. What happened to profiles and spots stays.';
comment on column parking.building.notification_days is
  'For how many days notifications, and reports of strangers'' cars, are kept.';
comment on column parking.building.job_days is
  'For how many days mails and deliveries that ended can be looked up.';
comment on column parking.building.mail is
  'What people are told by mail who did not choose themselves, by its kinds.';
comment on column parking.building.language is
  'The language of the mails to those who did not choose one.';
comment on column parking.building.remind_minutes is
  'How long before a claim starts, and before it ends, people are reminded who did not choose themselves.';
comment on column parking.building.grace_minutes is
  'For how long after it was made a claim can be cancelled, deleted or moved whatever cancellation_cutoff_minutes says. Null: not at all.';
comment on column parking.building.mark is
  'One or two letters, or an emoji, beside the name of the building. Null: the first letter of the name. Like the name and the colour, people read it before they sign in.';
comment on column parking.building.colour is
  'The colour of the building, as #rrggbb. What is written in it is made darker or lighter until it can be read. Null: as the page has it.';
comment on column parking.building.created_at is
  'When the database was made.';
comment on column parking.building.updated_at is
  'When the row last changed.';

-- What administrators may change.
grant update (
    name, time_zone,
    pattern_days, rest_stays_on_offer, offer_minutes,
    event_days, notification_days, job_days,
    mail, language, remind_minutes, grace_minutes,
    mark, colour
  )
  on parking.building to parking_api;

insert into parking.building
select
 where not exists (select from parking.building);

create or replace trigger touch
  before update on parking.building
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded building/table.sql
--! Included building/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.building;
create policy approved_account_required on parking.building
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.building is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded building/rules/approved_account_required.sql
--! Included building/rules/building_colour_is_hexadecimal.sql
alter table parking.building
  drop constraint if exists building_colour_is_hexadecimal,
  add constraint building_colour_is_hexadecimal
    check (colour ~ '^#[0-9A-Fa-f]{6}$');

comment on constraint building_colour_is_hexadecimal on parking.building is
  E'@field colour\n@de Das ist keine Farbe: Schreiben Sie # und sechs Ziffern, etwa #1d6f42.\ncolour must be # and six hexadecimal digits, such as #1d6f42';
--! EndIncluded building/rules/building_colour_is_hexadecimal.sql
--! Included building/rules/building_is_one.sql
create unique index if not exists building_is_one on parking.building ((true));

comment on index parking.building_is_one is
  E'@de Es gibt schon ein Gebäude.\nA database is for one building';
--! EndIncluded building/rules/building_is_one.sql
--! Included building/rules/building_keeps_for_days.sql
alter table parking.building
  drop constraint if exists building_keeps_for_days,
  add constraint building_keeps_for_days
    check (
      least(event_days, notification_days) >= 30
      and job_days >= 7
      and greatest(event_days, notification_days, job_days) <= 36500
    );

comment on constraint building_keeps_for_days on parking.building is
  E'@de Geschehenes und Nachrichten werden 30 Tage bis 100 Jahre aufbewahrt, was aus E-Mails und Webhooks wurde, 7 Tage bis 100 Jahre.\nEvents and notifications are kept for 30 to 36500 days, jobs for 7 to 36500';
--! EndIncluded building/rules/building_keeps_for_days.sql
--! Included building/rules/building_language_is_known.sql
alter table parking.building
  drop constraint if exists building_language_is_known,
  add constraint building_language_is_known
    check (language in ('en', 'de'));

comment on constraint building_language_is_known on parking.building is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
--! EndIncluded building/rules/building_language_is_known.sql
--! Included building/rules/building_mail_is_of_known_kinds.sql
alter table parking.building
  drop constraint if exists building_mail_is_of_known_kinds,
  add constraint building_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint building_mail_is_of_known_kinds on parking.building is
  E'@field mail\n@de Wählen Sie jede Art von E-Mail einmal.\nmail must be different known kinds of mail';
--! EndIncluded building/rules/building_mail_is_of_known_kinds.sql
--! Included building/rules/building_mark_is_short.sql
alter table parking.building
  drop constraint if exists building_mark_is_short,
  add constraint building_mark_is_short
    check (private.is_one_line(mark, 1, 2));

comment on constraint building_mark_is_short on parking.building is
  E'@field mark\n@de Das Zeichen hat einen oder zwei Buchstaben, etwa L5.\nmark must be one or two characters, such as L5 or an emoji';
--! EndIncluded building/rules/building_mark_is_short.sql
--! Included building/rules/building_minutes_are_in_range.sql
alter table parking.building
  drop constraint if exists building_minutes_are_in_range,
  add constraint building_minutes_are_in_range
    check (least(grace_minutes, offer_minutes) >= 1 and greatest(grace_minutes, offer_minutes) <= 525600);

comment on constraint building_minutes_are_in_range on parking.building is
  E'@de Die Minuten der Kulanz und die eines Angebots sind 1 bis 525600, ein Jahr.\ngrace_minutes and offer_minutes are 1 to 525600, a year';
--! EndIncluded building/rules/building_minutes_are_in_range.sql
--! Included building/rules/building_name_is_one_line.sql
alter table parking.building
  drop constraint if exists building_name_is_one_line,
  add constraint building_name_is_one_line
    check (private.is_one_line(name, 1, 100));

comment on constraint building_name_is_one_line on parking.building is
  E'@field name\n@de Der Name des Gebäudes hat 1 bis 100 Zeichen in einer Zeile.\nname must be 1 to 100 characters on one line';
--! EndIncluded building/rules/building_name_is_one_line.sql
--! Included building/rules/building_pattern_days_within_a_year.sql
alter table parking.building
  drop constraint if exists building_pattern_days_within_a_year,
  add constraint building_pattern_days_within_a_year
    check (pattern_days >= 1 and pattern_days <= 366);

comment on constraint building_pattern_days_within_a_year on parking.building is
  E'@field pattern_days\n@de Wöchentliche Zeiten werden für 1 bis 366 Tage veröffentlicht.\nThe windows of patterns are published for 1 to 366 days';
--! EndIncluded building/rules/building_pattern_days_within_a_year.sql
--! Included building/rules/building_reminds_in_time.sql
alter table parking.building
  drop constraint if exists building_reminds_in_time,
  add constraint building_reminds_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint building_reminds_in_time on parking.building is
  E'@field remind_minutes\n@de Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.\nremind_minutes must be 5 to 10080, a week';
--! EndIncluded building/rules/building_reminds_in_time.sql
--! Included building/rules/building_time_zone_is_known.sql
-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_time_zone();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\n@de Das ist nicht der Name einer Zeitzone, wie Europe/Berlin.\ntime_zone must be the name of a time zone, such as {until}';
--! EndIncluded building/rules/building_time_zone_is_known.sql
--! Included spots/retire_spot.sql
/*
 * A spot that has a past is not deleted: reports, and those who claimed it, keep what was. Its number is
 * free for the next owner, and what was to come ends. Whoever deletes a spot, by any way, retires it.
 */
create or replace function private.retire_spot()
  returns trigger
  language plpgsql
  security definer -- claims, wishes and reports belong to other residents
  set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  if old.retired_at is not null then
    return null;
  end if;

  v_now := date_trunc('milliseconds', clock_timestamp());
  perform private.notify_of_spot_deletion(old);

  -- That it is free is not true any more. Who waits for any spot may be offered another.
  delete from parking.notifications n
   using parking.wishes w
   where n.id = w.id
     and n.spot_id = old.id
     and n.kind = 'wish.fits'
     and w.claim_id is null
     and w.start_time > v_now;

  if not exists (select from parking.claims c where c.spot_id = old.id)
    and not exists (
      select from parking.availabilities a where a.spot_id = old.id and a.start_time < v_now
    )
    and not exists (select from parking.wishes w where w.spot_id = old.id and w.start_time < v_now)
    and not exists (select from parking.spot_reports r where r.spot_id = old.id)
  then
    return old;
  end if;

  update parking.spots s
     set retired_at = v_now,
         notes = null
   where s.id = old.id;
  delete from parking.exceptions e
   where e.spot_id = old.id;
  delete from parking.patterns p
   where p.spot_id = old.id;
  delete from parking.spot_access a
   where a.spot_id = old.id;

  update parking.claims c
     set status = 'completed'
   where c.spot_id = old.id
     and c.status = 'active'; -- it has ended, or spots_with_active_claims_stay would have refused

  delete from parking.availabilities a
   where a.spot_id = old.id
     and a.start_time >= v_now
     and not private.is_held(a.id);
  -- What was offered until now, was offered.
  update parking.availabilities a
     set end_time = v_now,
         offered = a.offered * tstzmultirange(tstzrange(null, v_now))
   where a.spot_id = old.id
     and a.end_time > v_now
     and not private.is_held(a.id);
  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(array(
            select a from parking.availabilities a where a.spot_id = old.id and a.end_time = v_now
          )) f;
  perform private.set_offered(old.id);

  delete from parking.wishes w
   where w.spot_id = old.id
     and w.claim_id is null
     and w.start_time >= v_now;

  return null;
end;
$$;

comment on function private.retire_spot is
  'Trigger function: keeps a spot that was ever offered, claimed, wished for or reported, and ends what was to come of it.';

-- The last of them, so that every rule about the deletion of a spot has been asked: triggers run in the
-- order of their names.
create or replace trigger z_retire_spot
  before delete on parking.spots
  for each row
  execute function private.retire_spot();
--! EndIncluded spots/retire_spot.sql
--! Included spots/rules/administrator_required.sql
create or replace trigger administrator_required
  before update of is_verified on parking.spots
  for each row
  when (
    new.is_verified is distinct from old.is_verified
    and row_security_active('parking.spots') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.spots is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded spots/rules/administrator_required.sql
--! Included spots/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spots;
create policy approved_account_required on parking.spots
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spots is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded spots/rules/approved_account_required.sql
--! Included spots/rules/spots_building_section_is_one_line.sql
alter table parking.spots
  drop constraint if exists spots_building_section_is_one_line,
  add constraint spots_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint spots_building_section_is_one_line on parking.spots is
  E'@field building_section\n@de Der Bereich hat 1 bis 100 Zeichen in einer Zeile.\nbuilding_section must be 1 to 100 characters on one line';
--! EndIncluded spots/rules/spots_building_section_is_one_line.sql
--! Included spots/rules/spots_deleted_by_owner.sql
drop policy if exists spots_deleted_by_owner on parking.spots;
create policy spots_deleted_by_owner on parking.spots
  for delete to parking_api
  using (owner_id = (select private.caller_id()) and retired_at is null);

comment on policy spots_deleted_by_owner on parking.spots is
  E'@de Sie können nur Ihre eigenen Stellplätze entfernen.\nYou can only delete your own parking spots';
--! EndIncluded spots/rules/spots_deleted_by_owner.sql
--! Included spots/rules/spots_notes_are_one_line.sql
alter table parking.spots
  drop constraint if exists spots_notes_are_one_line,
  add constraint spots_notes_are_one_line
    check (private.is_one_line(notes, 1, 300));

comment on constraint spots_notes_are_one_line on parking.spots is
  E'@field notes\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\nnotes must be 1 to 300 characters on one line';
--! EndIncluded spots/rules/spots_notes_are_one_line.sql
--! Included spots/rules/spots_spot_number_is_one_line.sql
alter table parking.spots
  drop constraint if exists spots_spot_number_is_one_line,
  add constraint spots_spot_number_is_one_line
    check (private.is_one_line(spot_number, 1, 32));

comment on constraint spots_spot_number_is_one_line on parking.spots is
  E'@field spot_number\n@de Die Nummer eines Stellplatzes hat 1 bis 32 Zeichen in einer Zeile.\nspot_number must be 1 to 32 characters on one line';
--! EndIncluded spots/rules/spots_spot_number_is_one_line.sql
--! Included spots/rules/spots_spot_number_is_unique.sql
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (private.number_key(spot_number))
  where retired_at is null;

comment on index parking.spots_spot_number_is_unique is
  E'@de Einen Stellplatz mit dieser Nummer gibt es schon.\nA parking spot with this number already exists';
--! EndIncluded spots/rules/spots_spot_number_is_unique.sql
--! Included spots/rules/spots_updated_by_owner.sql
-- Policies let an administrator update any spot in order to verify it. This refuses other changes.
create or replace trigger spots_updated_by_owner
  before update of spot_number, building_section, notes on parking.spots
  for each row
  when (
    row_security_active('parking.spots') -- binds people, not the owner of the table
    and old.owner_id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger spots_updated_by_owner on parking.spots is
  E'@de Sie können nur Ihre eigenen Stellplätze ändern.\nYou can only update your own parking spots';
--! EndIncluded spots/rules/spots_updated_by_owner.sql
--! Included spots/rules/spots_with_active_claims_stay.sql
create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\n@de Dieser Stellplatz ist reserviert. Er lässt sich entfernen, sobald diese Reservierungen vorbei sind.\nCannot delete a parking spot with active claims';
--! EndIncluded spots/rules/spots_with_active_claims_stay.sql
--! Included spot_access/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spot_access;
create policy approved_account_required on parking.spot_access
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spot_access is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded spot_access/rules/approved_account_required.sql
--! Included spot_access/rules/spot_access_notes_are_one_line.sql
alter table parking.spot_access
  drop constraint if exists spot_access_notes_are_one_line,
  add constraint spot_access_notes_are_one_line
    check (private.is_one_line(access_notes, 1, 300));

comment on constraint spot_access_notes_are_one_line on parking.spot_access is
  E'@field access_notes\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\naccess_notes must be 1 to 300 characters on one line';
--! EndIncluded spot_access/rules/spot_access_notes_are_one_line.sql
--! Included spot_access/rules/spot_access_of_a_spot.sql
alter table parking.spot_access
  drop constraint if exists spot_access_of_a_spot,
  add constraint spot_access_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint spot_access_of_a_spot on parking.spot_access is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded spot_access/rules/spot_access_of_a_spot.sql
--! Included spot_access/rules/spot_access_written_by_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_access_written_by_owner on parking.spot_access;
create policy spot_access_written_by_owner on parking.spot_access
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy spot_access_written_by_owner on parking.spot_access is
  E'@de Sie können nur zu Ihren eigenen Stellplätzen Hinweise schreiben.\nYou can only write the access notes of your own parking spots';
--! EndIncluded spot_access/rules/spot_access_written_by_owner.sql
--! Included limits/update_section.sql
-- Each limit is an argument: with other arguments it would be another function.
drop function if exists api.update_section;
create or replace function api.update_section(
    building_section text,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null
)
  returns parking.sections
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_section parking.sections;
begin
  perform private.require_administrator();

  -- A name that is misspelt would limit nothing. Without one it is the building, for api.update_building.
  if update_section.building_section is not null
    and not exists (select from api.get_section(update_section.building_section))
  then
    perform private.refuse_absent('limits');
  end if;

  -- Not where there is one, for an INSERT ends with private.check_rights, which may lock the profile before the row.
  if not exists (
    select
      from parking.limits l
     where l.building_section is not distinct from update_section.building_section
  ) then
    insert into parking.limits (building_section)
    values (update_section.building_section)
    on conflict on constraint limits_building_section_key do nothing;
  end if;

  -- Null leaves a limit as it is; 0 clears it.
  update parking.limits l
     set longest_window_days =
           nullif(coalesce(update_section.longest_window_days, l.longest_window_days), 0),
         horizon_days =
           nullif(coalesce(update_section.horizon_days, l.horizon_days), 0),
         shortest_claim_minutes =
           nullif(coalesce(update_section.shortest_claim_minutes, l.shortest_claim_minutes), 0),
         longest_claim_minutes =
           nullif(coalesce(update_section.longest_claim_minutes, l.longest_claim_minutes), 0),
         claim_notice_minutes =
           nullif(coalesce(update_section.claim_notice_minutes, l.claim_notice_minutes), 0),
         cancellation_cutoff_minutes = nullif(
           coalesce(update_section.cancellation_cutoff_minutes, l.cancellation_cutoff_minutes), 0
         ),
         most_active_claims =
           nullif(coalesce(update_section.most_active_claims, l.most_active_claims), 0)
   where l.building_section is not distinct from update_section.building_section;

  if not found then
    perform private.refuse_unchanged('limits');
  end if;

  select s.* into v_section
    from api.get_section(update_section.building_section) s;

  -- Without spots it was there for its limits only.
  v_section.building_section := update_section.building_section;
  v_section.total_spots := coalesce(v_section.total_spots, 0);
  return v_section;
end;
$$;

comment on function api.update_section is
  'Set limits for one section; null: the limit of the building. Windows and claims that are there stay as they are';
grant execute on function api.update_section to parking_api;
--! EndIncluded limits/update_section.sql
--! Included limits/columns_of_views.sql
/* What a column of a view means, and whether it can be null, the table says: the building's before the limits'. */
do $$
declare
  v_column record;
begin
  for v_column in
    select v.attrelid::regclass as view,
           v.attname as name,
           case when t.attnotnull then E'@notNull\n' else '' end
             || col_description(t.attrelid, t.attnum) as comment
      from pg_catalog.pg_attribute v
      join pg_catalog.pg_attribute t using (attname)
     where (v.attrelid, t.attrelid) in (
             ('parking.sections'::regclass, 'parking.limits'::regclass),
             ('parking.buildings'::regclass, 'parking.limits'::regclass),
             ('parking.buildings'::regclass, 'parking.building'::regclass)
           )
       and t.attnum > 0
       and t.attname <> 'building_section'
     order by t.attrelid = 'parking.building'::regclass
  loop
    execute format('comment on column %s.%I is %L', v_column.view, v_column.name, v_column.comment);
  end loop;
end;
$$;
--! EndIncluded limits/columns_of_views.sql
--! Included limits/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.limits;
create policy approved_account_required on parking.limits
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.limits is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded limits/rules/approved_account_required.sql
--! Included limits/rules/limits_are_in_range.sql
alter table parking.limits
  drop constraint if exists limits_are_in_range,
  add constraint limits_are_in_range
    check (
      least(
        longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, most_active_claims
      ) >= 1
      and greatest(longest_window_days, horizon_days) <= 36500
      and greatest(
        shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes
      ) <= 525600
      and most_active_claims <= 1000
    );

comment on constraint limits_are_in_range on parking.limits is
  E'@de Eine Grenze ist 1 oder mehr: höchstens 100 Jahre im Voraus, ein Jahr für eine Reservierung und 1000 Reservierungen.\nA limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded limits/rules/limits_are_in_range.sql
--! Included limits/rules/limits_shortest_claim_within_longest.sql
alter table parking.limits
  drop constraint if exists limits_shortest_claim_within_longest,
  add constraint limits_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint limits_shortest_claim_within_longest on parking.limits is
  E'@de Die kürzeste Reservierung darf nicht länger als die längste sein.\nshortest_claim_minutes must not be more than longest_claim_minutes';
--! EndIncluded limits/rules/limits_shortest_claim_within_longest.sql
--! Included availabilities/rules/availabilities_of_a_spot.sql
alter table parking.availabilities
  drop constraint if exists availabilities_of_a_spot,
  add constraint availabilities_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint availabilities_of_a_spot on parking.availabilities is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded availabilities/rules/availabilities_of_a_spot.sql
--! Included availabilities/total_availabilities.sql
/* How many windows a list of the whole building has, without counting millions of them. */
create or replace function private.total_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- reads counts past the policies, and returns what they let the caller count
  set search_path = ''
as $$
declare
  -- What each window adds to the total, and what it adds more if it is claimed.
  v_each constant integer := (total_availabilities.is_claimed is not true)::integer;
  v_claimed constant integer := (total_availabilities.is_claimed is not false)::integer - v_each;
  -- The parts of a day that the counts of days do not tell apart.
  v_start_midnight constant timestamptz := date_trunc('day', total_availabilities.start_date, 'UTC');
  v_end_midnight constant timestamptz := date_trunc('day', total_availabilities.end_date, 'UTC');
  v_total bigint;
begin
  if not private.is_approved() or total_availabilities.start_date >= total_availabilities.end_date then
    return 0;
  end if;

  -- Those that end before end_date, less those of them that start before start_date. Each of the
  -- latter has ended before end_date too, or spans the whole time between.
  select coalesce(sum(v_each * c.windows_ended + v_claimed * c.claimed_ended)
           filter (where v_end_midnight is null or c.day < private.utc_day(v_end_midnight)), 0)
       - coalesce(sum(v_each * c.windows_started + v_claimed * c.claimed_started)
           filter (where c.day < private.utc_day(v_start_midnight)), 0)
    into v_total
    from private.day_counts c;

  if v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.end_time >= v_end_midnight
         and a.end_time < total_availabilities.end_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  if v_start_midnight is not null then
    v_total := v_total - (
      select count(*)
        from parking.availabilities a
       where a.start_time >= v_start_midnight
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  if v_start_midnight is not null and v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.during @> tstzrange(total_availabilities.start_date, total_availabilities.end_date)
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  -- Of what nobody else sees.
  if v_each = 1 then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.owner_id = (select private.caller_id())
         and a.is_hidden
         and a.start_time >= coalesce(total_availabilities.start_date, '-infinity')
         and a.start_time < coalesce(total_availabilities.end_date, 'infinity')
         and a.end_time < coalesce(total_availabilities.end_date, 'infinity')
    );
  end if;

  -- Hardly ever is anybody suspended.
  if v_each = 1
    and cardinality(private.suspended_owners()) > 0
    and not private.is_administrator()
  then
    v_total := v_total - private.total_hidden_availabilities(
      total_availabilities.start_date,
      total_availabilities.end_date
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_availabilities is
  'How many windows of the building the caller sees, with these filters of GET /availabilities. From counts of days; exact.';
grant execute on function private.total_availabilities to parking_api;
--! EndIncluded availabilities/total_availabilities.sql
--! Included free_time/is_held.sql
create or replace function private.is_held(availability_id uuid)
  returns boolean
  language plpgsql
  volatile -- the claims of this moment: who asks may have waited for one
  security definer -- the claims are those of others; it returns only whether there is one
  set search_path = ''
as $$
begin
  return exists (select from parking.claims c where c.holds = is_held.availability_id);
end;
$$;

comment on function private.is_held is
  'Whether an active or completed claim is of the window with this id.';
grant execute on function private.is_held to parking_api;
--! EndIncluded free_time/is_held.sql
--! Included availabilities/delete_availability.sql
create or replace function api.delete_availability(
    id uuid,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  if (select private.reason()) is null then -- else by api.remove_availability, which has locked the spot
    perform private.lock_own_spots();
  end if;

  delete from parking.availabilities a
   where a.id = delete_availability.id;

  if not found then
    perform private.refuse_unchanged(
      'availabilities', 'availabilities_deleted_by_spot_owner',
      exists (select from parking.availabilities a where a.id = delete_availability.id)
    );
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := delete_availability.id;
end;
$$;

comment on function api.delete_availability is
  'Withdraw a window of your spot that nobody has claimed';
grant execute on function api.delete_availability to parking_api;
--! EndIncluded availabilities/delete_availability.sql
--! Included availabilities/drop_availability_counts.sql
/* A spot may have thousands of windows: all that are deleted with it are counted in one statement. */
create or replace function private.drop_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    min(d.start_time),
    min(d.end_time),
    windows => -count(*) filter (where not d.is_hidden),
    claimed => -count(*) filter (where d.is_claimed)
  )
     from deleted d
    group by private.utc_day(d.start_time), private.utc_day(d.end_time);
  return null;
end;
$$;

comment on function private.drop_availability_counts is
  'Trigger function: takes the windows that a statement deleted from the counts.';

create or replace trigger keep_counts_of_deleted
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.drop_availability_counts();
--! EndIncluded availabilities/drop_availability_counts.sql
--! Included availabilities/keep_availability_counts.sql
/* The counts of days follow each window. What is free of it is counted by who sets it (private.set_free). */
create or replace function private.keep_availability_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.add_day_counts(
      old.start_time,
      old.end_time,
      windows => -(not old.is_hidden)::integer,
      claimed => -old.is_claimed::integer
    );
  end if;

  perform private.add_day_counts(
    new.start_time,
    new.end_time,
    windows => (not new.is_hidden)::integer,
    claimed => new.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_availability_counts is
  'Trigger function: counts a window that was added or changed.';

create or replace trigger keep_counts_of_added
  after insert on parking.availabilities
  for each row
  execute function private.keep_availability_counts();

create or replace trigger keep_counts_of_changed
  after update of start_time, end_time, is_claimed, free on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    or pg_trigger_depth() = 0 -- the owner of the database, by hand
  )
  execute function private.keep_availability_counts();
--! EndIncluded availabilities/keep_availability_counts.sql
--! Included availabilities/total_hidden_availabilities.sql
/* Residents do not see the free windows of suspended owners. */
create or replace function private.total_hidden_availabilities(
    start_date timestamptz,
    end_date timestamptz
)
  returns bigint
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    select count(*)
      from parking.availabilities a
     where a.owner_id = any ((select private.suspended_owners())::uuid[])
       and not a.is_claimed
       and not a.is_hidden
       and a.start_time >= coalesce(total_hidden_availabilities.start_date, '-infinity')
       and a.start_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
       and a.end_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
  );
end;
$$;

comment on function private.total_hidden_availabilities is
  'How many windows only administrators see: those of suspended owners that are not claimed.';
--! EndIncluded availabilities/total_hidden_availabilities.sql
--! Included availabilities/update_availability.sql
create or replace function api.update_availability(
    id uuid,
    start_time timestamptz default null,
    end_time timestamptz default null
)
  returns parking.availabilities
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_availability parking.availabilities;
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  if num_nonnulls(update_availability.start_time, update_availability.end_time) > 0 then
    update parking.availabilities a
       set start_time = coalesce(update_availability.start_time, a.start_time),
           end_time = coalesce(update_availability.end_time, a.end_time)
     where a.id = update_availability.id;
  end if;

  select a.* into v_availability
    from parking.availabilities a
   where a.id = update_availability.id
     and a.owner_id = (select private.caller_id());

  if v_availability.id is null then
    perform private.refuse_unchanged(
      'availabilities', 'availabilities_updated_by_spot_owner',
      exists (select from parking.availabilities a where a.id = update_availability.id)
    );
  end if;

  return v_availability;
end;
$$;

comment on function api.update_availability is
  'Move a window of your spot that nobody has claimed';
grant execute on function api.update_availability to parking_api;
--! EndIncluded availabilities/update_availability.sql
--! Included availabilities/policies.sql
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
--! EndIncluded availabilities/policies.sql
--! Included availabilities/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.availabilities;
create policy approved_account_required on parking.availabilities
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.availabilities is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded availabilities/rules/approved_account_required.sql
--! Included availabilities/rules/availabilities_claimed_are_not_deleted.sql
create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum bleibt sie geteilt.\nCannot delete a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_deleted.sql
--! Included availabilities/rules/availabilities_claimed_are_not_updated.sql
create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum lässt sie sich nicht ändern.\nCannot update a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_updated.sql
--! Included availabilities/rules/availabilities_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists availabilities_created_by_spot_owner on parking.availabilities;
create policy availabilities_created_by_spot_owner on parking.availabilities
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy availabilities_created_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Ihre eigenen Stellplätze teilen.\nYou can only create availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_created_by_spot_owner.sql
--! Included availabilities/rules/availabilities_deleted_by_spot_owner.sql
drop policy if exists availabilities_deleted_by_spot_owner on parking.availabilities;
create policy availabilities_deleted_by_spot_owner on parking.availabilities
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_deleted_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Zeiten Ihrer eigenen Stellplätze zurückziehen.\nYou can only delete availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_deleted_by_spot_owner.sql
--! Included availabilities/rules/availabilities_do_not_overlap.sql
-- during comes first because reports look up windows by time alone. The spot is there as bytes: for
-- the planner this index would cost as much as one that begins with spot_id, and it takes 100 times
-- as long to find the windows of a spot.
alter table parking.availabilities
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    exclude using gist (during with &&, uuid_send(spot_id) with =);

comment on constraint availabilities_do_not_overlap on parking.availabilities is
  E'@de Der Stellplatz ist in einem Teil dieser Zeit schon geteilt.\nAvailability overlaps an existing availability of this spot';
--! EndIncluded availabilities/rules/availabilities_do_not_overlap.sql
--! Included availabilities/rules/availabilities_no_longer_than_allowed.sql
create or replace trigger availabilities_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(new.start_time, (private.limits_of(new.spot_id)).longest_window_days)
  )
  execute function private.enforce_limit('length');

comment on trigger availabilities_no_longer_than_allowed on parking.availabilities is
  E'@field end_time\n@de So lange darf ein Stellplatz nicht auf einmal geteilt werden.\nThe window is longer than the building allows';
--! EndIncluded availabilities/rules/availabilities_no_longer_than_allowed.sql
--! Included availabilities/rules/availabilities_offered_within_window.sql
alter table parking.availabilities
  drop constraint if exists availabilities_offered_within_window,
  add constraint availabilities_offered_within_window
    check (tstzmultirange(during) @> offered);

comment on constraint availabilities_offered_within_window on parking.availabilities is
  E'@de Der Stellplatz ist nicht die ganze Zeit geteilt.\nWhat is offered lies within the window';
--! EndIncluded availabilities/rules/availabilities_offered_within_window.sql
--! Included availabilities/rules/availabilities_published_by_a_pattern.sql
-- Its name comes after availabilities_of_a_spot, which is checked first also where a dump was restored:
-- pg_restore makes foreign keys by name.
-- Claimed windows outlive their pattern. spot_id comes first: an index of windows begins with it.
alter table parking.availabilities
  drop constraint if exists availabilities_published_by_a_pattern,
  add constraint availabilities_published_by_a_pattern
    foreign key (spot_id, pattern_id)
    references parking.patterns (spot_id, id)
    on delete set null (pattern_id);

comment on constraint availabilities_published_by_a_pattern on parking.availabilities is
  E'@status 404\n@de Diese wöchentlichen Zeiten gibt es nicht mehr.\nPattern not found';
--! EndIncluded availabilities/rules/availabilities_published_by_a_pattern.sql
--! Included availabilities/rules/availabilities_start_before_end.sql
alter table parking.availabilities
  drop constraint if exists availabilities_start_before_end,
  add constraint availabilities_start_before_end
    check (start_time < end_time);

comment on constraint availabilities_start_before_end on parking.availabilities is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
--! EndIncluded availabilities/rules/availabilities_start_before_end.sql
--! Included availabilities/rules/availabilities_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists availabilities_start_in_future on parking.availabilities;
create constraint trigger availabilities_start_in_future
  after insert or update of start_time on parking.availabilities
  for each row
  execute function private.enforce_start_in_future();

comment on trigger availabilities_start_in_future on parking.availabilities is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
--! EndIncluded availabilities/rules/availabilities_start_in_future.sql
--! Included availabilities/rules/availabilities_times_are_calendar_dates.sql
alter table parking.availabilities
  drop constraint if exists availabilities_times_are_calendar_dates,
  add constraint availabilities_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint availabilities_times_are_calendar_dates on parking.availabilities is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nstart_time and end_time must lie in the years 1 to 9999';
--! EndIncluded availabilities/rules/availabilities_times_are_calendar_dates.sql
--! Included availabilities/rules/availabilities_updated_by_spot_owner.sql
drop policy if exists availabilities_updated_by_spot_owner on parking.availabilities;
create policy availabilities_updated_by_spot_owner on parking.availabilities
  for update to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_updated_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Zeiten Ihrer eigenen Stellplätze ändern.\nYou can only update availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_updated_by_spot_owner.sql
--! Included availabilities/rules/availabilities_within_horizon.sql
create or replace trigger availabilities_within_horizon
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(clock_timestamp(), (private.limits_of(new.spot_id)).horizon_days)
  )
  execute function private.enforce_limit('end');

comment on trigger availabilities_within_horizon on parking.availabilities is
  E'@field end_time\n@de So weit im Voraus darf nicht geteilt werden.\nThe window ends further ahead than the building allows';
--! EndIncluded availabilities/rules/availabilities_within_horizon.sql
--! Included wishes/table.sql
/* What residents wait for: a time at which no spot was free. */
create table if not exists parking.wishes (
  id uuid default uuidv7(),
  wisher_id uuid not null default private.caller_id(),
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  building_section text,
  spot_id uuid,
  -- No foreign keys: what became of a wish outlives the claim and the window.
  claim_id uuid,
  availability_id uuid,
  offered_from timestamptz(3),
  offered_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint wishes_pkey primary key (id)
);

comment on table parking.wishes is
  E'@absent Wish not found\nA time for which a resident would like a spot. It is open until they make a claim that fits it, or move one to fit, or until it begins.';
comment on column parking.wishes.id is
  'Identifies the wish, and the notification about it.';
comment on column parking.wishes.wisher_id is
  'The resident who waits.';
comment on column parking.wishes.start_time is
  'From when on a spot is wanted.';
comment on column parking.wishes.end_time is
  'Until when it is wanted.';
comment on column parking.wishes.building_section is
  'The section in which a spot is wanted; null: in any.';
comment on column parking.wishes.spot_id is
  'The spot that is wanted; null: any.';
comment on column parking.wishes.claim_id is
  'The claim that fulfilled the wish.';
comment on column parking.wishes.availability_id is
  'The window that fits, which became free last; somebody else may have claimed it since.';
comment on column parking.wishes.offered_from is
  'From when on the window is kept for this resident at the latest: those who asked before them may claim it first. Null where nobody is before others.';
comment on column parking.wishes.offered_until is
  'Until when the window is kept for this resident; null where nobody is before others.';
comment on column parking.wishes.created_at is
  'When the resident asked.';
comment on column parking.wishes.updated_at is
  'When the row last changed.';

create index if not exists wishes_wisher_id_start_time_idx
  on parking.wishes (wisher_id, start_time desc, id);
create index if not exists wishes_start_time_idx
  on parking.wishes (start_time)
  where claim_id is null;
create index if not exists wishes_availability_id_idx
  on parking.wishes (availability_id)
  where claim_id is null and availability_id is not null;
create index if not exists wishes_spot_id_idx
  on parking.wishes (spot_id);

create or replace trigger touch
  before update on parking.wishes
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();

-- Own wishes only: administrators see numbers (api.unmet_wishes).
alter table parking.wishes enable row level security;

drop policy if exists select_own on parking.wishes;
create policy select_own on parking.wishes
  for select to parking_api
  using (wisher_id = (select private.caller_id()));

drop policy if exists insert_own on parking.wishes;
create policy insert_own on parking.wishes
  for insert to parking_api
  with check (wisher_id = (select private.caller_id()));

drop policy if exists delete_own on parking.wishes;
create policy delete_own on parking.wishes
  for delete to parking_api
  using (wisher_id = (select private.caller_id()));

grant select, delete on parking.wishes to parking_api;
grant insert (start_time, end_time, building_section, spot_id) on parking.wishes to parking_api;
-- No update: who wants another time asks anew, and waits behind those who asked before.
--! EndIncluded wishes/table.sql
--! Included claims/create_claim.sql
create or replace function api.create_claim(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz,
    guest text default null,
    vehicle text default null
)
  returns parking.claims
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  -- Nothing more is checked here: every rule about claims is in claims/rules/.
  insert into parking.claims
    (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle)
  select a.id, a.spot_id, a.owner_id, create_claim.start_time, create_claim.end_time,
         create_claim.guest, create_claim.vehicle
    from parking.availabilities a
   where a.id = create_claim.availability_id
  returning * into v_claim;

  if v_claim.id is null then
    perform private.refuse('claims_of_an_availability', '23503');
  end if;

  return v_claim;
end;
$$;

comment on function api.create_claim is
  'Claim another''s window, or part of it';
grant execute on function api.create_claim to parking_api;
--! EndIncluded claims/create_claim.sql
--! Included claims/enforce_offers.sql
/*
 * Of those to whom the time is offered, the turn is that of who asked first and can still take it: who was
 * suspended, withdrew or has another claim is passed over. What became free just now is kept until those who
 * wait for it are told (private.tell_waiting), for as long as a turn at most.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp(); -- one moment, so that indexes serve it
  v_each interval;
  v_window parking.availabilities;
  v_taken tstzmultirange;
  v_holder_id uuid;
  v_until timestamptz;
begin
  -- Nearly nothing while nobody has ever waited: the table has no page then. A longer condition of the
  -- trigger would cost more, because each statement reads it anew.
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then
    return null;
  end if;
  v_each := make_interval(mins => (private.building()).offer_minutes);
  if v_each is null then
    return null;
  end if;

  v_taken := tstzmultirange(new.takes);
  if tg_op = 'UPDATE' then
    v_taken := v_taken - tstzmultirange(old.takes); -- what it has already, it takes from nobody
  end if;
  select a.* into v_window from parking.availabilities a where a.id = new.availability_id;

  select w.wisher_id, w.offered_until
    into v_holder_id, v_until
    from parking.wishes w
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.spots s on s.id = new.spot_id
   where w.claim_id is null
     and w.availability_id = v_window.id
     and w.offered_until > v_now
     and v_taken && tstzrange(w.start_time, w.end_time)
     -- They can still take it: the window and the spot may have changed since.
     and private.free_times(v_window) @> tstzrange(w.start_time, w.end_time)
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
     and w.wisher_id <> s.owner_id
   order by w.offered_until, w.created_at, w.id
   limit 1;

  if not found and v_window.free_since + v_each > v_now then
    select w.wisher_id, v_window.free_since + v_each
      into v_holder_id, v_until
      from private.waiting_for(v_window) w
     where v_taken && tstzrange(w.start_time, w.end_time)
     order by w.created_at, w.id
     limit 1;
  end if;

  if v_holder_id <> new.claimer_id then
    raise exception using
      errcode = '23514',
      message = format('refused by rule "%s"', tg_name),
      constraint = tg_name,
      -- {until} in the message of the rule
      hint = concat_ws(' ', private.iso8601(v_until), (private.building()).time_zone);
  end if;
  return null;
end;
$$;

comment on function private.enforce_offers is
  'Trigger function: refuses a claim of a time that is offered to another at the moment.';
--! EndIncluded claims/enforce_offers.sql
--! Included claims/free_availabilities.sql
/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    min(f.start_time),
    min(f.end_time),
    windows => coalesce(sum(f.windows_more), 0)::bigint,
    claimed => coalesce(sum(f.claimed_more), 0)::bigint,
    claim_start => min(d.start_time),
    claim_end => min(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from (
       select o.*, row_number() over (partition by o.holds) as number from deleted o
     ) d
     left join private.set_free(array(
       select a
         from parking.availabilities a
        where a.id in (select h.holds from deleted h)
          -- Not when the spot was deleted: its windows are deleted after its claims.
          and exists (select from parking.spots s where s.id = a.spot_id)
        order by a.id
     )) f on f.id = d.holds and d.number = 1 -- several claims may be of one window
    group by
      private.utc_day(f.start_time),
      private.utc_day(f.end_time),
      private.utc_day(d.start_time),
      private.utc_day(d.end_time);

  perform private.add_person_count(d.claimer_id, d.status, -count(*))
     from deleted d
    group by d.claimer_id, d.status;
  return null;
end;
$$;

comment on function private.free_availabilities is
  'Trigger function: sets what is free of the windows of the claims that a statement deleted, and takes these from the counts.';

create or replace trigger free_availabilities
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.free_availabilities();
--! EndIncluded claims/free_availabilities.sql
--! Included claims/mark_availability.sql
/*
 * Sets anew what is free of the window, and keeps the counts of days and of the claimer. Together, because the
 * claim and its window are mostly of one day.
 */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  v_change record;
  v_number integer := 0;
  v_is_whole boolean := false;
begin
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.availability_id, new.claimer_id, new.status, new.start_time, new.end_time, new.takes)
      is not distinct from
      (old.availability_id, old.claimer_id, old.status, old.start_time, old.end_time, old.takes)
  then
    return null;
  end if;

  if (new.claimer_id, new.status) is distinct from (old.claimer_id, old.status) then
    if tg_op = 'UPDATE' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    perform private.add_person_count(new.claimer_id, new.status, 1);
  end if;

  -- Mostly a claim takes a whole window, or gives it back: then nothing of it was, or is, another's.
  if tg_op = 'INSERT' or new.status = 'cancelled' and new.availability_id = old.availability_id then
    update parking.availabilities a
       set is_claimed = new.holds is not null,
           free_since = case when new.holds is null then clock_timestamp() else a.free_since end
     where a.id = new.availability_id
       and a.during = coalesce(new.takes, old.takes)
       and a.is_claimed = (new.holds is null)
       and a.offered is null
    returning a.start_time, a.end_time, 0 as windows_more, case when new.holds is null then -1 else 1 end as claimed_more
         into v_change;
    v_is_whole := found;
  end if;

  if not v_is_whole then
    for v_change in
      select f.*
        from private.set_free(array(
               select a
                 from parking.availabilities a
                where a.id in (new.availability_id, old.availability_id) -- the owner of the database may move it
                order by a.id
             )) f
    loop
      v_number := v_number + 1;
      exit when v_number = 1; -- counted below, together with the claim
      perform private.add_day_counts(
        v_change.start_time,
        v_change.end_time,
        windows => v_change.windows_more,
        claimed => v_change.claimed_more
      );
    end loop;
  end if;

  if tg_op = 'UPDATE' and (new.start_time, new.end_time) <> (old.start_time, old.end_time) then
    perform private.add_day_counts(
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    old.status := null; -- the new one is counted as one that is added
  end if;
  -- Of a new claim, old is null.
  perform private.add_day_counts(
    v_change.start_time,
    v_change.end_time,
    windows => coalesce(v_change.windows_more, 0),
    claimed => coalesce(v_change.claimed_more, 0),
    claim_start => new.start_time,
    claim_end => new.end_time,
    active => (new.status = 'active')::integer - (old.status is not distinct from 'active')::integer,
    completed => (new.status = 'completed')::integer - (old.status is not distinct from 'completed')::integer,
    cancelled => (new.status = 'cancelled')::integer - (old.status is not distinct from 'cancelled')::integer
  );

  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets what is free of the window of a claim, and counts the claim and its window.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  execute function private.mark_availability();
--! EndIncluded claims/mark_availability.sql
--! Included claims/take_time.sql
/*
 * What is no longer free: the time of the claim where the rest of a window stays on offer, else all that is
 * connected with it. A claim that keeps its time or gives some back stays, whatever its owner keeps by now.
 */
create or replace function private.take_time()
  returns trigger
  language plpgsql
  security definer -- locks a window of the owner of the spot, and reads what others take of it
  set search_path = ''
as $$
declare
  v_now timestamptz;
  v_span tstzrange;
  v_rest_stays boolean;
  v_window parking.availabilities;
  v_free tstzmultirange;
begin
  -- Claims of one window wait for each other here, and for private.reconcile. Also one that ends, unless it
  -- holds nothing: who makes another at its time then never waits for it while it waits for the window.
  select a.* into v_window
    from parking.availabilities a
   where a.id = case tg_op when 'DELETE' then old.holds else new.availability_id end
     for no key update;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.status = 'cancelled' then
    new.takes := null;
    return new;
  end if;
  select b.rest_stays_on_offer into v_rest_stays from parking.building b;
  v_now := date_trunc('milliseconds', clock_timestamp());
  -- Before its beginning it has used nothing, and keeps its time. Not a later moment than that of the
  -- change: claims_closed_stay_closed compares them.
  if tg_op = 'UPDATE' and v_rest_stays
    and old.status = 'active' and new.status = 'completed'
    and new.start_time < v_now
  then
    new.end_time := least(new.end_time, v_now);
  end if;
  if new.start_time >= new.end_time then
    return new; -- claims_start_before_end
  end if;
  v_span := tstzrange(new.start_time, new.end_time);

  if tg_op = 'UPDATE' and new.availability_id = old.availability_id and v_span <@ old.held then
    if v_rest_stays then
      new.takes := v_span;
    end if;
    return new;
  end if;
  if v_window.id is null and new.availability_id is not null then
    -- It was withdrawn just now. Two claims of it would wait for each other: nothing else orders them.
    perform private.refuse('claims_of_an_availability', '23503');
  end if;
  if not coalesce(v_window.during @> v_span, false) then
    -- claims_within_availability; of a claimed window, claims_one_per_availability comes first
    new.takes := case when v_window.is_claimed then range_merge(v_window.during, v_span) else v_span end;
    return new;
  end if;
  if v_window.offered is not null and not v_window.offered @> v_span then
    new.takes := null; -- claims_not_in_kept_time
    return new;
  end if;
  if v_rest_stays then
    new.takes := v_span;
    return new;
  end if;

  if v_window.free is null and tg_op = 'INSERT' then
    new.takes := v_window.during; -- of a claimed window, claims_one_per_availability
    return new;
  end if;

  v_free := private.free_times(v_window);
  if tg_op = 'UPDATE' then
    v_free := v_free + coalesce(tstzmultirange(old.takes), '{}');
  end if;
  -- Where it is not free: claims_one_per_availability.
  new.takes := coalesce((select f from unnest(v_free) f where f @> v_span), v_span);
  return new;
end;
$$;

comment on function private.take_time is
  'Trigger function: sets what a claim takes of its window. Where the rest stays on offer, a claim that is completed before its end ends at that moment.';

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger take_time
  before insert or delete or update of availability_id, status, start_time, end_time on parking.claims
  for each row
  execute function private.take_time();
--! EndIncluded claims/take_time.sql
--! Included claims/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.claims;
create policy approved_account_required on parking.claims
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.claims is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded claims/rules/approved_account_required.sql
--! Included claims/rules/claims_cancelled_by_administrator.sql
-- A policy lets an administrator who gives a reason update any claim. This refuses other changes.
drop policy if exists claims_cancelled_by_administrator on parking.claims;
create policy claims_cancelled_by_administrator on parking.claims
  as restrictive
  for update to parking_api
  with check (claimer_id = (select private.caller_id()) or status = 'cancelled');

comment on policy claims_cancelled_by_administrator on parking.claims is
  E'@de Die Verwaltung kann eine fremde Reservierung nur stornieren.\nAn administrator can only cancel the claim of another';
--! EndIncluded claims/rules/claims_cancelled_by_administrator.sql
--! Included claims/rules/claims_close_with_their_times.sql
create or replace trigger claims_close_with_their_times
  before update of start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and new.status <> 'active'
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.enforce_rule();

comment on trigger claims_close_with_their_times on parking.claims is
  E'@de Die Zeiten einer Reservierung lassen sich nicht ändern, während sie beendet oder storniert wird.\nClaim times cannot be changed while completing or cancelling the claim';
--! EndIncluded claims/rules/claims_close_with_their_times.sql
--! Included claims/rules/claims_closed_stay_closed.sql
create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_closed();

comment on trigger claims_closed_stay_closed on parking.claims is
  E'@de Diese Reservierung ist schon beendet oder storniert.\nCannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
--! Included claims/rules/claims_completed_are_not_deleted.sql
create or replace trigger claims_completed_are_not_deleted
  before delete on parking.claims
  for each row
  when (old.status = 'completed')
  execute function private.enforce_rule();

comment on trigger claims_completed_are_not_deleted on parking.claims is
  E'@de Eine beendete Reservierung bleibt in der Liste.\nCannot delete a completed claim';
--! EndIncluded claims/rules/claims_completed_are_not_deleted.sql
--! Included claims/rules/claims_deleted_by_claimer.sql
drop policy if exists claims_deleted_by_claimer on parking.claims;
create policy claims_deleted_by_claimer on parking.claims
  for delete to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_deleted_by_claimer on parking.claims is
  E'@de Sie können nur Ihre eigenen Reservierungen entfernen.\nYou can only delete your own claims';
--! EndIncluded claims/rules/claims_deleted_by_claimer.sql
--! Included claims/rules/claims_described_by_claimer.sql
-- A policy lets an administrator who gives a reason update any claim. This leaves its guest to the claimer.
create or replace trigger claims_described_by_claimer
  before update of guest, vehicle on parking.claims
  for each row
  when (
    (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle)
    and row_security_active('parking.claims') -- binds people, not the owner of the table
  )
  execute function private.enforce_own_description();

comment on trigger claims_described_by_claimer on parking.claims is
  E'@de Wer parkt, gibt nur an, wer reserviert hat.\nOnly the claimer says who parks';
--! EndIncluded claims/rules/claims_described_by_claimer.sql
--! Included claims/rules/claims_guest_is_one_line.sql
alter table parking.claims
  drop constraint if exists claims_guest_is_one_line,
  add constraint claims_guest_is_one_line
    check (private.is_one_line(guest, 1, 200));

comment on constraint claims_guest_is_one_line on parking.claims is
  E'@field guest\n@de Der Name des Gastes hat 1 bis 200 Zeichen in einer Zeile.\nguest must be 1 to 200 characters on one line';
--! EndIncluded claims/rules/claims_guest_is_one_line.sql
--! Included claims/rules/claims_kept_after_cutoff.sql
create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (old.status = 'active')
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\n@de Es ist zu spät, diese Reservierung zu stornieren oder zu verschieben.\nIt is too late to cancel or move this claim';
--! EndIncluded claims/rules/claims_kept_after_cutoff.sql
--! Included claims/rules/claims_no_longer_than_allowed.sql
create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('longest_claim_minutes');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist länger, als hier erlaubt ist.\nThe claim is longer than the building allows';
--! EndIncluded claims/rules/claims_no_longer_than_allowed.sql
--! Included claims/rules/claims_no_more_than_allowed.sql
create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\n@de Sie haben so viele Reservierungen, wie eine Person haben darf. Erst muss eine enden oder storniert werden.\nYou have as many claims that have not ended as the building allows';
--! EndIncluded claims/rules/claims_no_more_than_allowed.sql
--! Included claims/rules/claims_no_shorter_than_allowed.sql
create or replace trigger claims_no_shorter_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('shortest_claim_minutes');

comment on trigger claims_no_shorter_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist kürzer, als hier erlaubt ist.\nThe claim is shorter than the building allows';
--! EndIncluded claims/rules/claims_no_shorter_than_allowed.sql
--! Included claims/rules/claims_not_by_owner.sql
-- PostgreSQL runs checks in the order of their names: the owner is checked before the times.
alter table parking.claims
  drop constraint if exists claims_not_by_owner,
  add constraint claims_not_by_owner
    check (claimer_id <> owner_id);

comment on constraint claims_not_by_owner on parking.claims is
  E'@status 403\n@de Das ist Ihr eigener Stellplatz, dafür brauchen Sie keine Reservierung.\nYou cannot claim your own parking spot';
--! EndIncluded claims/rules/claims_not_by_owner.sql
--! Included claims/rules/claims_not_in_kept_time.sql
-- private.take_time takes nothing where the time is not on offer.
alter table parking.claims
  drop constraint if exists claims_not_in_kept_time,
  add constraint claims_not_in_kept_time
    check (held is null or takes is not null);

comment on constraint claims_not_in_kept_time on parking.claims is
  E'@status 409\n@de Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.\nThe owner does not offer this time any more';
--! EndIncluded claims/rules/claims_not_in_kept_time.sql
--! Included claims/rules/claims_of_an_approved_owner.sql
create or replace trigger claims_of_an_approved_owner
  before insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  E'@de Das Konto der Person, der der Stellplatz gehört, ist zurzeit nicht freigegeben. Darum lässt er sich nicht reservieren.\nThe owner of this parking spot is not approved';
--! EndIncluded claims/rules/claims_of_an_approved_owner.sql
--! Included claims/rules/claims_one_per_availability.sql
-- What claims take of a window never overlaps: the whole window, or where the rest stays on offer, their times.
alter table parking.claims
  drop constraint if exists claims_one_per_availability,
  add constraint claims_one_per_availability
    exclude using gist (holds with =, takes with &&);

comment on constraint claims_one_per_availability on parking.claims is
  E'@status 400\n@de Jemand anderes hat schon reserviert.\nThis availability has already been claimed';
--! EndIncluded claims/rules/claims_one_per_availability.sql
--! Included claims/rules/claims_start_before_end.sql
alter table parking.claims
  drop constraint if exists claims_start_before_end,
  add constraint claims_start_before_end
    check (start_time < end_time);

comment on constraint claims_start_before_end on parking.claims is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
--! EndIncluded claims/rules/claims_start_before_end.sql
--! Included claims/rules/claims_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists claims_start_in_future on parking.claims;
create constraint trigger claims_start_in_future
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_start_in_future();

comment on trigger claims_start_in_future on parking.claims is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
--! EndIncluded claims/rules/claims_start_in_future.sql
--! Included claims/rules/claims_status_is_known.sql
alter table parking.claims
  drop constraint if exists claims_status_is_known,
  add constraint claims_status_is_known
    check (status in ('active', 'completed', 'cancelled'));

comment on constraint claims_status_is_known on parking.claims is
  E'@field status\n@de Eine Reservierung lässt sich nur beenden oder stornieren.\nstatus must be active, completed or cancelled';
--! EndIncluded claims/rules/claims_status_is_known.sql
--! Included claims/rules/claims_times_are_calendar_dates.sql
alter table parking.claims
  drop constraint if exists claims_times_are_calendar_dates,
  add constraint claims_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint claims_times_are_calendar_dates on parking.claims is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nstart_time and end_time must lie in the years 1 to 9999';
--! EndIncluded claims/rules/claims_times_are_calendar_dates.sql
--! Included claims/rules/claims_updated_by_claimer.sql
drop policy if exists claims_updated_by_claimer on parking.claims;
create policy claims_updated_by_claimer on parking.claims
  for update to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_updated_by_claimer on parking.claims is
  E'@de Sie können nur Ihre eigenen Reservierungen ändern.\nYou can only update your own claims';
--! EndIncluded claims/rules/claims_updated_by_claimer.sql
--! Included claims/rules/claims_vehicle_is_a_plate.sql
alter table parking.claims
  drop constraint if exists claims_vehicle_is_a_plate,
  add constraint claims_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint claims_vehicle_is_a_plate on parking.claims is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded claims/rules/claims_vehicle_is_a_plate.sql
--! Included claims/rules/claims_wait_for_offers.sql
-- After the claim, not before: it may have waited for the transaction that offers its window.
create or replace trigger claims_wait_for_offers
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_offers();

comment on trigger claims_wait_for_offers on parking.claims is
  E'@status 409\n@de Bis {until} ist der Stellplatz jemandem vorbehalten, der darauf gewartet hat.\nUntil {until} this is offered to somebody who waited for it';
--! EndIncluded claims/rules/claims_wait_for_offers.sql
--! Included claims/rules/claims_with_notice.sql
create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('claim_notice_minutes');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\n@de Die Reservierung beginnt früher, als hier erlaubt ist.\nThe claim starts sooner than the building allows';
--! EndIncluded claims/rules/claims_with_notice.sql
--! Included claims/rules/claims_within_horizon.sql
create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('horizon_days');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\n@de So weit im Voraus darf nicht reserviert werden.\nThe claim ends further ahead than the building allows';
--! EndIncluded claims/rules/claims_within_horizon.sql
--! Included locks/keep_spot.sql
/*
 * A claim and the deletion of its spot wait for each other. Claims of one spot do not: those of one window do
 * (private.take_time).
 */
create or replace function private.keep_spot()
  returns trigger
  language plpgsql
  security definer -- the spot belongs to another resident
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for key share;
  perform private.require_spot(found or new.spot_id is null, 'claims_of_an_availability');
  return new;
end;
$$;

comment on function private.keep_spot is
  'Trigger function: keeps the spot of a new claim from being deleted until the transaction ends.';

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.keep_spot();
--! EndIncluded locks/keep_spot.sql
--! Included locks/keep_spot_of_claim.sql
/*
 * The first statement of what changes a claim: the spot before the claim, as its deletion locks them. What is
 * freed may be published anew, one after the other (private.reconcile).
 */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the spot belongs to another resident; the policies check who may act
  set search_path = ''
as $$
declare
  v_owner_id uuid;
  v_spot_id uuid;
begin
  select c.owner_id, c.spot_id into v_owner_id, v_spot_id
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_owner_id for share;
  perform from parking.spots s where s.id = v_spot_id for no key update;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Locks the spot of the claim with this id, and keeps its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
--! EndIncluded locks/keep_spot_of_claim.sql
--! Included locks/lock_own_spots.sql
/*
 * The first statement of what changes windows and plans of one owner: one such change after the other. What is
 * claimed meanwhile, private.reconcile sees: it locks the windows.
 */
create or replace function private.lock_own_spots(spot_id uuid default null)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may not lock profiles; only what is the caller's is locked
  set search_path = ''
as $$
begin
  perform
     from parking.profiles p
    where p.id = (select private.caller_id())
      and (select private.is_approved()) -- as private.require_approved decides
      for no key update;

  if found then
    perform
       from parking.spots s
      where s.owner_id = (select private.caller_id())
        and (lock_own_spots.spot_id is null or s.id = lock_own_spots.spot_id)
      order by s.id
        for no key update;
    perform private.lock_plans();
  end if;
end;
$$;

comment on function private.lock_own_spots is
  'Locks the profile of an approved caller, and their spots, or one of them.';
grant execute on function private.lock_own_spots to parking_api;
--! EndIncluded locks/lock_own_spots.sql
--! Included locks/lock_own_spots_before.sql
/*
 * Spots come before plans and windows, and an UPDATE or a DELETE locks its rows before the triggers of each row
 * run. An administrator who gives a reason has locked the spot of another.
 */
create or replace function private.lock_own_spots_before()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if private.reason() is null then
    perform private.lock_own_spots();
  end if;
  return null;
end;
$$;

comment on function private.lock_own_spots_before is
  'Trigger function: locks the spots of the caller before the plans and windows that a statement changes.';

create or replace trigger lock_own_spots_before
  before delete or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete on parking.exceptions
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();
--! EndIncluded locks/lock_own_spots_before.sql
--! Included locks/lock_plans.sql
/*
 * What patterns publish and what exceptions keep depend on each other, and the lock of the spot shows
 * neither to a snapshot from before. One turn of a person, for an exception may be about all their spots.
 */
create or replace function private.lock_plans()
  returns void
  language plpgsql
  volatile
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  if private.is_approved() then
    perform private.take_turn('plans', private.caller_id());
  end if;
end;
$$;

comment on function private.lock_plans is
  'Makes those who change patterns or exceptions of the caller, who is approved, wait for each other, and fail where they do not see each other.';
grant execute on function private.lock_plans to parking_api;
--! EndIncluded locks/lock_plans.sql
--! Included locks/lock_spot_of_window.sql
/*
 * The first statement of what changes a window: the spot before the window, as its deletion locks them. An owner
 * changes what they plan, too, and locks all of that in the order of private.lock_spot.
 */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
declare
  v_spot_id uuid;
  v_is_own boolean;
begin
  select a.spot_id, a.owner_id = (select private.caller_id()) into v_spot_id, v_is_own
    from parking.availabilities a
   where a.id = lock_spot_of_window.id
     and (select private.is_approved());

  if v_is_own then
    perform private.lock_own_spots();
  else
    perform from parking.spots s where s.id = v_spot_id for no key update;
  end if;

  -- All, for what the spot offers beside it is set anew.
  perform
     from parking.availabilities a
    where a.spot_id = v_spot_id
      and a.end_time > clock_timestamp()
    order by a.id
      for no key update;
end;
$$;

comment on function private.lock_spot_of_window is
  'Locks the spot of the window with this id, and its windows that have not ended, for an approved caller; of its owner, all their spots.';
grant execute on function private.lock_spot_of_window to parking_api;
--! EndIncluded locks/lock_spot_of_window.sql
--! Included locks/lock_windows.sql
/*
 * A claim writes its window anew, and PostgreSQL checks the exclusion constraint then: it and the owner who writes
 * another window over that one would wait for each other. So the owner waits for the claim first.
 */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- a policy hides the windows of a suspended owner, and an administrator may not lock any
  set search_path = ''
as $$
begin
  if new.start_time < new.end_time then
    perform
       from parking.availabilities a
      where a.during && tstzrange(new.start_time, new.end_time)
        and uuid_send(a.spot_id) = uuid_send(new.spot_id) -- as the index of the constraint has it
        and a.id <> new.id
      order by a.id
        for no key update;
  end if;
  return new;
end;
$$;

comment on function private.lock_windows is
  'Trigger function: locks what a window overlaps before it is written.';

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_windows();
--! EndIncluded locks/lock_windows.sql
--! Included free_time/enforce_few_changed_windows.sql
/*
 * One request about a pattern or an exception changes dozens of windows, and each leaves events that stay:
 * somebody who sends them without end would fill the disk of everybody. The log itself knows how many.
 */
create or replace function private.enforce_few_changed_windows()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
  v_today constant timestamptz := date_trunc('day', clock_timestamp(), 'UTC');
begin
  if (
    select count(*)
      from (
        select
          from private.events e -- with those that have no position yet
         where e.actor_id = new.owner_id
           and e.type in ('availability.deleted', 'availability.updated')
           and e.occurred_at >= v_today
         limit v_most + 1
      ) x
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_changed_windows is
  'Trigger function: refuses a pattern or an exception where the caller has changed or withdrawn more windows today than the argument says.';
--! EndIncluded free_time/enforce_few_changed_windows.sql
--! Included free_time/freed_by_claims.sql
/*
 * A claimed window outlives the source that published it. When its claim ends, it is on offer only if its owner
 * still shares that time. Mostly its source still says just that.
 */
create or replace function private.freed_by_claims(windows uuid[])
  returns setof uuid
  language plpgsql
  stable
  security definer -- a claimer may not see a window that is not on offer
  set search_path = ''
as $$
begin
  perform private.require_trigger();
  return query
  select distinct a.spot_id
    from parking.availabilities a
   where a.id = any (freed_by_claims.windows)
     and (
       a.offered is not null
       -- An old snapshot shows no plans of today: private.lock_spot_to_reconcile fails then.
       or current_setting('transaction_isolation') <> 'read committed'
       or a.source_id is not null
         and (
           select (s.source_id, s.span) = (a.source_id, a.during)
             from private.source_spans(a.spot_id, a.during) s
            where s.span && a.during
            order by s.rank
            limit 1
         ) is not true
     )
   order by a.spot_id;
end;
$$;

comment on function private.freed_by_claims is
  'The spots of those of these freed windows that may differ from what is to be on offer now.';
grant execute on function private.freed_by_claims to parking_api;
--! EndIncluded free_time/freed_by_claims.sql
--! Included free_time/leave_out.sql
/* Only in plans of the same owner: whoever inserts a window may name any source. */
create or replace function private.leave_out("window" parking.availabilities)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the plans of others
  set search_path = ''
as $$
begin
  update parking.patterns p
     set withdrawn = p.withdrawn * tstzmultirange(tstzrange(now(), null)) + tstzmultirange((leave_out."window").during)
   where p.id = (leave_out."window").source_id
     and p.spot_id = (leave_out."window").spot_id
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
  update parking.exceptions e
     set withdrawn = e.withdrawn + tstzmultirange((leave_out."window").during)
   where e.id = (leave_out."window").source_id
     and e.owner_id = (leave_out."window").owner_id
     and ((select private.caller_id()) = e.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out is
  'Keeps a pattern or an exception from publishing a time again that was withdrawn by hand.';
grant execute on function private.leave_out to parking_api;
--! EndIncluded free_time/leave_out.sql
--! Included free_time/lock_spot_to_reconcile.sql
/* A caller whose snapshot is older than another change of the plans fails, and tries again: see private.take_turn. */
create or replace function private.lock_spot_to_reconcile(spot_id uuid)
  returns parking.spots
  language plpgsql
  volatile
  security definer -- a claimer may lock neither another's spot nor take a turn
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_trigger();
  select s.* into v_spot
    from parking.spots s
   where s.id = lock_spot_to_reconcile.spot_id
     for no key update;
  if found then
    perform private.take_turn('plans', v_spot.owner_id);
    -- A claim that is being made is seen afterwards. Before private.lock_windows, as a claim locks them.
    perform
       from parking.availabilities a
      where a.spot_id = v_spot.id
        and a.end_time > clock_timestamp()
      order by a.id
        for no key update;
  end if;
  return v_spot;
end;
$$;

comment on function private.lock_spot_to_reconcile is
  'Locks a spot, what its owner plans, and its windows that have not ended, until the transaction ends.';
grant execute on function private.lock_spot_to_reconcile to parking_api;
--! EndIncluded free_time/lock_spot_to_reconcile.sql
--! Included free_time/offer_unkept.sql
/* A new window is on offer but for the times that its owner keeps. Nobody has claimed it, so its spot need not be reconciled. */
create or replace function private.offer_unkept()
  returns trigger
  language plpgsql
  security definer -- nobody writes what follows from the rows, and the API role may take no turn
  set search_path = ''
as $$
declare
  v_window constant tstzmultirange := tstzmultirange(tstzrange(new.start_time, new.end_time));
  v_offered tstzmultirange;
begin
  perform private.take_turn('plans', new.owner_id); -- see private.lock_plans
  v_offered := v_window - private.kept_times(new.spot_id, new.end_time);
  if v_offered <> v_window then
    new.offered := v_offered;
    new.free := private.spans(v_offered);
  end if;
  return new;
end;
$$;

comment on function private.offer_unkept is
  'Trigger function: sets what is offered of a new window.';

-- After private.lock_spot: triggers run in the order of their names.
create or replace trigger offer_unkept
  before insert on parking.availabilities
  for each row
  when (new.start_time < new.end_time and pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.offer_unkept();
--! EndIncluded free_time/offer_unkept.sql
--! Included free_time/pieces_of.sql
/* Nobody could claim a piece that is shorter than the shortest claim. */
create or replace function private.pieces_of(gap tstzrange, limits parking.limits)
  returns setof tstzrange
  language sql
  stable
  set search_path = ''
as $$
  select tstzrange(
           piece,
           least(upper(gap), private.days_after(piece, (limits).longest_window_days))
         )
    from generate_series(
      lower(gap),
      upper(gap) - make_interval(mins => coalesce((limits).shortest_claim_minutes, 0)) - interval '1 millisecond',
      make_interval(days => coalesce((limits).longest_window_days, 10000)),
      (private.building()).time_zone
    ) piece
$$;

comment on function private.pieces_of is
  'A time that shall be on offer, in windows as long as the limits allow.';
grant execute on function private.pieces_of to parking_api;
--! EndIncluded free_time/pieces_of.sql
--! Included free_time/publish.sql
/*
 * Mostly all can be published in one statement. Where a rule refuses one of them, each half is tried alone: a
 * spot may have thousands.
 */
create or replace function private.publish(
    spot parking.spots,
    sources uuid[],
    patterns uuid[],
    spans tstzrange[]
)
  returns text
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_half constant integer := cardinality(spans) / 2;
  v_rule text;
  v_message text;
begin
  if spans is null then
    return null;
  end if;
  delete from parking.availabilities a
   where a.spot_id = (spot).id
     and a.during && (select range_agg(s) from unnest(spans) s);
  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, source_id, pattern_id)
  select (spot).id, (spot).owner_id, lower(w.span), upper(w.span), w.source_id, w.pattern_id
    from unnest(sources, patterns, spans) w (source_id, pattern_id, span)
   order by w.span;
  return null;
exception
  when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics v_rule = constraint_name, v_message = message_text;
    -- A policy has its name in the message only.
    v_rule := coalesce(nullif(v_rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
    if v_rule is null or v_rule = 'approved_account_required' then
      raise; -- no rule of windows, but a fault, or an owner who is not approved any more
    end if;
    if v_half > 0 then
      perform private.publish(spot, sources[:v_half], patterns[:v_half], spans[:v_half]),
              private.publish(spot, sources[v_half + 1:], patterns[v_half + 1:], spans[v_half + 1:]);
    end if;
    return v_rule;
end;
$$;

comment on function private.publish is
  'Publishes windows of sources in place of those in their way, but for those that a rule refuses. Returns the first such rule.';
grant execute on function private.publish to parking_api;
--! EndIncluded free_time/publish.sql
--! Included free_time/reconcile.sql
/*
 * Windows by hand, windows with a live claim, and windows that have begun stay. The rest of what the sources
 * share is published in windows of its own. It writes only the difference: run twice, it changes nothing.
 *
 * It acts as the owner of the spot, whom policies and limits bind. What a rule refuses is not published, and
 * what was on offer before stays where the sources still share it.
 */
create or replace function private.reconcile(spot_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_spot constant parking.spots := private.lock_spot_to_reconcile(reconcile.spot_id);
  v_caller constant text := current_setting('request.jwt.claims', true);
  v_reason constant text := current_setting('request.reason', true);
  v_begun constant timestamptz := private.next_minute();
  v_limits parking.limits;
  v_horizon timestamptz;
  v_taken tstzmultirange;
  v_source record;
  v_gaps tstzmultirange;
  v_sources uuid[] := '{}';
  v_patterns uuid[] := '{}';
  v_missing tstzmultirange[] := '{}';
  v_spans tstzrange[];
  v_wanted tstzmultirange;
begin
  if v_spot.id is null then
    return;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', v_spot.owner_id)::text, true),
          set_config('request.reason', '', true); -- an administrator's

  if v_spot.retired_at is null and private.is_approved() then
    select coalesce(range_agg(a.during), '{}') into v_taken
      from parking.availabilities a
     where a.spot_id = v_spot.id
       and a.end_time > v_begun
       and (a.source_id is null or a.start_time <= v_begun or private.is_held(a.id));

    -- Each step is one of plpgsql alone: an owner may have two hundred patterns.
    for v_source in select s.* from private.source_spans(v_spot.id) s order by s.rank loop
      v_gaps := tstzmultirange(v_source.span * tstzrange(v_begun, null)) - v_source.withdrawn - v_taken;
      if v_source.pattern_id is not null and lower(v_gaps) = v_begun then
        -- A day that has begun is not published; an absence goes on.
        v_gaps := (select coalesce(range_agg(g), '{}') from unnest(v_gaps) g where lower(g) > v_begun);
      end if;
      continue when isempty(v_gaps);
      v_sources := v_sources || v_source.source_id;
      v_patterns := v_patterns || v_source.pattern_id;
      v_missing := v_missing || v_gaps;
      v_taken := v_taken + v_gaps;
    end loop;
    v_limits := private.limits_of(v_spot.id);
    v_horizon := private.days_after(clock_timestamp(), v_limits.horizon_days);
    select coalesce(range_agg(p.piece), '{}'),
           array_agg(w.source_id order by p.piece) filter (where m.is_missing),
           array_agg(w.pattern_id order by p.piece) filter (where m.is_missing),
           array_agg(p.piece order by p.piece) filter (where m.is_missing)
      into v_wanted, v_sources, v_patterns, v_spans
      from unnest(v_sources, v_patterns, v_missing) w (source_id, pattern_id, gaps)
     cross join lateral unnest(w.gaps) gap
     cross join lateral private.pieces_of(gap, v_limits) p (piece)
     cross join lateral (
       select not exists (
         select
           from parking.availabilities a
          where a.spot_id = v_spot.id
            and a.source_id = w.source_id
            and a.during = p.piece
       )
         -- Not yet: a later run publishes it.
         and (v_horizon is null or upper(p.piece) <= v_horizon) as is_missing
     ) m;

    delete from parking.availabilities a
     where a.spot_id = v_spot.id
       and a.source_id is not null
       and a.start_time > v_begun
       and not private.is_held(a.id)
       and not a.during && v_wanted; -- those that are in the way give way below
    perform private.publish(v_spot, v_sources, v_patterns, v_spans);
    perform private.note_published(v_spot.id);
  end if;

  perform private.set_offered(v_spot.id);
  perform set_config('request.jwt.claims', v_caller, true),
          set_config('request.reason', v_reason, true);
end;
$$;

comment on function private.reconcile is
  'Makes the windows of a spot what its owner''s patterns and exceptions say, beside those by hand and those that are claimed.';
grant execute on function private.reconcile to parking_api;
--! EndIncluded free_time/reconcile.sql
--! Included free_time/reconcile_freed.sql
create or replace function private.reconcile_freed()
  returns trigger
  language plpgsql
  security invoker -- what is published is published under the limits of the building
  set search_path = ''
as $$
declare
  v_windows uuid[];
begin
  -- Mostly nobody has made a plan: only then is a window of one, or kept in part.
  if pg_relation_size('parking.patterns', 'main') = 0 and pg_relation_size('parking.exceptions', 'main') = 0 then
    return null;
  end if;
  if tg_op = 'DELETE' then
    v_windows := array(select d.holds from deleted d where d.holds is not null);
  else
    v_windows := array[new.availability_id];
  end if;
  perform private.reconcile(f.spot_id)
     from private.freed_by_claims(v_windows) f (spot_id);
  return null;
end;
$$;

comment on function private.reconcile_freed is
  'Trigger function: sets anew what the spots of claims offer that free their windows.';

-- Triggers run in the order of their names: these after those that set what is free.
create or replace trigger reconcile_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (old.held is not null and (new.held @> old.held) is not true)
  execute function private.reconcile_freed();

create or replace trigger reconcile_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.reconcile_freed();
--! EndIncluded free_time/reconcile_freed.sql
--! Included free_time/reconcile_spots.sql
/* What is on offer follows each change of a pattern or an exception, whoever makes it and by whichever way. */
create or replace function private.reconcile_spots()
  returns trigger
  language plpgsql
  security invoker -- what is published is published under the limits of the building
  set search_path = ''
as $$
begin
  -- Once for each spot, also where a statement writes several rows of it.
  if tg_level = 'STATEMENT' then
    perform private.reconcile(s.id)
       from (
         select distinct o.id
           from written w
           join parking.spots o on o.owner_id = w.owner_id and o.id = coalesce(w.spot_id, o.id)
          order by o.id
       ) s;
  else
    perform private.reconcile(new.spot_id);
  end if;
  return null;
end;
$$;

comment on function private.reconcile_spots is
  'Trigger function: sets anew what the spots of rows offer: the spot of each, or all of its owner.';

create or replace trigger reconcile_added
  after insert on parking.patterns
  referencing new table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_deleted
  after delete on parking.patterns
  referencing old table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_changed
  after update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  execute function private.reconcile_spots();

create or replace trigger reconcile_added
  after insert on parking.exceptions
  referencing new table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_deleted
  after delete on parking.exceptions
  referencing old table as written
  for each statement
  execute function private.reconcile_spots();
--! EndIncluded free_time/reconcile_spots.sql
--! Included free_time/require_trigger.sql
/* What follows from a change is done by its trigger, which knows what people did by hand and what followed. */
create or replace function private.require_trigger()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if pg_trigger_depth() = 0 then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'Only triggers do this: say a pattern again, and its spot is set anew';
  end if;
end;
$$;

comment on function private.require_trigger is
  'Refuses what only triggers do to who calls it by hand.';
grant execute on function private.require_trigger to parking_api;
--! EndIncluded free_time/require_trigger.sql
--! Included free_time/take_over.sql
create or replace function private.take_over()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.source_id := null;
  new.pattern_id := null;
  -- Set anew by private.reconcile.
  new.offered := null;
  new.free := null;
  new.free_since := clock_timestamp();
  return new;
end;
$$;

comment on function private.take_over is
  'Trigger function: a window that is moved by hand is one by hand from then on.';

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger take_over
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.take_over();
--! EndIncluded free_time/take_over.sql
--! Included free_time/withdraw_by_hand.sql
/*
 * Where an owner, or an administrator with a reason, withdraws or moves a window of a source, that source does not
 * publish its time again. Another source may still share it.
 */
create or replace function private.withdraw_by_hand()
  returns trigger
  language plpgsql
  security invoker -- what follows is published under the limits of the building
  set search_path = ''
as $$
begin
  if old.source_id is not null then
    perform private.leave_out(old);
  end if;
  perform private.reconcile(old.spot_id);
  return null;
end;
$$;

comment on function private.withdraw_by_hand is
  'Trigger function: leaves out of its source a window that was moved or deleted, and sets anew what the spot offers.';

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger withdraw_by_hand
  after update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.withdraw_by_hand();

create or replace trigger withdraw_deleted_by_hand
  after delete on parking.availabilities
  for each row
  when (pg_trigger_depth() = 0)
  execute function private.withdraw_by_hand();
--! EndIncluded free_time/withdraw_by_hand.sql
--! Included patterns/create_pattern.sql
create or replace function api.create_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null
)
  returns parking.patterns
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns := private.insert_pattern(
    create_pattern.spot_id, create_pattern.weekdays, create_pattern.starts_at,
    create_pattern.ends_at, create_pattern.first_day, create_pattern.last_day
  );
begin
  select p.* into v_pattern from parking.patterns p where p.id = v_pattern.id; -- as it is published
  return v_pattern;
end;
$$;

comment on function api.create_pattern is
  'Share your spot in the same hours every week; the windows of the next weeks are published at once';
grant execute on function api.create_pattern to parking_api;
--! EndIncluded patterns/create_pattern.sql
--! Included patterns/delete_pattern.sql
create or replace function api.delete_pattern(
    id uuid,
    out message text,
    out deleted_pattern_id uuid,
    out claimed_availability_ids uuid[]
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  claimed_availability_ids := array(
    select a.id
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.source_id = p.id
     where p.id = delete_pattern.id
       and a.end_time > clock_timestamp()
       and private.is_held(a.id)
     order by a.start_time
  );
  delete from parking.patterns p
   where p.id = delete_pattern.id;

  if not found then
    perform private.refuse_absent('patterns');
  end if;

  message := 'Pattern deleted successfully';
  deleted_pattern_id := delete_pattern.id;
end;
$$;

comment on function api.delete_pattern is
  'End a pattern: its windows that nobody has claimed are withdrawn, those that are claimed stay, and are named';
grant execute on function api.delete_pattern to parking_api;
--! EndIncluded patterns/delete_pattern.sql
--! Included patterns/due_patterns.sql
/* For the job, which asks without a caller, before it acts as the owners. A signed-in caller sees nothing. */
create or replace function private.due_patterns()
  returns table (id uuid, owner_id uuid)
  language sql
  stable
  security definer -- it lists the patterns of all residents
  set search_path = ''
begin atomic
  select distinct on (p.spot_id) p.id, p.owner_id -- the whole spot is set anew
    from parking.patterns p
    join parking.profiles o on o.id = p.owner_id and o.is_approved
   cross join parking.building b
   where (select private.caller_id()) is null
     and (
       p.time_zone <> b.time_zone
       or p.published_until is null
       or p.published_until < least((now() at time zone b.time_zone)::date + b.pattern_days - 1, p.last_day)
     )
   order by p.spot_id, p.id;
end;

comment on function private.due_patterns is
  'For each spot of an approved resident, one pattern that has days to publish, or that was published in another time zone.';
grant execute on function private.due_patterns to parking_api;
--! EndIncluded patterns/due_patterns.sql
--! Included patterns/extend_pattern.sql
/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
begin
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', extend_pattern.owner_id)::text, true
  );
  perform private.lock_own_spots();
  -- Said again, it is published as far as it is to be by now.
  update parking.patterns p set weekdays = p.weekdays where p.id = extend_pattern.id;
  return (
    select count(*)
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.source_id is not null
     where p.id = extend_pattern.id
       and a.created_at >= now()::timestamptz(3)
  );
end;
$$;

comment on function private.extend_pattern is
  'Publishes what is due of the spot of a pattern, as its owner, and returns the number of windows.';
grant execute on function private.extend_pattern to parking_api;
--! EndIncluded patterns/extend_pattern.sql
--! Included patterns/note_published.sql
create or replace function private.note_published(spot_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- residents may not write what is published, and limits are read past the policies
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_until constant date := v_today + v_building.pattern_days - 1;
  v_horizon constant timestamptz := private.days_after(
    clock_timestamp(), (private.limits_of(note_published.spot_id)).horizon_days
  );
begin
  update parking.patterns p
     set published_until = n.until,
         time_zone = v_building.time_zone
    from (
      select o.id, greatest(o.published_until, coalesce(min(t.day) - 1, v_until)) as until
        from parking.patterns o
        left join private.pattern_spans(
          o.weekdays, o.starts_at, o.ends_at,
          greatest(o.first_day, v_today), least(o.last_day, v_until), v_building.time_zone
        ) t on t.end_time > v_horizon
       where o.spot_id = note_published.spot_id
         and o.owner_id = (select private.caller_id())
       group by o.id
    ) n
   where p.id = n.id
     and (p.published_until, p.time_zone) is distinct from (n.until, v_building.time_zone);
end;
$$;

comment on function private.note_published is
  'Notes until which day the patterns of a spot of the caller are published (as far ahead as the building has it, and its horizon allows), and in which time zone.';
grant execute on function private.note_published to parking_api;
--! EndIncluded patterns/note_published.sql
--! Included patterns/outcomes_of_pattern.sql
/*
 * A window that stays because it is claimed, or has begun, is in the way of what the pattern says now. What is
 * missing is tried once more: the rule that refuses it says why.
 */
create or replace function private.outcomes_of_pattern(id uuid, language text)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    reason text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_pattern parking.patterns;
  v_begun constant timestamptz := private.next_minute();
  v_kept tstzmultirange;
begin
  select p.* into v_pattern from parking.patterns p where p.id = outcomes_of_pattern.id;
  v_kept := private.kept_times(v_pattern.spot_id, 'infinity');

  return query
    with days as materialized (
      select t.day,
             t.start_time,
             t.end_time,
             tstzmultirange(tstzrange(t.start_time, t.end_time)) - v_pattern.withdrawn as said,
             w.*
        from private.pattern_spans(
          v_pattern.weekdays, v_pattern.starts_at, v_pattern.ends_at,
          greatest(v_pattern.first_day, v_today),
          least(v_pattern.last_day, v_today + v_building.pattern_days - 1),
          v_building.time_zone
        ) t
       cross join lateral (
         select coalesce(range_agg(a.during), '{}') as there,
                coalesce(range_agg(a.during) filter (where a.source_id = v_pattern.id), '{}') as own,
                coalesce(
                  range_agg(a.during) filter (
                    where a.source_id = v_pattern.id
                      and a.start_time > clock_timestamp()
                      and not private.is_held(a.id)
                  ),
                  '{}'
                ) as published
           from parking.availabilities a
          where a.spot_id = v_pattern.spot_id
            and a.start_time < t.end_time
            and a.end_time > t.start_time
       ) w
    ),
    parts (day, span, outcome, rule) as materialized (
      select d.day, unnest(d.said * d.published - v_kept), 'published', null
        from days d
      union all
      select d.day, unnest(d.said * d.published * v_kept), 'kept', null
        from days d
      union all
      select d.day, unnest(d.said * (d.own - d.published)), 'overlaps', null
        from days d
      union all
      select d.day, unnest(d.said * (d.there - d.own)), 'overlaps', 'availabilities_do_not_overlap'
        from days d
      union all
      select m.day,
             m.span,
             'refused',
             coalesce(
               private.publish(s, array[v_pattern.id], array[v_pattern.id], array[m.span]),
               -- Not of the table: nobody could claim it.
               case when lower(m.span) > v_begun then 'claims_no_shorter_than_allowed'
                    else 'availabilities_start_in_future' end
             )
        from (select d.day, unnest(d.said - d.there) from days d) m (day, span)
        join parking.spots s on s.id = v_pattern.spot_id
      union all
      select d.day, tstzrange(d.start_time, d.start_time, '[]'), 'refused', 'availabilities_start_before_end'
        from days d
       where d.start_time = d.end_time -- a change of the clock leaves no time
    )
    select p.day,
           lower(p.span),
           upper(p.span),
           p.outcome,
           (
             select coalesce(r.translations ->> outcomes_of_pattern.language, r.message)
               from private.rules r
              where r.name = p.rule
                and r."table" in ('availabilities', 'claims')
           )
      from parts p
     order by p.day, p.span;
end;
$$;

comment on function private.outcomes_of_pattern is
  'What became of each window of a pattern of the caller: published, kept (by an exception), overlaps (another window) or refused (by a rule).';
grant execute on function private.outcomes_of_pattern to parking_api;
--! EndIncluded patterns/outcomes_of_pattern.sql
--! Included patterns/preview_pattern.sql
/* It does what POST or PUT does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null,
    pattern_id uuid default null,
    language text default 'en'
)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    reason text
  )
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  begin
    if preview_pattern.pattern_id is null then
      v_pattern := private.insert_pattern(
        preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
        preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
      );
    else
      perform private.lock_own_spots();
      perform private.require_approved();
      update parking.patterns p
         set weekdays = preview_pattern.weekdays,
             starts_at = preview_pattern.starts_at,
             ends_at = preview_pattern.ends_at,
             first_day = preview_pattern.first_day,
             last_day = nullif(preview_pattern.last_day, 'infinity')
       where p.id = preview_pattern.pattern_id
         and p.spot_id = preview_pattern.spot_id
      returning p.* into v_pattern;
      if v_pattern.id is null then
        perform private.refuse_absent('patterns');
      end if;
    end if;

    return query select * from private.outcomes_of_pattern(v_pattern.id, preview_pattern.language);

    raise sqlstate 'PT001'; -- takes all of it back, but for the rows that are returned
  exception
    when sqlstate 'PT001' then -- PT000 would be all refusals too
      null;
  end;
end;
$$;

comment on function api.preview_pattern is
  'What a new or changed pattern would publish in the next weeks, and what not and why; nothing is changed';
grant execute on function api.preview_pattern to parking_api;
--! EndIncluded patterns/preview_pattern.sql
--! Included patterns/update_pattern.sql
create or replace function api.update_pattern(
    id uuid,
    weekdays text[] default null,
    starts_at text default null,
    ends_at text default null,
    first_day date default null,
    last_day date default null
)
  returns parking.patterns
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.patterns;
  v_after parking.patterns;
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  select p.* into v_before from parking.patterns p where p.id = update_pattern.id;
  if not found then
    perform private.refuse_absent('patterns');
  end if;

  -- Null leaves a field as it is; infinity clears the last day.
  v_after := v_before;
  v_after.weekdays := coalesce(update_pattern.weekdays, v_before.weekdays);
  v_after.starts_at := coalesce(update_pattern.starts_at, v_before.starts_at);
  v_after.ends_at := coalesce(update_pattern.ends_at, v_before.ends_at);
  v_after.first_day := coalesce(update_pattern.first_day, v_before.first_day);
  v_after.last_day := nullif(coalesce(update_pattern.last_day, v_before.last_day), 'infinity');

  update parking.patterns p
     set weekdays = v_after.weekdays,
         starts_at = v_after.starts_at,
         ends_at = v_after.ends_at,
         first_day = v_after.first_day,
         last_day = v_after.last_day
   where p.id = v_before.id;
  select p.* into v_after from parking.patterns p where p.id = v_before.id; -- as it is published

  return v_after;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
--! EndIncluded patterns/update_pattern.sql
--! Included patterns/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.patterns;
create policy approved_account_required on parking.patterns
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.patterns is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded patterns/rules/approved_account_required.sql
--! Included patterns/rules/patterns_change_10000_windows_a_day_at_most.sql
create or replace trigger patterns_change_10000_windows_a_day_at_most
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_changed_windows('10000');

comment on trigger patterns_change_10000_windows_a_day_at_most on parking.patterns is
  E'@status 409\n@de Ihre wöchentlichen Zeiten haben sich heute 10000-mal geändert. Versuchen Sie es morgen wieder.\nYour patterns have changed 10000 windows today: try again tomorrow';
--! EndIncluded patterns/rules/patterns_change_10000_windows_a_day_at_most.sql
--! Included patterns/rules/patterns_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists patterns_created_by_spot_owner on parking.patterns;
create policy patterns_created_by_spot_owner on parking.patterns
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy patterns_created_by_spot_owner on parking.patterns is
  E'@de Sie können nur Ihre eigenen Stellplätze teilen.\nYou can only create patterns for your own spots';
--! EndIncluded patterns/rules/patterns_created_by_spot_owner.sql
--! Included patterns/rules/patterns_days_are_calendar_dates.sql
alter table parking.patterns
  drop constraint if exists patterns_days_are_calendar_dates,
  add constraint patterns_days_are_calendar_dates
    check (
      first_day >= '0001-01-01'
      and greatest(first_day, last_day) < '10000-01-01'
    );

comment on constraint patterns_days_are_calendar_dates on parking.patterns is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nfirst_day and last_day must lie in the years 1 to 9999';
--! EndIncluded patterns/rules/patterns_days_are_calendar_dates.sql
--! Included patterns/rules/patterns_first_day_before_last.sql
alter table parking.patterns
  drop constraint if exists patterns_first_day_before_last,
  add constraint patterns_first_day_before_last
    check (first_day <= last_day);

comment on constraint patterns_first_day_before_last on parking.patterns is
  E'@field last_day\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nlast_day must not be before first_day';
--! EndIncluded patterns/rules/patterns_first_day_before_last.sql
--! Included patterns/rules/patterns_no_more_than_200.sql
create or replace trigger patterns_no_more_than_200
  after insert on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few('200', 'owner_id');

comment on trigger patterns_no_more_than_200 on parking.patterns is
  E'@status 409\n@de Sie teilen 200-mal jede Woche, so oft wie eine Person darf.\nYou have 200 patterns, as many as a resident may have';
--! EndIncluded patterns/rules/patterns_no_more_than_200.sql
--! Included patterns/rules/patterns_of_a_spot.sql
alter table parking.patterns
  drop constraint if exists patterns_of_a_spot,
  add constraint patterns_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint patterns_of_a_spot on parking.patterns is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded patterns/rules/patterns_of_a_spot.sql
--! Included patterns/rules/patterns_times_are_of_a_day.sql
alter table parking.patterns
  drop constraint if exists patterns_times_are_of_a_day,
  add constraint patterns_times_are_of_a_day
    check (
      starts_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
      and ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    );

comment on constraint patterns_times_are_of_a_day on parking.patterns is
  E'@de Die Uhrzeiten müssen zwischen 00:00 und 23:59 liegen.\nstarts_at and ends_at must be times from 00:00 to 23:59';
--! EndIncluded patterns/rules/patterns_times_are_of_a_day.sql
--! Included patterns/rules/patterns_weekdays_are_known.sql
alter table parking.patterns
  drop constraint if exists patterns_weekdays_are_known,
  add constraint patterns_weekdays_are_known
    check (private.are_weekdays(weekdays));

comment on constraint patterns_weekdays_are_known on parking.patterns is
  E'@field weekdays\n@de Wählen Sie einen oder mehrere Wochentage.\nweekdays must be one or more different days of MO, TU, WE, TH, FR, SA and SU';
--! EndIncluded patterns/rules/patterns_weekdays_are_known.sql
--! Included patterns/rules/patterns_weekdays_fall_within_days.sql
-- Not a check: an older pattern that publishes nothing may stay.
create or replace trigger patterns_weekdays_fall_within_days
  before insert or update of weekdays, first_day, last_day on parking.patterns
  for each row
  when (
    private.are_weekdays(new.weekdays)
    and not private.fall_within(new.weekdays, new.first_day, new.last_day)
  )
  execute function private.enforce_rule();

comment on trigger patterns_weekdays_fall_within_days on parking.patterns is
  E'@field weekdays\n@de Keiner dieser Wochentage liegt zwischen dem ersten und dem letzten Tag.\nNone of the weekdays falls between first_day and last_day';
--! EndIncluded patterns/rules/patterns_weekdays_fall_within_days.sql
--! Included patterns/rules/patterns_withdrawn_times_are_calendar_dates.sql
alter table parking.patterns
  drop constraint if exists patterns_withdrawn_times_are_calendar_dates,
  add constraint patterns_withdrawn_times_are_calendar_dates
    check (withdrawn <@ '{["0001-01-01 00:00:00+00","10000-01-01 00:00:00+00")}'::tstzmultirange);

comment on constraint patterns_withdrawn_times_are_calendar_dates on parking.patterns is
  'What is withdrawn must lie in the years 1 to 9999';
--! EndIncluded patterns/rules/patterns_withdrawn_times_are_calendar_dates.sql
--! Included exceptions/create_exception.sql
create or replace function api.create_exception(
    start_time timestamptz,
    end_time timestamptz,
    kind text,
    spot_id uuid default null
)
  returns parking.exceptions
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
begin
  perform private.lock_own_spots(create_exception.spot_id);
  perform private.require_approved();

  insert into parking.exceptions (spot_id, owner_id, start_time, end_time, kind)
  select s.id,
         s.owner_id,
         create_exception.start_time,
         create_exception.end_time,
         create_exception.kind
    from (
      select s.id, s.owner_id from parking.spots s where s.id = create_exception.spot_id
      union all
      select null, (select private.caller_id()) where create_exception.spot_id is null
    ) s
  returning * into v_exception;

  if v_exception.id is null then
    perform private.refuse('exceptions_of_a_spot', '23503');
  end if;

  if v_exception.kind = 'share' then
    perform private.require_shared(v_exception);
  end if;

  perform set_config('request.exception', v_exception.id::text, true); -- for api.claims_in_exception
  return v_exception;
end;
$$;

comment on function api.create_exception is
  'Say that you need your spots, or are away: what is free is withdrawn, or shared';
grant execute on function api.create_exception to parking_api;
--! EndIncluded exceptions/create_exception.sql
--! Included exceptions/delete_exception.sql
create or replace function api.delete_exception(
    id uuid,
    out message text,
    out deleted_exception_id uuid
)
  language plpgsql
  volatile
  security invoker -- what is published again is published as by its owner, so every rule binds
  set search_path = ''
as $$
begin
  perform private.lock_spots_of_exception(delete_exception.id);
  perform private.require_approved();

  delete from parking.exceptions e
   where e.id = delete_exception.id;

  if not found then
    perform private.refuse_absent('exceptions');
  end if;

  message := 'Exception deleted successfully';
  deleted_exception_id := delete_exception.id;
end;
$$;

comment on function api.delete_exception is
  'Delete an exception: what it kept is on offer again, what it shared is not, but for what is claimed';
grant execute on function api.delete_exception to parking_api;
--! EndIncluded exceptions/delete_exception.sql
--! Included exceptions/enforce_few_windows.sql
create or replace function private.enforce_few_windows()
  returns trigger
  language plpgsql
  security definer -- reads the limits past the policies
  set search_path = ''
as $$
begin
  if (
    select sum(
             case new.kind
               when 'keep' then (
                 select count(*)
                   from parking.availabilities a
                  where a.spot_id = s.id
                    and a.start_time < new.end_time
                    and a.end_time > greatest(new.start_time, clock_timestamp())
               )
               else ceil(
                 extract(epoch from new.end_time - new.start_time)
                 / (86400 * coalesce((private.limits_of(s.id)).longest_window_days, 1000))
               )
             end
           )
      from parking.spots s
     where s.owner_id = new.owner_id
       and s.retired_at is null
       and s.id = coalesce(new.spot_id, s.id)
  ) > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_windows is
  'Trigger function: refuses an exception that changes more windows than the argument says.';
--! EndIncluded exceptions/enforce_few_windows.sql
--! Included exceptions/require_shared.sql
/* A pattern publishes what the rules allow, week by week. Who is away hears at once of a rule that is in the way. */
create or replace function private.require_shared(shared parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- as the owner, whom the limits bind
  set search_path = ''
as $$
begin
  insert into parking.availabilities (spot_id, owner_id, start_time, end_time, source_id)
  select s.id, s.owner_id, lower(p.piece), upper(p.piece), (shared).id
    from parking.spots s
   cross join lateral unnest(
     tstzmultirange(tstzrange((shared).start_time, (shared).end_time) * tstzrange(private.next_minute(), null))
     - coalesce(
         (
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < (shared).end_time
              and a.end_time > (shared).start_time
         ),
         '{}'
       )
   ) gap
   cross join lateral private.pieces_of(gap, private.limits_of(s.id)) p (piece)
   where s.owner_id = (shared).owner_id
     and s.retired_at is null
     and s.id = coalesce((shared).spot_id, s.id)
   order by s.id, p.piece
   limit 1; -- the first that is missing: its rule refuses it
end;
$$;

comment on function private.require_shared is
  'Refuses an exception of kind share of which a rule does not let all be published.';
grant execute on function private.require_shared to parking_api;
--! EndIncluded exceptions/require_shared.sql
--! Included exceptions/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.exceptions;
create policy approved_account_required on parking.exceptions
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.exceptions is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded exceptions/rules/approved_account_required.sql
--! Included exceptions/rules/exceptions_change_1000_windows_at_most.sql
create or replace trigger exceptions_change_1000_windows_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_windows('1000');

comment on trigger exceptions_change_1000_windows_at_most on parking.exceptions is
  E'@status 409\n@de Das ändert mehr als 1000 geteilte Zeiten auf einmal. Wählen Sie einen kürzeren Zeitraum oder einen Stellplatz.\nThe exception would change more than 1000 windows: choose a shorter time or one spot';
--! EndIncluded exceptions/rules/exceptions_change_1000_windows_at_most.sql
--! Included exceptions/rules/exceptions_change_5000_windows_a_day_at_most.sql
create or replace trigger exceptions_change_5000_windows_a_day_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_changed_windows('5000');

comment on trigger exceptions_change_5000_windows_a_day_at_most on parking.exceptions is
  E'@status 409\n@de So haben sich heute schon 5000 geteilte Zeiten geändert. Versuchen Sie es morgen wieder.\nYour exceptions have changed 5000 windows today: try again tomorrow';
--! EndIncluded exceptions/rules/exceptions_change_5000_windows_a_day_at_most.sql
--! Included exceptions/rules/exceptions_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists exceptions_created_by_spot_owner on parking.exceptions;
create policy exceptions_created_by_spot_owner on parking.exceptions
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy exceptions_created_by_spot_owner on parking.exceptions is
  E'@de Das geht nur für Ihre eigenen Stellplätze.\nYou can only make exceptions for your own spots';
--! EndIncluded exceptions/rules/exceptions_created_by_spot_owner.sql
--! Included exceptions/rules/exceptions_end_in_future.sql
create or replace trigger exceptions_end_in_future
  after insert on parking.exceptions
  for each row
  when (new.end_time <= clock_timestamp())
  execute function private.enforce_rule();

comment on trigger exceptions_end_in_future on parking.exceptions is
  E'@field end_time\n@de Das Ende muss in der Zukunft liegen.\nend_time must be in the future';
--! EndIncluded exceptions/rules/exceptions_end_in_future.sql
--! Included exceptions/rules/exceptions_fifty_at_most.sql
-- Each may change a thousand windows, and every window that a plan publishes looks at all of them.
create or replace trigger exceptions_fifty_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few('50', 'owner_id', 'end_time > clock_timestamp()', 'profile');

comment on trigger exceptions_fifty_at_most on parking.exceptions is
  E'@status 409\n@de Sie haben 50 Zeiten, zu denen Sie einen Stellplatz brauchen oder weg sind. Machen Sie erst eine rückgängig.\nYou have 50 exceptions that have not ended: delete one first';
--! EndIncluded exceptions/rules/exceptions_fifty_at_most.sql
--! Included exceptions/rules/exceptions_kind_is_known.sql
alter table parking.exceptions
  drop constraint if exists exceptions_kind_is_known,
  add constraint exceptions_kind_is_known
    check (kind in ('keep', 'share'));

comment on constraint exceptions_kind_is_known on parking.exceptions is
  E'@field kind\n@de Sagen Sie, ob Sie den Stellplatz brauchen oder weg sind.\nkind must be keep or share';
--! EndIncluded exceptions/rules/exceptions_kind_is_known.sql
--! Included exceptions/rules/exceptions_last_a_year_at_most.sql
-- Where the building limits the length of windows, each day of a shared time may be a window of its own.
alter table parking.exceptions
  drop constraint if exists exceptions_last_a_year_at_most,
  add constraint exceptions_last_a_year_at_most
    check (end_time - start_time <= interval '366 days');

comment on constraint exceptions_last_a_year_at_most on parking.exceptions is
  E'@field end_time\n@de Das geht für höchstens 366 Tage.\nAn exception lasts 366 days at most';
--! EndIncluded exceptions/rules/exceptions_last_a_year_at_most.sql
--! Included exceptions/rules/exceptions_made_by_a_resident.sql
alter table parking.exceptions
  drop constraint if exists exceptions_made_by_a_resident,
  add constraint exceptions_made_by_a_resident
    foreign key (owner_id)
    references parking.profiles (id);

comment on constraint exceptions_made_by_a_resident on parking.exceptions is
  E'@status 403\n@de Ihr Konto ist nicht freigegeben.\nWho makes an exception must be a resident';
--! EndIncluded exceptions/rules/exceptions_made_by_a_resident.sql
--! Included exceptions/rules/exceptions_of_a_spot.sql
alter table parking.exceptions
  drop constraint if exists exceptions_of_a_spot,
  add constraint exceptions_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint exceptions_of_a_spot on parking.exceptions is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded exceptions/rules/exceptions_of_a_spot.sql
--! Included exceptions/rules/exceptions_start_before_end.sql
alter table parking.exceptions
  drop constraint if exists exceptions_start_before_end,
  add constraint exceptions_start_before_end
    check (start_time < end_time);

comment on constraint exceptions_start_before_end on parking.exceptions is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
--! EndIncluded exceptions/rules/exceptions_start_before_end.sql
--! Included exceptions/rules/exceptions_times_are_calendar_dates.sql
alter table parking.exceptions
  drop constraint if exists exceptions_times_are_calendar_dates,
  add constraint exceptions_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint exceptions_times_are_calendar_dates on parking.exceptions is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nstart_time and end_time must lie in the years 1 to 9999';
--! EndIncluded exceptions/rules/exceptions_times_are_calendar_dates.sql
--! Included exceptions/rules/exceptions_withdrawn_times_are_calendar_dates.sql
alter table parking.exceptions
  drop constraint if exists exceptions_withdrawn_times_are_calendar_dates,
  add constraint exceptions_withdrawn_times_are_calendar_dates
    check (withdrawn <@ '{["0001-01-01 00:00:00+00","10000-01-01 00:00:00+00")}'::tstzmultirange);

comment on constraint exceptions_withdrawn_times_are_calendar_dates on parking.exceptions is
  'What is withdrawn must lie in the years 1 to 9999';
--! EndIncluded exceptions/rules/exceptions_withdrawn_times_are_calendar_dates.sql
--! Included notifications/notification_message.sql
/* Every text of a notification. It is made anew where what it repeats has been erased. */
create or replace function private.notification_message(
    recipient_id uuid,
    kind text,
    spot parking.spots,
    start_time timestamptz,
    end_time timestamptz,
    reason text
)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_is_owner constant boolean := recipient_id = spot.owner_id;
  v_span constant text := private.readable_span(start_time, end_time);
begin
  return concat_ws('. Reason: ', case
    when kind = 'profile.approved' then 'Your account was approved'
    when kind = 'profile.rejected' then 'Your account was not approved'
    when kind = 'profiles.waiting' then 'Somebody waits for approval'
    when kind = 'webhook.disabled' then 'A webhook was turned off, because its deliveries failed'
    when kind = 'spot.verified' then format('Your parking spot %s was verified', spot.spot_number)
    when kind = 'spot.deleted' and v_is_owner
      then format('Your parking spot %s was deleted', spot.spot_number)
    when kind = 'spot.deleted' and start_time is not null
      then format('Parking spot %s, which you waited for %s, was deleted', spot.spot_number, v_span)
    when kind = 'spot.deleted'
      then format('Parking spot %s, which you had claimed, was deleted', spot.spot_number)
    when kind = 'availability.deleted'
      then format('Your window of parking spot %s %s was deleted', spot.spot_number, v_span)
    when kind = 'report.submitted' and v_is_owner
      then format('A stranger''s car was reported on your parking spot %s', spot.spot_number)
    when kind = 'report.submitted'
      then format('A stranger''s car was reported on parking spot %s', spot.spot_number)
    when kind = 'wish.fits'
      then format('Parking spot %s is free %s, as you wished', spot.spot_number, v_span)
    else format(
      '%s parking spot %s %s was %s',
      case when v_is_owner then 'The claim of your' else 'Your claim of' end,
      spot.spot_number,
      v_span,
      split_part(kind, '.', 2)
    )
  end, reason);
end;
$$;

comment on function private.notification_message is
  'What a notification of this kind says to the recipient: what happened, in a sentence, and the reason if there is one.';
--! EndIncluded notifications/notification_message.sql
--! Included notifications/notify_of_availability_deletion.sql
/* Notifies the owner of a window that an administrator removed. */
create or replace function private.notify_of_availability_deletion()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  -- The deletion of a spot has its own notification.
  perform private.notify(
    d.owner_id,
    'availability.deleted',
    s,
    availability_id => d.id,
    start_time => d.start_time,
    end_time => d.end_time
  )
     from deleted d
     join parking.spots s on s.id = d.spot_id and s.retired_at is null;
  return null;
end;
$$;

comment on function private.notify_of_availability_deletion is
  'Trigger function: notifies the owner of windows that another person deleted.';

create or replace trigger notify_of_deletion
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.notify_of_availability_deletion();
--! EndIncluded notifications/notify_of_availability_deletion.sql
--! Included notifications/notify_of_claim.sql
/* Notifies the owner of a spot of changes of a claim on it, and the claimer of what others do to it. */
create or replace function private.notify_of_claim()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the caller
  set search_path = ''
as $$
declare
  v_claim constant parking.claims := case tg_op when 'DELETE' then old else new end;
  v_kind constant text := case
    when tg_op = 'INSERT' then 'claim.submitted'
    when tg_op = 'DELETE' then 'claim.deleted'
    when new.status is distinct from old.status then 'claim.' || new.status
  end;
  v_spot parking.spots;
  v_recipient_id uuid;
begin
  if v_kind is null then
    return null;
  end if;

  if v_kind in ('claim.cancelled', 'claim.deleted') then
    update parking.notifications n
       set resolved_at = now()
     where n.claim_id = v_claim.id
       and n.resolved_at is null;
  end if;

  -- The deletion of a spot has its own notification.
  select s.* into v_spot
    from parking.spots s
   where s.id = v_claim.spot_id
     and s.retired_at is null;

  if not found then
    return null;
  end if;

  foreach v_recipient_id in array case
    when v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled'
      then array[v_claim.owner_id, v_claim.claimer_id]
    else array[v_claim.owner_id]
  end loop
    perform private.notify(
      v_recipient_id,
      v_kind,
      v_spot,
      v_claim.availability_id,
      v_claim.id,
      v_claim.start_time,
      v_claim.end_time
    );
  end loop;
  return null;
end;
$$;

comment on function private.notify_of_claim is
  'Trigger function: notifies the owner that a claim was submitted, completed, cancelled or deleted, and the claimer that it was cancelled or deleted; these two resolve the earlier notifications about it.';

create or replace trigger notify_of_claim
  after insert or delete on parking.claims
  for each row
  execute function private.notify_of_claim();

create or replace trigger notify_of_closed
  after update of status on parking.claims
  for each row
  -- Not of what private.erase_person and private.retire_spot complete, which has ended.
  when (new.status <> 'completed' or row_security_active('parking.claims'))
  execute function private.notify_of_claim();
--! EndIncluded notifications/notify_of_claim.sql
--! Included notifications/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.notifications;
create policy approved_account_required on parking.notifications
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.notifications is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded notifications/rules/approved_account_required.sql
--! Included jobs/prune.sql
/*
 * Forgets what the building keeps no longer, at most so many rows of each table, so that nobody waits for
 * it. What happened to people and spots stays: it is little, and reports and erasures read it.
 */
create or replace function private.prune(most integer default 10000)
  returns integer
  language plpgsql
  volatile
  security definer -- the API role deletes none of it
  set search_path = ''
as $$
declare
  c_far constant interval := interval '7 days';
  v_building constant parking.building := private.building();
  v_jobs integer;
  v_notifications integer;
  v_reports integer;
  v_wishes integer;
  v_events integer;
  v_kept_after bigint;
begin
  perform private.require_service();

  -- Deleted rows do not come back, so a clock that runs ahead must not delete. It may run ahead if nothing
  -- happened for a long time before now. Events of the last hour prove nothing: the same clock dated them.
  if now() - c_far > greatest(
    v_building.created_at,
    (select max(e.occurred_at) from only private.events e where e.occurred_at < now() - interval '1 hour')
  ) then
    return null;
  end if;

  -- First, as an erasure does before it changes events; and from here on it waits for no row.
  perform private.lock_events();
  perform private.drop_unsent_mails();

  delete from private.jobs j
   where j.id = any (array(
     select o.id
       from private.jobs o
      where o.ended_at < now() - make_interval(days => v_building.job_days)
      order by o.ended_at
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_jobs = row_count;

  delete from parking.notifications n
   where n.id = any (array(
     select o.id
       from parking.notifications o
      where o.created_at < now() - make_interval(days => v_building.notification_days)
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_notifications = row_count;

  delete from parking.spot_reports r
   where r.id = any (array(
     select o.id
       from parking.spot_reports o
      where o.created_at < now() - make_interval(days => v_building.notification_days)
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_reports = row_count;

  -- api.unmet_wishes reports as far back as the log goes.
  delete from parking.wishes w
   where w.id = any (array(
     select o.id
       from parking.wishes o
      where o.end_time < now() - make_interval(days => v_building.event_days)
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_wishes = row_count;

  perform set_config('parking.pruning', 'on', true); -- the exception of events_are_only_added
  with pruned as (
    delete from only private.events e
     where e.id = any (array(
       select o.id
         from only private.events o
        where o.occurred_at < now() - make_interval(days => v_building.event_days)
          and split_part(o.type, '.', 1) in ('availability', 'pattern', 'claim', 'report', 'notification')
          and not exists (
            select
              from private.jobs j
             where j.event_id = o.id
               and j.ended_at is null
          )
        order by o.occurred_at
        limit prune.most
     ))
    returning e.position
  )
  select count(*), max(p.position) into v_events, v_kept_after
    from pruned p;
  perform set_config('parking.pruning', 'off', true);

  update private.last_position l
     set kept_after = v_kept_after
   where l.kept_after < v_kept_after;

  return greatest(v_jobs, v_notifications, v_reports, v_wishes, v_events);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, notifications, reports of cars, wishes and events, and returns how many of the table with the most: as many as asked for where there may be more. Deletes nothing, and returns null, where nothing happened in the week before: the clock may run ahead.';
grant execute on function private.prune to parking_api;
--! EndIncluded jobs/prune.sql
--! Included wishes/know_freed.sql
create or replace function private.know_freed()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
declare
  v_before parking.claims[];
begin
  if tg_op = 'UPDATE' then
    v_before := array[old];
  else
    v_before := array(select d from deleted d);
  end if;

  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from unnest(v_before) c
    join private.fitting_windows f
      on f.availability_id = c.holds
     and f.wisher_id = c.claimer_id
     and f.during && c.takes
   where c.claimer_id = (select private.caller_id())
  on conflict do nothing;
  return null;
end;
$$;

comment on function private.know_freed is
  'Trigger function: notes that claimers know the windows that they free.';

-- Triggers run in the order of their names: after those that set what is free.
create or replace trigger note_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.held is not null
    and (new.held @> old.held) is not true
    and pg_relation_size('parking.wishes', 'main') > 0 -- somebody has waited
  )
  execute function private.know_freed();

create or replace trigger note_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  when (pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.know_freed();
--! EndIncluded wishes/know_freed.sql
--! Included wishes/know_windows.sql
create or replace function private.know_windows()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
begin
  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from private.fitting_windows f
   where f.wish_id = new.id;
  return null;
end;
$$;

comment on function private.know_windows is
  'Trigger function: notes the windows that who asks sees.';

create or replace trigger know_windows
  after insert on parking.wishes
  for each row
  execute function private.know_windows();
--! EndIncluded wishes/know_windows.sql
--! Included wishes/offer_to_waiting.sql
/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the building says
 * how many minutes each has, one after the other. Nobody is woken when their turn comes: from and until when it
 * is stands in the wish and in the notification from the beginning, and the rule claims_wait_for_offers reads the
 * clock. A wish has one offer at a time and one notification, of its own id: however many windows fit, and however
 * often they come and go, it is one message to read.
 */
create or replace function private.offer_to_waiting(offered parking.availabilities)
  returns integer
  language plpgsql
  volatile
  security invoker -- for private.tell_waiting: no grant to the API role
  set search_path = ''
as $$
declare
  c_most constant integer := 500; -- the others at the next call, behind these
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_spot parking.spots;
  v_told integer;
begin
  select s.* into v_spot from parking.spots s where s.id = offered.spot_id;

  with waiting as materialized (
    select w.*
      from private.waiting_for(offered) w
  ),
  -- After the turns of those to whom it was offered before.
  promised as (
    select greatest(v_now, max(w.offered_until)) as until
      from parking.wishes w
     where w.availability_id = offered.id
       and w.claim_id is null
       and w.offered_until > v_now
  ),
  line as (
    select f.id,
           f.start_time,
           p.until + (row_number() over by_asking - 1) * v_each as offered_from,
           p.until + row_number() over by_asking * v_each as offered_until
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
     cross join promised p
    window by_asking as (order by f.created_at, f.id)
  ),
  -- Not one that is being fulfilled or withdrawn, nor a person who is being erased: it waits for nobody.
  reached as materialized (
    select l.*
      from line l
      join parking.wishes w on w.id = l.id
      join parking.profiles p on p.id = w.wisher_id
     where v_each is null
        or l.offered_from < l.start_time - v_notice
           and (w.offered_until <= v_now or l.offered_from < w.offered_from) is not false
     order by w.created_at, w.id
     limit c_most
       for no key update of w skip locked
       for key share of p skip locked
  ),
  told as (
    update parking.wishes w
       set availability_id = offered.id,
           offered_from = r.offered_from,
           offered_until =
             least(r.offered_until, case when v_each is not null then r.start_time - v_notice end)
      from reached r
     where w.id = r.id
    returning w.*, old.availability_id as left_id, old.offered_from as left_from
  ),
  -- Whose turn at another window has not come may have it yet, if this one goes.
  left_for_this as (
    delete from private.known_windows k
     using told t
     where k.wish_id = t.id
       and k.availability_id = t.left_id
       and t.left_from > v_now
  ),
  -- Also by their other wishes.
  known as (
    insert into private.known_windows (wish_id, availability_id)
    select w.id, offered.id
      from waiting w
      join told t on t.wisher_id = w.wisher_id
    on conflict do nothing
  ),
  notified as (
    insert into parking.notifications
      (id, recipient_id, kind, message, data, availability_id, spot_id)
    select t.id,
           t.wisher_id,
           'wish.fits',
           concat_ws(
             '. Only you can claim it ',
             m.message,
             case when v_each is not null then private.readable_span(t.offered_from, t.offered_until) end
           ),
           private.notification_data(
             null, v_spot, offered.start_time, offered.end_time, null,
             case when v_each is not null then t.offered_from end, t.offered_until
           ),
           offered.id,
           v_spot.id
      from told t
     cross join (
       select private.notification_message(
         null, 'wish.fits', v_spot, offered.start_time, offered.end_time, null
       ) as message
       offset 0 -- one text for all
     ) m
    on conflict (id) do update
      set message = excluded.message,
          data = excluded.data,
          availability_id = excluded.availability_id,
          spot_id = excluded.spot_id,
          is_read = false,
          resolved_at = null,
          created_at = excluded.created_at
    returning id, recipient_id
  )
  insert into private.new_events (type, subject_id, actor_id, reason, data)
  select 'notification.created', n.id, null, null, jsonb_build_object('recipient_id', n.recipient_id)
    from notified n;
  get diagnostics v_told = row_count;
  return v_told;
end;
$$;

comment on function private.offer_to_waiting is
  'Offers a window to those who wait for it and have no offer that they can take now, and notifies them. Returns how many.';
--! EndIncluded wishes/offer_to_waiting.sql
--! Included wishes/resolve_wish.sql
/* The notification about a wish is obsolete once nobody waits any more. */
create or replace function private.resolve_wish()
  returns trigger
  language plpgsql
  security definer -- residents do not write resolved_at
  set search_path = ''
as $$
begin
  update parking.notifications n
     set resolved_at = now()
   where n.id = old.id
     and n.resolved_at is null;
  return null;
end;
$$;

comment on function private.resolve_wish is
  'Trigger function: resolves the notification about a wish that was fulfilled or withdrawn.';

-- Not once it has begun: what prunes wishes waits for no notification.
create or replace trigger resolve_wish
  after delete or update of claim_id on parking.wishes
  for each row
  when (old.availability_id is not null and old.start_time > now())
  execute function private.resolve_wish();
--! EndIncluded wishes/resolve_wish.sql
--! Included wishes/tell_waiting.sql
/*
 * What the job does, so that nobody who publishes or cancels waits while thousands are told. One call ends the
 * offers of what is not free any more, or offers one window: it is short, and touches one wish of a person, so
 * that it makes no deadlock with what they do meanwhile. The job calls it until nothing is left.
 */
create or replace function private.tell_waiting()
  returns integer
  language plpgsql
  volatile
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  v_window parking.availabilities;
  v_told integer := 0;
begin
  perform private.require_service();
  if pg_relation_size('parking.wishes', 'main') = 0
    or not pg_try_advisory_xact_lock(hashtextextended('parking.wishes', 0)) -- another process is at it
  then
    return 0;
  end if;

  delete from private.known_windows k
   where not exists (
     select
       from private.fitting_windows f
      where f.wish_id = k.wish_id
        and f.availability_id = k.availability_id
   );

  -- Who asked is then told of another.
  with gone as (
    select distinct on (w.wisher_id) w.id
      from parking.wishes w
     where w.claim_id is null
       and w.start_time > now()
       and w.availability_id is not null
       and not exists (
         select
           from private.fitting_windows f
          where f.wish_id = w.id
            and f.availability_id = w.availability_id
       )
     order by w.wisher_id, w.id
  ),
  ended as (
    update parking.wishes w
       set availability_id = null,
           offered_from = null,
           offered_until = null
     where w.id = any (array(
       select o.id
         from parking.wishes o
        where o.id in (select g.id from gone g)
          for no key update skip locked -- not one that is being fulfilled or withdrawn
     ))
    returning w.id
  ),
  resolved as (
    update parking.notifications n
       set resolved_at = now()
      from ended e
     where n.id = e.id
       and n.resolved_at is null
  )
  select count(*) into v_told from ended;

  if v_told = 0 then
    for v_window in
      select a.*
        from parking.availabilities a
       where a.id in (select x.offered_id from private.waiting_wishes x)
       order by a.free_since, a.id
    loop
      v_told := private.offer_to_waiting(v_window);
      exit when v_told > 0;
    end loop;
  end if;
  return v_told;
end;
$$;

comment on function private.tell_waiting is
  'Ends offers of what is not free any more, or tells those who wait of one window that became free. Returns how many wishes it changed; called until it returns 0.';
grant execute on function private.tell_waiting to parking_api;
--! EndIncluded wishes/tell_waiting.sql
--! Included wishes/waiting_for.sql
/*
 * Not those who may claim nothing of their time any more, for the notice that its section asks for; nor, where
 * it would be their turn, those who could not claim its beginning: they would only keep it from others. How many
 * claims they have, and how far ahead they may claim, is not asked: that changes by the hour.
 */
create or replace function private.waiting_for(offered parking.availabilities)
  returns setof parking.wishes
  language plpgsql
  stable
  security invoker -- for functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_has_turns constant boolean := (private.building()).offer_minutes is not null;
begin
  if offered.end_time - offered.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;
  return query
    select w.*
      from private.waiting_wishes x
      join parking.wishes w on w.id = x.id
     where x.offered_id = offered.id
       and w.end_time > clock_timestamp() + v_notice -- as private.enforce_claim_limit has it
       and (not v_has_turns or w.start_time > clock_timestamp() + v_notice);
end;
$$;

comment on function private.waiting_for is
  'The open wishes that fit a free window and are to be told of it.';
--! EndIncluded wishes/waiting_for.sql
--! Included wishes/waiting_wishes.sql
/*
 * Who has a turn at a window that still fits, or a message that they have not read, is told of no other; whose
 * turn is to come, of one that they can have earlier; who let theirs pass, of what became free since.
 */
create or replace view private.waiting_wishes
  with (security_invoker)
as
  select f.availability_id as offered_id, f.free_since, w.id, w.wisher_id
    from private.fitting_windows f
    join parking.wishes w on w.id = f.wish_id
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
   where not exists (
           select
             from private.known_windows k
            where k.wish_id = f.wish_id
              and k.availability_id = f.availability_id
         )
     and (
       not exists (
         select
           from private.fitting_windows o
          where o.wish_id = w.id
            and o.availability_id = w.availability_id
       )
       or w.offered_from > clock_timestamp()
       or w.updated_at <= f.free_since
         and case
           when w.offered_until is null then
             not exists (select from parking.notifications n where n.id = w.id and not n.is_read)
           else w.offered_until <= clock_timestamp()
         end
     );

comment on view private.waiting_wishes is
  'The open wishes, with each free window that fits them and of which the resident is to be told.';
comment on column private.waiting_wishes.offered_id is
  'The window.';
comment on column private.waiting_wishes.free_since is
  'When some of the window became free last.';
comment on column private.waiting_wishes.id is
  'The wish.';
comment on column private.waiting_wishes.wisher_id is
  'Who waits.';
--! EndIncluded wishes/waiting_wishes.sql
--! Included wishes/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.wishes;
create policy approved_account_required on parking.wishes
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.wishes is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded wishes/rules/approved_account_required.sql
--! Included wishes/rules/wishes_building_section_is_one_line.sql
alter table parking.wishes
  drop constraint if exists wishes_building_section_is_one_line,
  add constraint wishes_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint wishes_building_section_is_one_line on parking.wishes is
  E'@field building_section\n@de Der Bereich hat 1 bis 100 Zeichen in einer Zeile.\nbuilding_section must be 1 to 100 characters on one line';
--! EndIncluded wishes/rules/wishes_building_section_is_one_line.sql
--! Included wishes/rules/wishes_of_a_section_or_a_spot.sql
alter table parking.wishes
  drop constraint if exists wishes_of_a_section_or_a_spot,
  add constraint wishes_of_a_section_or_a_spot
    check (building_section is null or spot_id is null);

comment on constraint wishes_of_a_section_or_a_spot on parking.wishes is
  E'@field building_section\n@de Sie können auf einen Bereich oder auf einen Stellplatz warten, nicht auf beides.\nA wish is for a section or for a spot, not both';
--! EndIncluded wishes/rules/wishes_of_a_section_or_a_spot.sql
--! Included wishes/rules/wishes_of_a_spot.sql
alter table parking.wishes
  drop constraint if exists wishes_of_a_spot,
  add constraint wishes_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint wishes_of_a_spot on parking.wishes is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded wishes/rules/wishes_of_a_spot.sql
--! Included wishes/rules/wishes_start_before_end.sql
alter table parking.wishes
  drop constraint if exists wishes_start_before_end,
  add constraint wishes_start_before_end
    check (start_time < end_time);

comment on constraint wishes_start_before_end on parking.wishes is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
--! EndIncluded wishes/rules/wishes_start_before_end.sql
--! Included wishes/rules/wishes_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the order of the times come first.
drop trigger if exists wishes_start_in_future on parking.wishes;
create constraint trigger wishes_start_in_future
  after insert or update of start_time on parking.wishes
  for each row
  execute function private.enforce_start_in_future();

comment on trigger wishes_start_in_future on parking.wishes is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
--! EndIncluded wishes/rules/wishes_start_in_future.sql
--! Included wishes/rules/wishes_ten_open_at_most.sql
-- Somebody with a wish for every hour would be told of every window, and keep it from all others.
create or replace trigger wishes_ten_open_at_most
  before insert on parking.wishes
  for each row
  execute function private.enforce_few('10', 'wisher_id', 'claim_id is null and start_time > clock_timestamp()', 'profile');

comment on trigger wishes_ten_open_at_most on parking.wishes is
  E'@status 409\n@de Sie warten schon auf zehn Zeiten. Warten Sie erst auf eine davon nicht mehr.\nYou wait for ten times already; withdraw one of these wishes first';
--! EndIncluded wishes/rules/wishes_ten_open_at_most.sql
--! Included wishes/rules/wishes_times_are_calendar_dates.sql
alter table parking.wishes
  drop constraint if exists wishes_times_are_calendar_dates,
  add constraint wishes_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint wishes_times_are_calendar_dates on parking.wishes is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nstart_time and end_time must lie in the years 1 to 9999';
--! EndIncluded wishes/rules/wishes_times_are_calendar_dates.sql
--! Included spot_reports/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spot_reports;
create policy approved_account_required on parking.spot_reports
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spot_reports is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded spot_reports/rules/approved_account_required.sql
--! Included spot_reports/rules/spot_reports_by_a_resident.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_by_a_resident,
  add constraint spot_reports_by_a_resident
    foreign key (reporter_id)
    references parking.profiles (id);

comment on constraint spot_reports_by_a_resident on parking.spot_reports is
  E'@status 403\n@de Ihr Konto ist nicht freigegeben.\nWho reports a car must be a resident';
--! EndIncluded spot_reports/rules/spot_reports_by_a_resident.sql
--! Included spot_reports/rules/spot_reports_by_who_may_park.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_reports_by_who_may_park on parking.spot_reports;
create policy spot_reports_by_who_may_park on parking.spot_reports
  as restrictive
  for insert to parking_api
  with check (
    exists (
      select from parking.spots s
       where s.id = spot_reports.spot_id
         and s.owner_id = (select private.caller_id())
    )
    or exists (
      select from parking.claims c
       where c.spot_id = spot_reports.spot_id
         and c.claimer_id = (select private.caller_id())
         and c.start_time <= (select clock_timestamp())
         and c.end_time > (select clock_timestamp())
         and c.status = 'active'
    )
  );

comment on policy spot_reports_by_who_may_park on parking.spot_reports is
  E'@de Sie können nur ein Auto auf Ihrem eigenen Stellplatz melden, oder auf einem, den Sie gerade reserviert haben.\nYou can only report a car on your own spot, or on one that you have claimed now';
--! EndIncluded spot_reports/rules/spot_reports_by_who_may_park.sql
--! Included spot_reports/rules/spot_reports_five_a_day_at_most.sql
-- Each is a message to all administrators.
create or replace trigger spot_reports_five_a_day_at_most
  before insert on parking.spot_reports
  for each row
  execute function private.enforce_few(
    '5',
    'reporter_id',
    -- Not by a clock that ran ahead.
    'created_at > clock_timestamp() - interval ''1 day'' and created_at <= clock_timestamp()::timestamptz(3)',
    'profile'
  );

comment on trigger spot_reports_five_a_day_at_most on parking.spot_reports is
  E'@status 409\n@de Sie haben in 24 Stunden fünf Autos gemeldet. Wenden Sie sich an die Verwaltung.\nYou have reported five cars in 24 hours: ask an administrator';
--! EndIncluded spot_reports/rules/spot_reports_five_a_day_at_most.sql
--! Included spot_reports/rules/spot_reports_note_is_one_line.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_note_is_one_line,
  add constraint spot_reports_note_is_one_line
    check (private.is_one_line(note, 1, 300));

comment on constraint spot_reports_note_is_one_line on parking.spot_reports is
  E'@field note\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\nnote must be 1 to 300 characters on one line';
--! EndIncluded spot_reports/rules/spot_reports_note_is_one_line.sql
--! Included spot_reports/rules/spot_reports_of_a_spot.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_of_a_spot,
  add constraint spot_reports_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint spot_reports_of_a_spot on parking.spot_reports is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded spot_reports/rules/spot_reports_of_a_spot.sql
--! Included spot_reports/rules/spot_reports_to_a_resident.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_to_a_resident,
  add constraint spot_reports_to_a_resident
    foreign key (holder_id)
    references parking.profiles (id);

comment on constraint spot_reports_to_a_resident on parking.spot_reports is
  E'@status 404\n@de Diese Person gibt es nicht mehr.\nUser profile not found';
--! EndIncluded spot_reports/rules/spot_reports_to_a_resident.sql
--! Included spot_reports/rules/spot_reports_vehicle_is_a_plate.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_vehicle_is_a_plate,
  add constraint spot_reports_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint spot_reports_vehicle_is_a_plate on parking.spot_reports is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded spot_reports/rules/spot_reports_vehicle_is_a_plate.sql
--! Included webhooks/rules/administrator_required.sql
drop policy if exists administrator_required on parking.webhooks;
create policy administrator_required on parking.webhooks
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.webhooks is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded webhooks/rules/administrator_required.sql
--! Included webhooks/rules/webhooks_format_is_known.sql
alter table parking.webhooks
  drop constraint if exists webhooks_format_is_known,
  add constraint webhooks_format_is_known
    check (format in ('event', 'chat', 'teams'));

comment on constraint webhooks_format_is_known on parking.webhooks is
  E'@field format\n@de Wählen Sie Ereignisse oder Text als Format.\nformat must be event, chat or teams';
--! EndIncluded webhooks/rules/webhooks_format_is_known.sql
--! Included webhooks/rules/webhooks_twenty_at_most.sql
-- Each event is sent to each of them.
create or replace trigger webhooks_twenty_at_most
  before insert on parking.webhooks
  for each row
  execute function private.enforce_few('20');

comment on trigger webhooks_twenty_at_most on parking.webhooks is
  E'@status 409\n@de Es gibt zwanzig Webhooks, mehr können es nicht sein.\nA building has twenty webhooks at most; delete one first';
--! EndIncluded webhooks/rules/webhooks_twenty_at_most.sql
--! Included webhooks/rules/webhooks_types_are_known.sql
alter table parking.webhooks
  drop constraint if exists webhooks_types_are_known,
  add constraint webhooks_types_are_known
    check (private.are_webhook_types(types));

comment on constraint webhooks_types_are_known on parking.webhooks is
  E'@field types\n@de Wählen Sie eine oder mehrere Arten von Ereignissen, jede einmal.\ntypes must be one or more different types of events of which administrators see the subject';
--! EndIncluded webhooks/rules/webhooks_types_are_known.sql
--! Included webhooks/rules/webhooks_url_is_https.sql
-- A first look only: where a name leads is checked when something is sent (src/webhooks). In production
-- nothing is sent to this machine.
alter table parking.webhooks
  drop constraint if exists webhooks_url_is_https,
  add constraint webhooks_url_is_https
    check (
      url ~* '^https://[^/?#@\\\s]+([/?#][^\s]*)?$'
      or url ~* '^http://(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?([/?#][^\s]*)?$'
    );

comment on constraint webhooks_url_is_https on parking.webhooks is
  E'@field url\n@de Die Adresse muss mit https:// beginnen und darf weder Namen noch Passwort enthalten.\nurl must begin with https:// and have no name or password in it';
--! EndIncluded webhooks/rules/webhooks_url_is_https.sql
--! Included webhooks/rules/webhooks_url_is_one_line.sql
alter table parking.webhooks
  drop constraint if exists webhooks_url_is_one_line,
  add constraint webhooks_url_is_one_line
    check (private.is_one_line(url, 1, 2000));

comment on constraint webhooks_url_is_one_line on parking.webhooks is
  E'@field url\n@de Die Adresse hat 1 bis 2000 Zeichen in einer Zeile.\nurl must be 1 to 2000 characters on one line';
--! EndIncluded webhooks/rules/webhooks_url_is_one_line.sql
--! Included events/event_data.sql
/*
 * What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry
 * down to it, without what is there only where it has a value, and without a stranger's plate. Of data
 * that is so already, the same.
 */
create or replace function private.event_data(type text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case split_part(event_data.type, '.', 1)
    when 'profile' then
      case when subject ->> 'rejection_reason' is null then array['rejection_reason'] else '{}' end
    when 'report' then array['vehicle', 'note']
    when 'availability' then
      array['owner_id', 'during', 'source_id', 'offered', 'free_since', 'is_hidden']
        || case when jsonb_typeof(subject -> 'free') = 'array' then '{}' else array['free'] end
    when 'pattern' then array['owner_id', 'time_zone', 'withdrawn']
    when 'claim' then array['spot_id', 'owner_id', 'held', 'holds', 'takes', 'cancelled_by']
    when 'spot' then
      array['retired_at'] || case when subject ->> 'notes' is null then array['notes'] else '{}' end
    else '{}'
  end - case
    when subject ->> 'pattern_id' is not null then '{}'
    when coalesce(subject ->> 'guest', subject ->> 'vehicle') is null
      then array['pattern_id', 'guest', 'vehicle']
    when subject ->> 'guest' is null then array['guest']
    when subject ->> 'vehicle' is null then array['vehicle']
    else '{}'
  end
) || coalesce(
  (
    select jsonb_object_agg(t.name, private.iso8601((subject ->> t.name)::timestamptz))
      from unnest(array['start_time', 'end_time', 'created_at', 'updated_at']) t (name)
     where subject ? t.name
  ),
  '{}'
);

comment on function private.event_data is
  'A row as the event log keeps it: as clients see it.';
--! EndIncluded events/event_data.sql
--! Included events/is_event_type.sql
/* A function, because each INSERT reads the expression of a check anew, and a list word by word: a fiftieth of a claim. */
create or replace function private.is_event_type(type text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return type in (
    'profile.registered', 'profile.updated', 'profile.approved', 'profile.rejected', 'profile.erased',
    'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
    'availability.created', 'availability.updated', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'report.submitted', 'report.resolved',
    'building.updated', 'access.updated',
    'notification.created'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
grant execute on function private.is_event_type to parking_api;
--! EndIncluded events/is_event_type.sql
--! Included events/record_event.sql
/*
 * Every event of a row is written here. The triggers say which change is which event. The row is kept as
 * it is, which costs a claim nothing; what clients see of it is made of it when it gets its position.
 */
create or replace function private.record_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_type constant text := tg_argv[0];
begin
  if tg_level = 'ROW' then
    insert into private.new_events (type, subject_id, data)
    values (v_type, new.id, to_jsonb(new));
  else
    -- A spot may have thousands of windows and claims: all that go with it are logged in one statement.
    insert into private.new_events (type, subject_id, actor_id, reason, data)
    select v_type,
           d.id,
           (select private.caller_id()),
           (select private.reason()),
           to_jsonb(d)
      from deleted d;
  end if;
  return null;
end;
$$;

comment on function private.record_event is
  'Trigger function: logs the rows that were written or deleted, as events of the type that the trigger names.';
--! EndIncluded events/record_event.sql
--! Included events/views_of_event.sql
/*
 * Who may know of an event, and as what. This says for many people at once what the policies say for
 * one caller; test/rules/events-visibility.test.ts compares the two.
 */
create or replace function private.views_of_event(event private.events, suspended_owners uuid[])
  returns table (
    rank integer,
    type text,
    data jsonb,
    is_for_all boolean,
    is_for_administrators boolean,
    people uuid[]
  )
  language sql
  stable
  security invoker -- for private.read_events: no grant to the API role
  set search_path = ''
  rows 2
as $$
  select 1, event.type, event.data, true, true, '{}'::uuid[]
   where event.type like 'spot.%'
      or event.type like 'building.%'

  union all
  select 1, event.type, event.data, false, true, array[event.subject_id]
   where event.type like 'profile.%'

  union all
  -- For the owner, and for those who read the access notes (private.contacts).
  select 1, event.type, event.data, false, true,
         array[private.owner_of_spot(event.subject_id)]
           || array(
                select c.claimer_id
                  from parking.claims c
                 where c.spot_id = event.subject_id
                   and c.status = 'active'
                   and c.end_time > now()
              )
   where event.type like 'access.%'

  union all
  select 1, event.type, event.data, false, false,
         array[private.owner_of_spot((event.data ->> 'spot_id')::uuid)]
   where event.type like 'pattern.%'

  union all
  -- As the window is now: a claim of it is no event of the window.
  select 1, event.type, event.data,
         coalesce(a.is_claimed, (event.data ->> 'is_claimed')::boolean)
           or coalesce(a.owner_id, private.owner_of_spot((event.data ->> 'spot_id')::uuid))
                <> all (suspended_owners),
         true,
         '{}'::uuid[]
    from (select) one
    left join parking.availabilities a on a.id = event.subject_id
   where event.type like 'availability.%'
     and event.data -> 'free' is distinct from '[]'

  union all
  -- Of one that its owner alone sees by then, the others learn that it is gone.
  select 1,
         'availability.deleted',
         jsonb_build_object('id', event.data -> 'id', 'spot_id', event.data -> 'spot_id'),
         true,
         true,
         '{}'::uuid[]
   where event.type = 'availability.updated'
     and event.data -> 'free' = '[]'

  union all
  select 2, event.type, event.data, false, false,
         array[private.owner_of_spot((event.data ->> 'spot_id')::uuid)]
   where event.type like 'availability.%'
     and event.data -> 'free' = '[]'

  union all
  select 1, event.type, event.data, false, true,
         array[
           (event.data ->> 'claimer_id')::uuid,
           private.owner_of_window((event.data ->> 'availability_id')::uuid)
         ]
   where event.type like 'claim.%'

  union all
  select 1, event.type, event.data, false, true,
         array[(event.data ->> 'reporter_id')::uuid, (event.data ->> 'holder_id')::uuid]
   where event.type like 'report.%'

  union all
  -- Everybody learns whether the window is taken, also those who see the claim: they need not ask for it.
  select 2, 'availability.updated', private.event_data('availability', to_jsonb(a)),
         a.is_claimed or a.owner_id <> all (suspended_owners),
         true,
         '{}'::uuid[]
    from parking.availabilities a
   where (
       event.type in ('claim.submitted', 'claim.cancelled', 'claim.deleted')
       or event.type in ('claim.updated', 'claim.completed')
         and (select b.rest_stays_on_offer from parking.building b)
     )
     and a.id = (event.data ->> 'availability_id')::uuid
     and not a.is_hidden

  union all
  select 1, event.type,
         private.event_data('notification', to_jsonb(n))
           || jsonb_build_object('resolved_at', private.iso8601(n.resolved_at)),
         false, false, array[n.recipient_id]
    from parking.notifications n
   where event.type = 'notification.created'
     and n.id = event.subject_id
$$;

comment on function private.views_of_event is
  'What an event looks like, and to whom: approved residents all, the administrators among them, or these people. Each gets all that are for them.';
--! EndIncluded events/views_of_event.sql
--! Included events/events_of_availabilities.sql
/* Windows are created, moved and deleted, and more or less of them is offered. A claim of a window is an event of the claim. */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time, offered on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time, new.offered) is distinct from (old.start_time, old.end_time, old.offered)
  )
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted');
--! EndIncluded events/events_of_availabilities.sql
--! Included events/rules/events_reason_is_one_line.sql
alter table private.events
  drop constraint if exists events_reason_is_one_line,
  add constraint events_reason_is_one_line
    check (private.is_one_line(reason, 1, 300));

comment on constraint events_reason_is_one_line on private.events is
  E'@field reason\n@de Der Grund hat 1 bis 300 Zeichen in einer Zeile.\nreason must be 1 to 300 characters on one line';
--! EndIncluded events/rules/events_reason_is_one_line.sql
--! Included idempotency_keys/rules/idempotency_key_in_use.sql
/* The key itself is part of the table. private.take_idempotency_key refuses sooner, without waiting. */
comment on constraint idempotency_key_in_use on private.idempotency_keys is
  E'@de Das geschieht gerade. Sehen Sie gleich noch einmal nach.\nA request with this Idempotency-Key is still running';
--! EndIncluded idempotency_keys/rules/idempotency_key_in_use.sql
--! Included idempotency_keys/rules/idempotency_key_reused.sql
-- An answer that is kept stays what it is; private.take_idempotency_key refuses under the same name.
create or replace trigger idempotency_key_reused
  before update on private.idempotency_keys
  for each row
  when (old.fingerprint <> new.fingerprint)
  execute function private.enforce_rule();

comment on trigger idempotency_key_reused on private.idempotency_keys is
  E'@status 422\n@de Das wurde schon mit etwas anderem gesendet. Versuchen Sie es noch einmal.\nThis Idempotency-Key was used for another request';
--! EndIncluded idempotency_keys/rules/idempotency_key_reused.sql
--! Included idempotency_keys/rules/idempotency_keys_few_per_person.sql
-- As many as the default rate limit lets a person send in an hour.
create or replace trigger idempotency_keys_few_per_person
  after insert on private.idempotency_keys
  for each row
  execute function private.enforce_few_per_person('1000');

comment on trigger idempotency_keys_few_per_person on private.idempotency_keys is
  E'@status 409\n@de Sie haben an einem Tag sehr viel getan. Versuchen Sie es in ein paar Stunden wieder.\nYou have used 1000 Idempotency-Keys within 24 hours; try again later, or without one';
--! EndIncluded idempotency_keys/rules/idempotency_keys_few_per_person.sql
--! Included reports/offered_spans.sql
/* Indexes have all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
create or replace function private.offered_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.building_section, a.start_time, least(a.end_time, offered_spans.until)
    from parking.spots s
    join parking.availabilities a on a.spot_id = s.id
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.start_time >= offered_spans."from"
     and a.start_time < offered_spans.until
     and a.offered is null
  union all
  select s.building_section, offered_spans."from", least(o.end_time, offered_spans.until)
    from parking.spots s
   cross join lateral (
     select a.end_time, a.offered
       from parking.availabilities a
      where a.spot_id = s.id
        and a.start_time < offered_spans."from"
      order by a.start_time desc
      limit 1
   ) o
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and o.end_time > offered_spans."from"
     and o.offered is null
  union all
  -- The few of which only parts are offered.
  select s.building_section, lower(part), upper(part)
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   cross join lateral unnest(
     a.offered * tstzmultirange(tstzrange(offered_spans."from", offered_spans.until))
   ) part
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.offered is not null
     and a.start_time < offered_spans.until
     and a.end_time > offered_spans."from"
$$;

comment on function private.offered_spans is
  'What was offered in a period, of one section or of all: the windows, cut at its ends.';
grant execute on function private.offered_spans to parking_api;
--! EndIncluded reports/offered_spans.sql
--! Included reports/repeated_windows.sql
create or replace function private.repeated_windows("from" date, until date, step text)
  returns table (building_section text, first_day date, windows bigint)
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_custom_plan -- in which the bounds are a constant
as $$
declare
  v_until constant timestamptz := private.midnight(repeated_windows.until);
  v_days date[];
  v_bounds timestamptz[];
begin
  select array_agg(s.first_day order by s.first_day),
         array_agg(s.start_time order by s.first_day) || v_until
    into v_days, v_bounds
    from private.report_steps(repeated_windows."from", repeated_windows.until, repeated_windows.step) s;

  return query
    with windows as (
      select a.spot_id,
             lag(a.end_time) over (partition by a.spot_id order by a.start_time) as previous_end_time,
             width_bucket(a.start_time, v_bounds) as number
        from parking.availabilities a
       where a.start_time < v_until
         and a.offered is distinct from '{}'
    )
    select s.building_section, v_days[w.number], count(*)
      from windows w
      join parking.spots s on s.id = w.spot_id
     where w.previous_end_time > v_bounds[w.number]
     group by s.building_section, w.number;
end;
$$;

comment on function private.repeated_windows is
  'How many windows of each section begin in a step in which their spot was offered before. The period begins before all windows.';
--! EndIncluded reports/repeated_windows.sql
--! Included reports/spots_never_offered.sql
create or replace function api.spots_never_offered(
    "from" date,
    until date,
    section text default null
)
  returns table (
    id uuid,
    spot_number text,
    building_section text,
    owner_id uuid,
    is_verified boolean,
    last_offered timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(spots_never_offered."from", spots_never_offered.until);
  v_until constant timestamptz := private.midnight(spots_never_offered.until);
  v_rows bigint;
begin
  return query
    select s.id, s.spot_number, s.building_section, s.owner_id, s.is_verified, l.end_time
      from parking.spots s
      -- Windows of a spot do not overlap: the one that starts last before a moment ends last too.
      left join lateral (
        select a.end_time
          from parking.availabilities a
         where a.spot_id = s.id
           and a.start_time < v_until
           and a.offered is distinct from '{}'
         order by a.start_time desc
         limit 1
      ) l on true
     where (spots_never_offered.section is null or s.building_section = spots_never_offered.section)
       and s.created_at < v_until
       and s.retired_at is null
       and (l.end_time > v_from) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(spots_never_offered."from", spots_never_offered.until, v_rows)::private.reports;
end;
$$;

comment on function api.spots_never_offered is
  'The spots that nobody could claim for any part of the period';
grant execute on function api.spots_never_offered to parking_api;
--! EndIncluded reports/spots_never_offered.sql
--! Included reports/windows_never_claimed.sql
create or replace function api.windows_never_claimed(
    "from" date,
    until date,
    section text default null
)
  returns table (
    id uuid,
    spot_id uuid,
    spot_number text,
    building_section text,
    owner_id uuid,
    start_time timestamptz,
    end_time timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(windows_never_claimed."from", windows_never_claimed.until);
  v_until constant timestamptz := least(private.midnight(windows_never_claimed.until), now());
  v_rows bigint;
begin
  return query
    select a.id, a.spot_id, s.spot_number, s.building_section, a.owner_id,
           a.start_time::timestamptz, a.end_time::timestamptz
      from parking.availabilities a
      join parking.spots s on s.id = a.spot_id
     where a.end_time > v_from
       and a.end_time <= v_until
       and not a.is_claimed
       and a.offered is distinct from '{}'
       and not private.is_held(a.id) -- nor a part of it
       and (windows_never_claimed.section is null or s.building_section = windows_never_claimed.section)
     order by a.end_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(windows_never_claimed."from", windows_never_claimed.until, v_rows)::private.reports;
end;
$$;

comment on function api.windows_never_claimed is
  'The windows that ended in the period and of which nobody had claimed any part';
grant execute on function api.windows_never_claimed to parking_api;
--! EndIncluded reports/windows_never_claimed.sql
--! Included reports/views/availabilities.sql
/* Every window, with how early it was published and how long it lasts. */
create or replace view reporting.availabilities as
  select a.id,
         a.spot_id,
         s.spot_number,
         s.building_section,
         a.owner_id,
         a.is_claimed,
         a.start_time,
         a.end_time,
         a.created_at,
         private.hours(tstzrange(a.created_at, greatest(a.start_time, a.created_at))) as lead_hours,
         private.hours(a.during) as duration_hours,
         a.source_id is not null as is_from_plan
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where a.offered is distinct from '{}';

comment on view reporting.availabilities is
  'One row for each window that was not deleted or withdrawn.';
comment on column reporting.availabilities.id is
  'The window.';
comment on column reporting.availabilities.spot_id is
  'The spot that was offered.';
comment on column reporting.availabilities.spot_number is
  'The number on the ground.';
comment on column reporting.availabilities.building_section is
  'Section or location of the spot.';
comment on column reporting.availabilities.owner_id is
  'The owner of the spot; a key to count by, not a name.';
comment on column reporting.availabilities.is_claimed is
  'Whether claims leave nothing of what is offered.';
comment on column reporting.availabilities.start_time is
  'The first moment of the window.';
comment on column reporting.availabilities.end_time is
  'The first moment after the window.';
comment on column reporting.availabilities.created_at is
  'When it was published.';
comment on column reporting.availabilities.lead_hours is
  'How long before its start it was published.';
comment on column reporting.availabilities.duration_hours is
  'How long it lasts.';
comment on column reporting.availabilities.is_from_plan is
  'Whether a pattern or an absence of its owner published it.';
grant select on reporting.availabilities to parking_reporter;
--! EndIncluded reports/views/availabilities.sql
--! Included reports/rules/reports_end_after_they_begin.sql
alter domain private.reports drop constraint if exists reports_end_after_they_begin;
alter domain private.reports add constraint reports_end_after_they_begin
  check (((value).until > (value)."from") is true);

comment on constraint reports_end_after_they_begin on domain private.reports is
  E'@field until\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nuntil must be after from';
--! EndIncluded reports/rules/reports_end_after_they_begin.sql
--! Included reports/rules/reports_of_10000_rows_at_most.sql
-- A report is one answer, without pages: it must neither fill the memory of the service nor be cut off.
alter domain private.reports drop constraint if exists reports_of_10000_rows_at_most;
alter domain private.reports add constraint reports_of_10000_rows_at_most
  check ((value).number_of_rows <= 10000);

comment on constraint reports_of_10000_rows_at_most on domain private.reports is
  E'@de Das hat mehr als 10000 Zeilen. Wählen Sie einen kürzeren Zeitraum oder einen Bereich.\nThe report would have more than 10000 rows: choose a shorter period or one section';
--! EndIncluded reports/rules/reports_of_10000_rows_at_most.sql
--! Included reports/rules/reports_of_half_a_year_at_most.sql
-- The longest period keeps a report under a second.
alter domain private.reports drop constraint if exists reports_of_half_a_year_at_most;
alter domain private.reports add constraint reports_of_half_a_year_at_most
  check ((value).until - (value)."from" <= 184);

comment on constraint reports_of_half_a_year_at_most on domain private.reports is
  E'@field until\n@de Der Zeitraum kann höchstens 184 Tage lang sein.\nThe period of a report must not be longer than 184 days';
--! EndIncluded reports/rules/reports_of_half_a_year_at_most.sql
--! Included rights/check_rights.sql
/*
 * Policies decide by the snapshot of the statement, which may be older than the locks that it waited for: who
 * was suspended meanwhile would still act. So each table that people write asks again at the end of a statement.
 */
create or replace function private.check_rights()
  returns trigger
  language plpgsql
  volatile -- for a new snapshot
  set search_path = ''
as $$
begin
  if not row_security_active(tg_relid) then
    return null; -- binds people, not the owner of the table
  end if;

  -- With If-Match there is no new snapshot. But a lock fails where the profile has changed since, and the
  -- request is tried again. A change that is under way comes later: nobody waits for it here.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform from parking.profiles p where p.id = (select private.caller_id()) for share skip locked;
  end if;

  if tg_argv[0] = 'administrator' or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  elsif not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
  return null;
end;
$$;

comment on function private.check_rights is
  'Trigger function: refuses what a caller writes who is not approved any more or, with the argument administrator and where a reason is given, no administrator.';

-- The last of them, after all the waiting: triggers run in the order of their names.
create or replace trigger z_check_rights
  after insert or delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0) -- what private.reconcile writes in the name of the owner follows from that
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete or update on parking.calendar_feeds
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete or update on parking.claims
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete on parking.exceptions
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after update on parking.notifications
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete or update on parking.patterns
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or update on parking.spot_access
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert on parking.spot_reports
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete or update on parking.spots
  for each statement
  execute function private.check_rights();

create or replace trigger z_check_rights
  after insert or delete on parking.wishes
  for each statement
  execute function private.check_rights();

-- What administrators write.
create or replace trigger z_check_rights
  after update on parking.building
  for each statement
  execute function private.check_rights('administrator');

create or replace trigger z_check_rights
  after insert or delete on parking.invitations
  for each statement
  execute function private.check_rights('administrator');

create or replace trigger z_check_rights
  after insert or update on parking.limits
  for each statement
  execute function private.check_rights('administrator');

create or replace trigger z_check_rights
  after insert or delete or update on parking.webhooks
  for each statement
  execute function private.check_rights('administrator');

create or replace trigger z_check_administrator
  after update on parking.spot_reports
  for each statement
  execute function private.check_rights('administrator');

-- What others may write too, as it is: who was an administrator when the statement began still is.
create or replace trigger z_check_administrator
  after update of is_verified on parking.spots
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');

-- Before the change, which may be that administrators take back their own rights; private.lock_administrators
-- has let the statement go on.
create or replace trigger z_check_administrator
  before update of is_approved, is_admin, is_suspended, rejection_reason on parking.profiles
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');
--! EndIncluded rights/check_rights.sql
--! Included calendar_feeds/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.calendar_feeds;
create policy approved_account_required on parking.calendar_feeds
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.calendar_feeds is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded calendar_feeds/rules/approved_account_required.sql
--! Included calendar_feeds/rules/calendar_feeds_language_is_known.sql
alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_language_is_known,
  add constraint calendar_feeds_language_is_known
    check (language in ('en', 'de'));

comment on constraint calendar_feeds_language_is_known on parking.calendar_feeds is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
--! EndIncluded calendar_feeds/rules/calendar_feeds_language_is_known.sql
--! Included calendar_feeds/rules/calendar_feeds_secrets_are_hashed.sql
alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_secrets_are_hashed,
  add constraint calendar_feeds_secrets_are_hashed
    check (octet_length(secret_hash) = 32);

comment on constraint calendar_feeds_secrets_are_hashed on parking.calendar_feeds is
  E'@de Diese Adresse taugt nicht für einen Kalender.\nThe secret of a calendar feed is kept as its SHA-256';
--! EndIncluded calendar_feeds/rules/calendar_feeds_secrets_are_hashed.sql
--! Included invitations/rules/administrator_required.sql
drop policy if exists administrator_required on parking.invitations;
create policy administrator_required on parking.invitations
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.invitations is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded invitations/rules/administrator_required.sql
--! Included invitations/rules/invitations_accepted_stay.sql
create or replace trigger invitations_accepted_stay
  before delete on parking.invitations
  for each row
  when (
    old.status = 'accepted'
    and row_security_active('parking.invitations') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule();

comment on trigger invitations_accepted_stay on parking.invitations is
  E'@status 409\n@de Diese Einladung wurde angenommen. Nehmen Sie stattdessen die Freigabe des Kontos zurück.\nThis invitation was accepted; take the approval of the account back instead';
--! EndIncluded invitations/rules/invitations_accepted_stay.sql
--! Included invitations/rules/invitations_address_is_invited_once.sql
create unique index if not exists invitations_address_is_invited_once
  on parking.invitations (address)
  where status = 'open';

comment on index parking.invitations_address_is_invited_once is
  E'@field email\n@de Diese Adresse ist schon eingeladen.\nThis address has been invited already';
--! EndIncluded invitations/rules/invitations_address_is_invited_once.sql
--! Included invitations/rules/invitations_apartment_number_is_one_line.sql
alter table parking.invitations
  drop constraint if exists invitations_apartment_number_is_one_line,
  add constraint invitations_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint invitations_apartment_number_is_one_line on parking.invitations is
  E'@field apartment_number\n@de Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.\napartment_number must be 1 to 32 characters on one line';
--! EndIncluded invitations/rules/invitations_apartment_number_is_one_line.sql
--! Included invitations/rules/invitations_email_is_an_address.sql
alter table parking.invitations
  drop constraint if exists invitations_email_is_an_address,
  add constraint invitations_email_is_an_address
    check (private.is_one_line(email, 3, 320) and private.is_invited_email(email, status));

comment on constraint invitations_email_is_an_address on parking.invitations is
  E'@field email\n@de Das ist keine E-Mail-Adresse mit höchstens 320 Zeichen.\nemail must be an address of at most 320 characters';
--! EndIncluded invitations/rules/invitations_email_is_an_address.sql
--! Included invitations/rules/invitations_full_name_is_one_line.sql
alter table parking.invitations
  drop constraint if exists invitations_full_name_is_one_line,
  add constraint invitations_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint invitations_full_name_is_one_line on parking.invitations is
  E'@field full_name\n@de Der Name hat 1 bis 200 Zeichen in einer Zeile.\nfull_name must be 1 to 200 characters on one line';
--! EndIncluded invitations/rules/invitations_full_name_is_one_line.sql
--! Included invitations/rules/invitations_spot_is_invited_once.sql
create or replace trigger invitations_spot_is_invited_once
  after insert on parking.invitations
  for each row
  when (new.spot_keys <> '{}')
  execute function private.enforce_spot_is_invited_once();

comment on trigger invitations_spot_is_invited_once on parking.invitations is
  E'@status 409\n@field spots\n@de Ein Stellplatz dieser Liste steht schon in einer Einladung.\nA parking spot can be in one open invitation, and once';
--! EndIncluded invitations/rules/invitations_spot_is_invited_once.sql
--! Included invitations/rules/invitations_spots_can_be_registered.sql
alter table parking.invitations
  drop constraint if exists invitations_spots_can_be_registered,
  add constraint invitations_spots_can_be_registered
    check (private.are_invited_spots(spots));

comment on constraint invitations_spots_can_be_registered on parking.invitations is
  E'@field spots\n@de Höchstens 20 Stellplätze, jeder mit einer Nummer von 1 bis 32 und einem Bereich von 1 bis 100 Zeichen.\nspots must be at most 20, each with a spot_number of 1 to 32 and a building_section of 1 to 100 characters on one line';
--! EndIncluded invitations/rules/invitations_spots_can_be_registered.sql
--! Included preferences/rules/preferences_language_is_known.sql
alter table parking.preferences
  drop constraint if exists preferences_language_is_known,
  add constraint preferences_language_is_known
    check (language in ('en', 'de'));

comment on constraint preferences_language_is_known on parking.preferences is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
--! EndIncluded preferences/rules/preferences_language_is_known.sql
--! Included preferences/rules/preferences_mail_is_of_known_kinds.sql
alter table parking.preferences
  drop constraint if exists preferences_mail_is_of_known_kinds,
  add constraint preferences_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint preferences_mail_is_of_known_kinds on parking.preferences is
  E'@field mail\n@de Wählen Sie jede Art von E-Mail einmal.\nmail must be different known kinds of mail';
--! EndIncluded preferences/rules/preferences_mail_is_of_known_kinds.sql
--! Included preferences/rules/preferences_remind_in_time.sql
alter table parking.preferences
  drop constraint if exists preferences_remind_in_time,
  add constraint preferences_remind_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint preferences_remind_in_time on parking.preferences is
  E'@field remind_minutes\n@de Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.\nremind_minutes must be 5 to 10080, a week';
--! EndIncluded preferences/rules/preferences_remind_in_time.sql
