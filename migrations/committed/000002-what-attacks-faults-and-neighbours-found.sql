--! Previous: sha1:d37969936b2390425061719fdd4f06d9a48e4799
--! Hash: sha1:3a6586bb07028b338f5ae4a9ab8c2490a9128e0d
--! Message: what attacks faults and neighbours found

-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.
--! Included spots/suspended_owners.sql
/* For policies. One array for a statement costs less than a look at the owner of each row. */
create or replace function private.suspended_owners()
  returns uuid[]
  language sql
  stable
  parallel safe
  security definer -- the caller may not see the profiles of others
  set search_path = ''
return array(
  select p.id
    from parking.profiles p
   where (select private.is_approved())
     and not p.is_approved
     and exists (select from parking.spots s where s.owner_id = p.id)
);

comment on function private.suspended_owners is
  'The residents who own spots and are no longer approved; nobody, where the caller is not approved.';
grant execute on function private.suspended_owners to parking_api;
--! EndIncluded spots/suspended_owners.sql
--! Included claims/claim_exists.sql
/* Other residents do not see a claim, but the answer to a change of it is 403 and not 404. */
create or replace function private.claim_exists(id uuid)
  returns boolean
  language sql
  stable
  security definer -- reads past the policies, and returns only whether the row exists
  set search_path = ''
return exists (
  select from parking.claims c
   where c.id = claim_exists.id
     and (select private.is_approved())
);

comment on function private.claim_exists is
  'Whether there is a claim with this id, visible to the caller or not. False where the caller is not approved.';
grant execute on function private.claim_exists to parking_api;
--! EndIncluded claims/claim_exists.sql
--! Included availabilities/open_since.sql
/*
 * A list is read by the start of its windows, and those that are open at a moment may have started any
 * time before. Windows of a spot do not overlap, so there are few of them to ask.
 */
create or replace function private.open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return coalesce(
  (
    select min(o.start_time)
      from (
        select a.start_time
          from parking.availabilities a
         -- Also those that end at the moment. Times have no parts of a millisecond.
         where a.during && tstzrange(
           open_since.moment - interval '1 millisecond',
           open_since.moment,
           '[]'
         )
           and (select private.is_approved())
        offset 0 -- else PostgreSQL reads all windows by start until it finds one that is open
      ) o
  ),
  open_since.moment
);

comment on function private.open_since is
  'No window that is open at the moment, or ends or starts then, starts before this. The moment itself, where the caller is not approved.';
grant execute on function private.open_since to parking_api;
--! EndIncluded availabilities/open_since.sql
--! Included idempotency_keys/enforce_few_per_person.sql
/* Somebody who sends keys without end would fill the disk of everybody. */
create or replace function private.enforce_few_per_person()
  returns trigger
  language plpgsql
  security definer -- the API role may not read the answers that it counts
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- Two answers of one person at once: the second waits for the first, and counts it.
  perform from private.users u where u.id = new.person_id for no key update;

  if (
    select count(*)
      from (
        select from private.idempotency_keys k
         where k.person_id = new.person_id
           and k.expires_at > now()
         limit v_most + 1
      ) kept
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_per_person is
  'Trigger function: refuses an answer to a person for whom as many are kept as the argument says.';
--! EndIncluded idempotency_keys/enforce_few_per_person.sql
--! Included idempotency_keys/rules/idempotency_keys_few_per_person.sql
-- As many as the default rate limit lets a person send in an hour.
create or replace trigger idempotency_keys_few_per_person
  after insert on private.idempotency_keys
  for each row
  execute function private.enforce_few_per_person('1000');

comment on trigger idempotency_keys_few_per_person on private.idempotency_keys is
  E'@status 409\nYou have used 1000 Idempotency-Keys within 24 hours; try again later, or without one';
--! EndIncluded idempotency_keys/rules/idempotency_keys_few_per_person.sql
--! Included reports/report_start.sql
/* Of what others may see, a report would be wrong. The longest period keeps it under a second. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  if (report_start.until > report_start."from") is not true then
    raise sqlstate 'PT400' using
      message = 'until must be after from',
      column = 'until';
  end if;
  if report_start.until - report_start."from" > 184 then
    raise sqlstate 'PT400' using
      message = 'The period of a report must not be longer than 184 days',
      column = 'until';
  end if;
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator and the period is one of 1 to 184 days.';
grant execute on function private.report_start to parking_api;
--! EndIncluded reports/report_start.sql

-- A claim that was completed before its end still holds its window: it counts, and can be freed.
drop trigger if exists claims_no_more_active_than_allowed on parking.claims;
drop function if exists private.enforce_most_active_claims;
--! Included claims/enforce_most_claims.sql
/* A resident who claims twice at one moment: the second claim waits for the first, and counts it. */
-- Rows that nobody else can lock. The profile is no such row: two residents who claim each other's
-- spots lock each other's profiles (enforce_approved_owner), and would wait for each other.
create table if not exists private.claimers (
  id uuid,
  constraint claimers_pkey primary key (id)
);

comment on table private.claimers is
  'A row for each resident who claimed under the limit most_active_claims, to be locked.';
comment on column private.claimers.id is
  'The claimer.';

alter table private.claimers enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_most_claims()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the rows that are locked
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and old.end_time > clock_timestamp() then
    return null; -- counted already
  end if;

  -- Written, not only locked: a transaction with a snapshot from before the other claim fails here.
  insert into private.claimers (id)
  values (new.claimer_id)
  on conflict (id) do update set id = excluded.id;

  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > (private.building()).most_active_claims then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_most_claims is
  'Trigger function: refuses a claim to a resident who has as many as the building allows.';
--! EndIncluded claims/enforce_most_claims.sql
--! Included claims/rules/claims_no_more_than_allowed.sql
create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (
    new.end_time > clock_timestamp()
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and (private.building()).most_active_claims is not null
  )
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\nYou have as many claims that have not ended as the building allows';
--! EndIncluded claims/rules/claims_no_more_than_allowed.sql
--! Included claims/rules/claims_closed_stay_closed.sql
create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.status <> 'active'
    -- An administrator who gives a reason may cancel a claim that was completed before its end:
    -- nobody else could free its window.
    and not (
      old.status = 'completed'
      and old.updated_at < old.end_time -- nothing has changed it since it was completed
      and (new.status, new.start_time, new.end_time)
        is not distinct from ('cancelled', old.start_time, old.end_time)
      and private.reason() is not null
    )
  )
  execute function private.enforce_rule();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
--! Included claims/cancel_claim.sql
create or replace function api.cancel_claim(id uuid, status text, reason text)
  returns parking.claims
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  perform private.keep_spot_of_claim(cancel_claim.id);
  perform private.require_administrator();
  perform private.give_reason(cancel_claim.reason);

  update parking.claims c
     set status = cancel_claim.status
   where c.id = cancel_claim.id
  returning * into v_claim;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('claims');
  end if;

  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read';
grant execute on function api.cancel_claim to parking_api;
--! EndIncluded claims/cancel_claim.sql
--! Included building/table.sql
/* What is particular to the building: one row, which administrators change. */
create table if not exists parking.building (
  id uuid default uuidv7(),
  name text not null default 'The building',
  time_zone text not null default 'UTC',
  longest_window_days integer,
  horizon_days integer,
  shortest_claim_minutes integer,
  longest_claim_minutes integer,
  claim_notice_minutes integer,
  cancellation_cutoff_minutes integer,
  most_active_claims integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint building_pkey primary key (id)
);

comment on table parking.building is
  E'@absent Building not found\nThe building: its name, its time zone and its limits. One row. A limit that is null does not limit.';
comment on column parking.building.id is
  'The building.';
comment on column parking.building.name is
  'What people call it.';
comment on column parking.building.time_zone is
  'The time zone of notifications and reports (IANA). The API is in UTC.';
comment on column parking.building.longest_window_days is
  'How long a window may last, in calendar days.';
comment on column parking.building.horizon_days is
  'How far ahead windows and claims may end, in calendar days.';
comment on column parking.building.shortest_claim_minutes is
  'How long a claim lasts at least.';
comment on column parking.building.longest_claim_minutes is
  'How long a claim lasts at most.';
comment on column parking.building.claim_notice_minutes is
  'How long before its start a claim is made at the latest.';
comment on column parking.building.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest.';
comment on column parking.building.most_active_claims is
  'How many claims that have not ended a resident may have, completed ones included.';
comment on column parking.building.created_at is
  'When the database was made.';
comment on column parking.building.updated_at is
  'When the row last changed.';

insert into parking.building
select
 where not exists (select from parking.building);

create or replace trigger touch
  before update on parking.building
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded building/table.sql

-- One order of locks, and what the erasure of a person leaves.
drop function if exists private.notify(uuid, text, text, uuid, uuid, uuid);
--! Included spots/enforce_no_active_claims.sql
/* A spot that somebody has an active claim on stays: the claimer relies on it. */
create or replace function private.enforce_no_active_claims()
  returns trigger
  language plpgsql
  security definer -- reads and locks the claims of all residents
  set search_path = ''
as $$
begin
  -- The lock of the spot keeps new claims out (private.keep_spot). These may be closed or made to
  -- last longer at this moment.
  perform
     from parking.claims c
    where c.spot_id = old.id
      and c.status = 'active'
    order by c.id
      for update;

  if exists (
    select from parking.claims c
     where c.spot_id = old.id
       and c.status = 'active'
       and c.end_time > clock_timestamp() -- nobody relies on a claim that has ended
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

comment on function private.enforce_no_active_claims is
  'Trigger function: a spot with an active claim that has not ended is not deleted.';
--! EndIncluded spots/enforce_no_active_claims.sql
--! Included spots/create_spot.sql
create or replace function api.create_spot(spot_number text, building_section text)
  returns parking.spots
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  insert into parking.spots (spot_number, building_section)
  values (create_spot.spot_number, create_spot.building_section)
  returning * into v_spot;

  perform private.require_approved(); -- still, after all the waiting
  return v_spot;
end;
$$;

comment on function api.create_spot is
  'Register a spot as your own, not yet verified';
grant execute on function api.create_spot to parking_api;
--! EndIncluded spots/create_spot.sql
--! Included spots/update_spot.sql
create or replace function api.update_spot(
    id uuid,
    spot_number text default null,
    building_section text default null
)
  returns parking.spots
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  if num_nonnulls(update_spot.spot_number, update_spot.building_section) > 0 then
    update parking.spots s
       set spot_number = coalesce(update_spot.spot_number, s.spot_number),
           building_section = coalesce(update_spot.building_section, s.building_section)
     where s.id = update_spot.id
    returning * into v_spot;
  else
    select s.* into v_spot
      from parking.spots s
     where s.id = update_spot.id
       and s.owner_id = (select private.caller_id());
  end if;

  perform private.require_approved(); -- still, after all the waiting
  if v_spot.id is null then
    if exists (select from parking.spots s where s.id = update_spot.id) then
      perform private.refuse('spots_updated_by_owner');
    end if;
    perform private.refuse_absent('spots');
  end if;

  return v_spot;
end;
$$;

comment on function api.update_spot is
  'Change number or section of your spot, which then is not verified any more';
grant execute on function api.update_spot to parking_api;
--! EndIncluded spots/update_spot.sql
--! Included availabilities/create_availability.sql
create or replace function api.create_availability(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
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
  perform private.require_approved();

  insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
  select s.id, s.owner_id, create_availability.start_time, create_availability.end_time
    from parking.spots s
   where s.id = create_availability.spot_id
  returning * into v_availability;

  perform private.require_approved(); -- still, after all the waiting
  if v_availability.id is null then
    perform private.refuse('availabilities_of_a_spot', '23503');
  end if;

  return v_availability;
end;
$$;

comment on function api.create_availability is
  'Publish a window in which your spot may be claimed';
grant execute on function api.create_availability to parking_api;
--! EndIncluded availabilities/create_availability.sql
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
  perform private.lock_spot_of_window(update_availability.id);
  perform private.require_approved();

  if num_nonnulls(update_availability.start_time, update_availability.end_time) > 0 then
    update parking.availabilities a
       set start_time = coalesce(update_availability.start_time, a.start_time),
           end_time = coalesce(update_availability.end_time, a.end_time)
     where a.id = update_availability.id
    returning * into v_availability;
  else
    select a.* into v_availability
      from parking.availabilities a
     where a.id = update_availability.id
       and a.owner_id = (select private.caller_id());
  end if;

  if not found then
    if exists (select from parking.availabilities a where a.id = update_availability.id) then
      perform private.refuse('availabilities_updated_by_spot_owner');
    end if;
    perform private.refuse_absent('availabilities');
  end if;

  return v_availability;
end;
$$;

comment on function api.update_availability is
  'Move a window of your spot that nobody has claimed';
grant execute on function api.update_availability to parking_api;
--! EndIncluded availabilities/update_availability.sql
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
  perform private.lock_spot_of_window(delete_availability.id);
  perform private.require_approved();

  delete from parking.availabilities a
   where a.id = delete_availability.id;

  if not found then
    if exists (select from parking.availabilities a where a.id = delete_availability.id) then
      perform private.refuse('availabilities_deleted_by_spot_owner');
    end if;
    perform private.refuse_absent('availabilities');
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := delete_availability.id;
end;
$$;

comment on function api.delete_availability is
  'Withdraw a window of your spot that nobody has claimed';
grant execute on function api.delete_availability to parking_api;
--! EndIncluded availabilities/delete_availability.sql
--! Included availabilities/remove_availability.sql
create or replace function api.remove_availability(
    id uuid,
    reason text,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_spot_of_window(remove_availability.id);
  perform private.require_administrator();
  perform private.give_reason(remove_availability.reason);

  delete from parking.availabilities a
   where a.id = remove_availability.id;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('availabilities');
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := remove_availability.id;
end;
$$;

comment on function api.remove_availability is
  'Withdraw a resident''s window that nobody has claimed, with a reason that they read';
grant execute on function api.remove_availability to parking_api;
--! EndIncluded availabilities/remove_availability.sql
--! Included locks/lock_spot.sql
/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: administrators_lock, users,
 * profiles, spots, claims, windows; several of a kind in the order of their ids. An UPDATE or a DELETE
 * locks its row before its triggers run, so only an INSERT can lock in a trigger what comes before the
 * row in this order. The functions of api that change or delete a row lock the spot first.
 */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for no key update;
  return new;
end;
$$;

comment on function private.lock_spot is
  'Trigger function: locks the spot before a window of it is published.';

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot();
--! EndIncluded locks/lock_spot.sql
--! Included locks/keep_spot.sql
/* A claim and the deletion of its spot wait for each other; claims of one spot do not. */
create or replace function private.keep_spot()
  returns trigger
  language plpgsql
  security definer -- the spot belongs to another resident
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for key share;
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
--! Included locks/lock_spot_of_window.sql
/* The first statement of what changes a window: the spot before the window, as its deletion locks them. */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = (
            select a.spot_id from parking.availabilities a where a.id = lock_spot_of_window.id
          )
      and (select private.is_approved())
      for no key update;
end;
$$;

comment on function private.lock_spot_of_window is
  'Locks the spot of the window with this id, for an approved caller.';
grant execute on function private.lock_spot_of_window to parking_api;
--! EndIncluded locks/lock_spot_of_window.sql
--! Included locks/keep_spot_of_claim.sql
/* The first statement of what changes a claim: the spot before the claim, as its deletion locks them. */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the spot belongs to another resident; the policies check who may act
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  select c.* into v_claim
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_claim.owner_id for share;
  perform from parking.spots s where s.id = v_claim.spot_id for key share;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Keeps the spot of the claim with this id from being deleted, and its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
--! EndIncluded locks/keep_spot_of_claim.sql
--! Included locks/lock_owner.sql
/* A person who registers a spot and is erased at one moment: one waits for the other. */
create or replace function private.lock_owner()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform from parking.profiles p where p.id = new.owner_id for share;
  return new;
end;
$$;

comment on function private.lock_owner is
  'Trigger function: locks the owner''s profile before a spot is registered.';

create or replace trigger lock_owner
  before insert on parking.spots
  for each row
  execute function private.lock_owner();
--! EndIncluded locks/lock_owner.sql
--! Included locks/lock_person.sql
/* What the erasure of a person locks first, in the order of private.lock_spot. */
create or replace function private.lock_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  perform from private.administrators_lock for update;
  perform from private.users u where u.id = lock_person.id for update;
  -- Claims by the person or of their windows wait here, and spots that they register. Notifications
  -- to them do not: who writes one may have a claim that the erasure waits for.
  perform from parking.profiles p where p.id = lock_person.id for no key update;
end;
$$;

comment on function private.lock_person is
  'Locks the sign-in data and the profile of the person with this id.';
--! EndIncluded locks/lock_person.sql
--! Included locks/lock_person_as_administrator.sql
/* The way of the API role to private.lock_person. */
create or replace function private.lock_person_as_administrator(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to administrators_lock and private.users
  set search_path = ''
as $$
begin
  perform private.lock_person(lock_person_as_administrator.id);
  perform private.require_administrator(); -- still, after all the waiting
end;
$$;

comment on function private.lock_person_as_administrator is
  'Locks the person with this id before the erasure, for an administrator.';
grant execute on function private.lock_person_as_administrator to parking_api;
--! EndIncluded locks/lock_person_as_administrator.sql
--! Included claims/enforce_approved_owner.sql
/* The owner may be suspended while somebody claims, and the claimer too: then one waits for the other. */
create or replace function private.enforce_approved_owner()
  returns trigger
  language plpgsql
  security definer -- locks a profile that the claimer may not see
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- Locked, not only read: a suspension or an erasure under way ends first, and a later one waits
    -- for this claim. An UPDATE has locked the claim already: private.keep_spot_of_claim did it before.
    perform
       from parking.profiles p
      where p.id in (new.owner_id, new.claimer_id)
      order by p.id
        for share;
  elsif new.start_time >= old.start_time and new.end_time <= old.end_time then
    return new; -- it takes no more time
  end if;

  -- No row where there is no such owner: another rule refuses that.
  if exists (select from parking.profiles p where p.id = new.owner_id and not p.is_approved) then
    perform private.refuse(tg_name, tg_argv[0]);
  end if;
  return new;
end;
$$;

comment on function private.enforce_approved_owner is
  'Trigger function: nobody claims a window, or more of it, whose owner is not approved.';
--! EndIncluded claims/enforce_approved_owner.sql
--! Included claims/rules/claims_of_an_approved_owner.sql
create or replace trigger claims_of_an_approved_owner
  before insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  'The owner of this parking spot is not approved';
--! EndIncluded claims/rules/claims_of_an_approved_owner.sql
--! Included claims/create_claim.sql
create or replace function api.create_claim(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz
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
  perform private.require_approved();

  -- Nothing more is checked here: every rule about claims is in claims/rules/.
  insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
  select a.id, a.spot_id, a.owner_id, create_claim.start_time, create_claim.end_time
    from parking.availabilities a
   where a.id = create_claim.availability_id
  returning * into v_claim;

  perform private.require_approved(); -- still, after all the waiting
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
--! Included claims/update_claim.sql
create or replace function api.update_claim(
    id uuid,
    status text default null,
    start_time timestamptz default null,
    end_time timestamptz default null
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
  perform private.keep_spot_of_claim(update_claim.id);
  perform private.require_approved();

  if num_nonnulls(update_claim.status, update_claim.start_time, update_claim.end_time) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time)
     where c.id = update_claim.id
    returning * into v_claim;
  else
    select c.* into v_claim
      from parking.claims c
     where c.id = update_claim.id
       and c.claimer_id = (select private.caller_id());
  end if;

  if not found then
    perform private.require_approved(); -- the caller may have been suspended meanwhile
    if private.claim_exists(update_claim.id) then
      perform private.refuse('claims_updated_by_claimer');
    end if;
    perform private.refuse_absent('claims');
  end if;

  -- The trigger does not see whether an unchanged time was sent or left out.
  if v_claim.status <> 'active'
    and num_nonnulls(update_claim.start_time, update_claim.end_time) > 0
  then
    perform private.refuse('claims_close_with_their_times', '23514');
  end if;

  return v_claim;
end;
$$;

comment on function api.update_claim is
  'Complete or cancel your active claim, or move its times';
grant execute on function api.update_claim to parking_api;
--! EndIncluded claims/update_claim.sql
--! Included claims/delete_claim.sql
create or replace function api.delete_claim(
    id uuid,
    out message text,
    out deleted_claim_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.keep_spot_of_claim(delete_claim.id);
  perform private.require_approved();

  delete from parking.claims c
   where c.id = delete_claim.id;

  if not found then
    perform private.require_approved(); -- the caller may have been suspended meanwhile
    if private.claim_exists(delete_claim.id) then
      perform private.refuse('claims_deleted_by_claimer');
    end if;
    perform private.refuse_absent('claims');
  end if;

  message := 'Claim cancelled successfully';
  deleted_claim_id := delete_claim.id;
end;
$$;

comment on function api.delete_claim is
  'Remove your claim, which frees its window';
grant execute on function api.delete_claim to parking_api;
--! EndIncluded claims/delete_claim.sql
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
    when kind = 'spot.verified' then format('Your parking spot %s was verified', spot.spot_number)
    when kind = 'spot.deleted' and v_is_owner
      then format('Your parking spot %s was deleted', spot.spot_number)
    when kind = 'spot.deleted'
      then format('Parking spot %s, which you had claimed, was deleted', spot.spot_number)
    when kind = 'availability.deleted'
      then format('Your window of parking spot %s %s was deleted', spot.spot_number, v_span)
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
--! Included notifications/notify_of_spot_deletion.sql
/* Notifies those who lose something by the deletion of a spot. */
create or replace function private.notify_of_spot_deletion(spot parking.spots)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  perform private.notify(spot.owner_id, 'spot.deleted', spot);

  -- One for each resident, however many claims they had.
  perform private.notify(c.claimer_id, 'spot.deleted', spot)
     from (
       select distinct claimer_id
         from parking.claims
        where claims.spot_id = spot.id
          and claims.status <> 'cancelled'
     ) c;
end;
$$;

comment on function private.notify_of_spot_deletion is
  'Notifies the owner of a deleted spot and those whose claims on it were not cancelled. For triggers, before the claims are deleted.';
--! EndIncluded notifications/notify_of_spot_deletion.sql
--! Included notifications/notify_of_availability_deletion.sql
/* Notifies the owner of a window that an administrator removed. */
create or replace function private.notify_of_availability_deletion()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Windows that are deleted with their spot find no spot here: its deletion has its own notification.
  perform private.notify(
    d.owner_id,
    'availability.deleted',
    s,
    availability_id => d.id,
    start_time => d.start_time,
    end_time => d.end_time
  )
     from deleted d
     join parking.spots s on s.id = d.spot_id;
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

  -- The deletion of a spot has its own notification, and so has that of a window, with which its
  -- cancelled claims go.
  select s.* into v_spot
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where a.id = v_claim.availability_id;

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
  after insert or delete or update of status on parking.claims
  for each row
  -- Not of what private.erase_person tidies up. People may set this too, but it binds them.
  when (
    current_setting('parking.tidying', true) is distinct from 'on'
    or row_security_active('parking.claims')
  )
  execute function private.notify_of_claim();
--! EndIncluded notifications/notify_of_claim.sql
--! Included notifications/notify_of_approval.sql
/* Notifies a resident whose account was approved. */
create or replace function private.notify_of_approval()
  returns trigger
  language plpgsql
  security definer -- writes to the resident's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.approved');
  return null;
end;
$$;

comment on function private.notify_of_approval is
  'Trigger function: notifies a resident that the account was approved.';

create or replace trigger notify_of_approval
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.notify_of_approval();
--! EndIncluded notifications/notify_of_approval.sql
--! Included notifications/notify_of_verification.sql
/* Notifies the owner of a spot that was verified. */
create or replace function private.notify_of_verification()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.owner_id, 'spot.verified', new);
  return null;
end;
$$;

comment on function private.notify_of_verification is
  'Trigger function: notifies the owner that a spot was verified.';

create or replace trigger notify_of_verification
  after update of is_verified on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.notify_of_verification();
--! EndIncluded notifications/notify_of_verification.sql
--! Included notifications/renew_messages.sql
/* A message repeats the log: the reason of its event, and the number that the spot had then. */
create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = renewed.message
    from (
      select old.id,
             private.notification_message(
               old.recipient_id,
               old.kind,
               (
                 select jsonb_populate_record(null::parking.spots, s.data)
                   from private.events s
                  where s.subject_id = old.spot_id
                    and s.type like 'spot.%'
                    and s.occurred_at <= e.occurred_at
                  order by s.occurred_at desc, s.id desc
                  limit 1
               ),
               (e.data ->> 'start_time')::timestamptz,
               (e.data ->> 'end_time')::timestamptz,
               e.reason
             ) as message
        from parking.notifications old
       cross join lateral (
         -- Both were written in one transaction, whose beginning the notification has.
         select e.*
           from private.events e
          where e.type = old.kind
            and e.subject_id in (old.claim_id, old.availability_id, old.spot_id, old.recipient_id)
            and e.occurred_at >= old.created_at
          order by e.occurred_at, e.id
          limit 1
       ) e
       where old.id = any (renew_messages.ids)
    ) renewed
   where n.id = renewed.id;
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications as they would be written from the event log as it is now.';
--! EndIncluded notifications/renew_messages.sql
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

  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it
  update parking.claims c
     set status = 'completed'
   where c.status = 'active'
     and c.end_time <= v_now
     and end_of_person.id in (c.claimer_id, c.owner_id);
  perform set_config('parking.tidying', 'off', true);

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and end_of_person.id in (c.claimer_id, c.owner_id);

  -- Windows with closed claims stay with these. Without an approved owner nobody can claim them.
  delete from parking.availabilities a
   where a.owner_id = end_of_person.id
     and a.start_time >= v_now
     and not exists (select from parking.claims c where c.availability_id = a.id);

  -- What was offered until now, was offered.
  update parking.availabilities a
     set end_time = v_now
   where a.owner_id = end_of_person.id
     and a.start_time < v_now
     and a.end_time > v_now
     and not a.is_claimed;
end;
$$;

comment on function private.end_of_person is
  'Cancels the claims of the person with this id that have not ended, and those on their spots; ends their free windows; completes what has ended.';
--! EndIncluded profiles/end_of_person.sql
--! Included profiles/erase_as_administrator.sql
/* The way of the API role to private.erase_person. */
create or replace function private.erase_as_administrator(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may change neither the event log nor the data of others
  set search_path = ''
as $$
begin
  perform private.lock_person_as_administrator(erase_as_administrator.id);
  perform private.erase_person(erase_as_administrator.id);
end;
$$;

comment on function private.erase_as_administrator is
  'Erases the personal data of the person with this id, for an administrator.';
grant execute on function private.erase_as_administrator to parking_api;
--! EndIncluded profiles/erase_as_administrator.sql

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
       and a.start_time >= coalesce(total_hidden_availabilities.start_date, '-infinity')
       and a.start_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
       and a.end_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
  );
end;
$$;

comment on function private.total_hidden_availabilities is
  'How many windows only administrators see: those of suspended owners that are not claimed.';
--! EndIncluded availabilities/total_hidden_availabilities.sql

--! Included reports/report_steps.sql
create or replace function private.report_steps("from" date, until date, step text)
  returns table (first_day date, start_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.first_day, private.midnight(s.first_day)
    from (
      select greatest(g.day::date, report_steps."from") as first_day
        from generate_series(
               date_trunc(report_steps.step, report_steps."from"::timestamp),
               report_steps.until - interval '1 day',
               ('1 ' || report_steps.step)::interval
             ) g (day)
    ) s
$$;

comment on function private.report_steps is
  'The days, weeks or months of a period, the first of which may be cut.';
grant execute on function private.report_steps to parking_api;
--! EndIncluded reports/report_steps.sql
--! Included reports/section_use.sql
/*
 * One look at each span. Those of a section that begin in the same step and end in the same step are
 * counted together; most do both in one step, and few are left for which the steps between are listed.
 */
create or replace function private.section_use(
    "from" date,
    until date,
    section text,
    step text
)
  returns table (
    building_section text,
    first_day date,
    windows bigint,
    offered interval,
    claimed interval
  )
  language plpgsql
  stable
  security invoker
  set search_path = ''
  set work_mem = '32MB' -- groups that do not fit are written to disk, which takes twice the time
  set plan_cache_mode = force_custom_plan -- in which the bounds are a constant
as $$
declare
  v_from constant timestamptz := private.midnight(section_use."from");
  v_until constant timestamptz := private.midnight(section_use.until);
  v_days date[];
  v_bounds timestamptz[];
begin
  select array_agg(s.first_day order by s.first_day),
         array_agg(s.start_time order by s.first_day) || v_until
    into v_days, v_bounds
    from private.report_steps(section_use."from", section_use.until, section_use.step) s;

  return query
    with spans as (
      select o.building_section, o.start_time, o.end_time, false as is_claimed
        from private.offered_spans(v_from, v_until, section_use.section) o
      union all
      select c.building_section, c.start_time, c.end_time, true
        from private.claimed_spans(v_from, v_until, section_use.section) c
    ),
    -- A number is computed once (offset 0), and that of the end only where it is another.
    placed as (
      select b.*,
             case
               when b.end_time > v_bounds[b.first + 1] then width_bucket(b.end_time - interval '1 microsecond', v_bounds)
               else b.first
             end as last
        from (select s.*, width_bucket(s.start_time, v_bounds) as first from spans s offset 0) b
      offset 0
    ),
    alike as (
      select p.building_section,
             p.first,
             p.last,
             p.is_claimed,
             count(*) as spans,
             sum(least(p.end_time, v_bounds[p.first + 1]) - p.start_time) as in_first,
             sum(p.end_time - v_bounds[p.last]) as in_last
        from placed p
       group by p.building_section, p.first, p.last, p.is_claimed
    ),
    used as (
      select a.building_section, a.first as number, a.is_claimed, a.spans, a.in_first as time
        from alike a
      union all
      select a.building_section, n.number, a.is_claimed, a.spans,
             case
               when n.number = a.last then a.in_last
               else a.spans * (v_bounds[n.number + 1] - v_bounds[n.number])
             end
        from alike a
       cross join lateral generate_series(a.first + 1, a.last) n (number)
       where a.last > a.first
    )
    select u.building_section,
           v_days[u.number],
           (sum(u.spans) filter (where not u.is_claimed))::bigint,
           sum(u.time) filter (where not u.is_claimed),
           coalesce(sum(u.time) filter (where u.is_claimed), interval '0')
      from used u
     group by u.building_section, u.number;
end;
$$;

comment on function private.section_use is
  'How long each section was offered and claimed in each step of a period in which it was offered, and by how many windows.';
grant execute on function private.section_use to parking_api;
--! EndIncluded reports/section_use.sql
--! Included reports/hour_use.sql
/*
 * Between two moments at which anything changes, as many spots are offered, and claimed, all the time.
 * Many windows start and end at the same moments, so this is faster than cutting each into its hours.
 */
create or replace function private.hour_use("from" timestamptz, until timestamptz, section text)
  returns table (
    weekday integer,
    hour integer,
    offered numeric,
    claimed numeric
  )
  language plpgsql
  stable
  security invoker
  set search_path = ''
  set work_mem = '32MB' -- groups that do not fit are written to disk, which takes twice the time
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with changes as (
      select coalesce(o.start_time, o.end_time) as moment,
             case when grouping(o.end_time) = 1 then count(*) else -count(*) end::integer as offered,
             0 as claimed
        from private.offered_spans(hour_use."from", hour_use.until, hour_use.section) o
       group by grouping sets ((o.start_time), (o.end_time))
      union all
      select coalesce(c.start_time, c.end_time),
             0,
             case when grouping(c.end_time) = 1 then count(*) else -count(*) end::integer
        from private.claimed_spans(hour_use."from", hour_use.until, hour_use.section) c
       group by grouping sets ((c.start_time), (c.end_time))
      union all
      -- Half hours, because there are zones that move their clocks by one.
      select h.moment, 0, 0
        from generate_series(hour_use."from", hour_use.until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.offered)::integer as offered, sum(c.claimed)::integer as claimed
        from changes c
       group by c.moment
    ),
    steps as (
      select m.moment at time zone v_zone as moment,
             extract(epoch from lead(m.moment) over by_time - m.moment) as seconds,
             sum(m.offered) over by_time as offered,
             sum(m.claimed) over by_time as claimed
        from moments m
      window by_time as (order by m.moment)
    )
    select extract(isodow from s.moment)::integer,
           extract(hour from s.moment)::integer,
           sum(s.offered * s.seconds),
           sum(s.claimed * s.seconds)
      from steps s
     group by 1, 2;
end;
$$;

comment on function private.hour_use is
  'For how many seconds spots were offered and claimed in each hour of the week, over a period.';
grant execute on function private.hour_use to parking_api;
--! EndIncluded reports/hour_use.sql
--! Included reports/use_by_hour.sql
create or replace function api.use_by_hour("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    offered_minutes bigint,
    claimed_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(use_by_hour."from", use_by_hour.until);
  v_until constant timestamptz := private.midnight(use_by_hour.until);
begin
  return query
    select d.weekday,
           h.hour,
           coalesce(round(u.offered / 60), 0)::bigint,
           coalesce(round(u.claimed / 60), 0)::bigint,
           round(u.claimed / nullif(u.offered, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join private.hour_use(v_from, v_until, use_by_hour.section) u
             on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function api.use_by_hour is
  'How much was offered and claimed in each hour of the week';
grant execute on function api.use_by_hour to parking_api;
--! EndIncluded reports/use_by_hour.sql
--! Included reports/use_by_section.sql
create or replace function api.use_by_section(
    "from" date,
    until date,
    section text default null,
    step text default 'day'
)
  returns table (
    building_section text,
    first_day date,
    offered_minutes bigint,
    claimed_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  perform private.report_start(use_by_section."from", use_by_section.until);

  return query
    select s.building_section,
           d.first_day,
           coalesce(round(extract(epoch from u.offered) / 60), 0)::bigint,
           coalesce(round(extract(epoch from u.claimed) / 60), 0)::bigint,
           round(extract(epoch from u.claimed) / extract(epoch from u.offered), 4)
      from (
        select distinct p.building_section
          from parking.spots p
         where use_by_section.section is null or p.building_section = use_by_section.section
      ) s
     cross join private.report_steps(use_by_section."from", use_by_section.until, use_by_section.step) d
      left join private.section_use(
             use_by_section."from", use_by_section.until, use_by_section.section, use_by_section.step
           ) u
             on u.building_section = s.building_section and u.first_day = d.first_day
     order by s.building_section, d.first_day
     limit 10001;

  get diagnostics v_rows = row_count;
  perform private.limit_report(v_rows);
end;
$$;

comment on function api.use_by_section is
  'How much each section was offered and claimed, by days or weeks';
grant execute on function api.use_by_section to parking_api;
--! EndIncluded reports/use_by_section.sql
--! Included reporting/reported_period.sql
create or replace function private.reported_period(out "from" date, out until date)
  language sql
  stable
begin atomic
  select (min(a.start_time) at time zone b.time_zone)::date,
         (least(max(a.end_time) + interval '1 day', private.reported_until()) at time zone b.time_zone)::date
    from parking.availabilities a
   cross join private.building() b
   group by b.time_zone;
end;

comment on function private.reported_period is
  'The days of all windows, up to a year from today; null where there is none.';
--! EndIncluded reporting/reported_period.sql
--! Included reporting/repeated_windows.sql
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
--! EndIncluded reporting/repeated_windows.sql
--! Included reporting/reported_section_use.sql
create or replace function private.reported_section_use(step text)
  returns table (
    first_day date,
    building_section text,
    offered_spots bigint,
    offered_hours numeric,
    claimed_hours numeric,
    utilisation numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.first_day,
         u.building_section,
         u.windows - coalesce(r.windows, 0),
         round(extract(epoch from u.offered) / 3600, 3),
         round(extract(epoch from u.claimed) / 3600, 3),
         round(extract(epoch from u.claimed) / extract(epoch from u.offered), 4)
    from (
      select date_trunc(reported_section_use.step, d."from"::timestamp)::date as "from", d.until
        from private.reported_period() d
    ) p
   cross join lateral private.section_use(p."from", p.until, null, reported_section_use.step) u
    left join private.repeated_windows(p."from", p.until, reported_section_use.step) r
           on r.building_section = u.building_section and r.first_day = u.first_day;
end;

comment on function private.reported_section_use is
  'For reporting tools: how well each section was used, by days or months, in all the time.';
grant execute on function private.reported_section_use to parking_reporter;
--! EndIncluded reporting/reported_section_use.sql
--! Included reporting/reported_hour_use.sql
create or replace function private.reported_hour_use()
  returns table (
    weekday integer,
    hour integer,
    offered numeric,
    claimed numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.weekday, u.hour, u.offered, u.claimed
    from private.reported_period() p
   cross join lateral private.hour_use(private.midnight(p."from"), private.midnight(p.until), null) u
   where u.offered > 0;
end;

comment on function private.reported_hour_use is
  'For reporting tools: how well each hour of the week was used in all the time.';
grant execute on function private.reported_hour_use to parking_reporter;
--! EndIncluded reporting/reported_hour_use.sql
--! Included reporting/section_utilisation.sql
/* Offered and claimed hours of each section, day by day. */
create or replace view reporting.section_utilisation as
  select u.first_day as day,
         u.building_section,
         u.offered_spots,
         u.offered_hours,
         u.claimed_hours,
         u.utilisation
    from private.reported_section_use('day') u;

comment on view reporting.section_utilisation is
  'One row for each section and each day (of the building''s time zone) on which one of its spots was offered, up to a year from today.';
comment on column reporting.section_utilisation.day is
  'The day, from midnight to midnight in the time zone of the building.';
comment on column reporting.section_utilisation.building_section is
  'Section or location of the spots.';
comment on column reporting.section_utilisation.offered_spots is
  'Spots of the section that were offered on that day.';
comment on column reporting.section_utilisation.offered_hours is
  'Hours of that day in which they were published as available, added up.';
comment on column reporting.section_utilisation.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.section_utilisation.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.section_utilisation to parking_reporter;
--! EndIncluded reporting/section_utilisation.sql
--! Included reporting/use_by_month.sql
/* Offered and claimed hours of each section, month by month. */
create or replace view reporting.use_by_month as
  select u.first_day as month,
         u.building_section,
         u.offered_spots,
         u.offered_hours,
         u.claimed_hours,
         u.utilisation
    from private.reported_section_use('month') u;

comment on view reporting.use_by_month is
  'One row for each section and each month (of the building''s calendar) in which one of its spots was offered, up to a year from today.';
comment on column reporting.use_by_month.month is
  'Its first day.';
comment on column reporting.use_by_month.building_section is
  'Section or location of the spots.';
comment on column reporting.use_by_month.offered_spots is
  'Spots of the section that were offered in that month.';
comment on column reporting.use_by_month.offered_hours is
  'Hours of that month in which they were published as available, added up.';
comment on column reporting.use_by_month.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.use_by_month.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.use_by_month to parking_reporter;
--! EndIncluded reporting/use_by_month.sql
--! Included reporting/claims.sql
/* Every claim, with how early it was made and how long it lasts. */
create or replace view reporting.claims as
  select c.id,
         c.spot_id,
         s.spot_number,
         s.building_section,
         c.owner_id,
         c.claimer_id,
         c.status,
         c.start_time,
         c.end_time,
         c.created_at,
         private.hours(tstzrange(c.created_at, greatest(c.start_time, c.created_at))) as lead_hours,
         private.hours(tstzrange(c.start_time, c.end_time)) as duration_hours,
         -- A closed claim stays as it is (claims_closed_stay_closed).
         case when c.status <> 'active' then c.updated_at end as closed_at,
         -- Looked up only where somebody asks: to store it would cost each claim more.
         case
           when c.status = 'cancelled' then (
             select e.actor_id
               from private.events e
              where e.subject_id = c.id
                and e.type = 'claim.cancelled'
              order by e.id desc
              limit 1
           )
         end as cancelled_by
    from parking.claims c
    join parking.spots s on s.id = c.spot_id;

comment on view reporting.claims is
  'One row for each claim that was not deleted.';
comment on column reporting.claims.id is
  'The claim.';
comment on column reporting.claims.spot_id is
  'The claimed spot.';
comment on column reporting.claims.spot_number is
  'The number on the ground.';
comment on column reporting.claims.building_section is
  'Section or location of the spot.';
comment on column reporting.claims.owner_id is
  'The owner of the spot; a key to count by, not a name.';
comment on column reporting.claims.claimer_id is
  'The resident who claimed; a key to count by, not a name.';
comment on column reporting.claims.status is
  'active, completed or cancelled.';
comment on column reporting.claims.start_time is
  'The first moment of the parking session.';
comment on column reporting.claims.end_time is
  'The first moment after the parking session.';
comment on column reporting.claims.created_at is
  'When the claim was made.';
comment on column reporting.claims.lead_hours is
  'How long before its start the claim was made.';
comment on column reporting.claims.duration_hours is
  'How long the parking session is.';
comment on column reporting.claims.closed_at is
  'When it was completed or cancelled; null while it is active.';
comment on column reporting.claims.cancelled_by is
  'The account that cancelled it, the claimer or an administrator; null for the owner of the database, and unless it is cancelled.';
grant select on reporting.claims to parking_reporter;
--! EndIncluded reporting/claims.sql
--! Included reporting/building.sql
/* Reporting tools log in with UTC, and the days of the building are others. */
create or replace view reporting.building as
  select b.name,
         b.time_zone
    from parking.building b;

comment on view reporting.building is
  'The building, one row: with its time zone a report counts in its days.';
comment on column reporting.building.name is
  'Its name.';
comment on column reporting.building.time_zone is
  'The time zone of its days and hours, such as Europe/Berlin.';
grant select on reporting.building to parking_reporter;
--! EndIncluded reporting/building.sql
--! Included reporting/demand_by_hour.sql
/* Counted by quarters of an hour first: all clocks are whole quarters apart, and there are few of them. */
create or replace view reporting.demand_by_hour as
  with quarters as (
    select date_bin('15 minutes', c.created_at, 'epoch') as quarter,
           count(*) as made,
           0 as begun
      from parking.claims c
     group by 1
    union all
    select date_bin('15 minutes', c.start_time, 'epoch'),
           0,
           count(*)
      from parking.claims c
     group by 1
  )
  select extract(isodow from q.quarter at time zone b.time_zone)::integer as weekday,
         extract(hour from q.quarter at time zone b.time_zone)::integer as hour,
         sum(q.made)::bigint as claims_made,
         sum(q.begun)::bigint as claims_begun
    from quarters q
   cross join parking.building b
   group by 1, 2;

comment on view reporting.demand_by_hour is
  'One row for each hour of the week (in the time zone of the building) in which a claim was ever made or begins, cancelled ones included.';
comment on column reporting.demand_by_hour.weekday is
  'Day of the week, 1 Monday to 7 Sunday.';
comment on column reporting.demand_by_hour.hour is
  'Hour of the day, 0 to 23.';
comment on column reporting.demand_by_hour.claims_made is
  'Claims that people made in that hour of the week.';
comment on column reporting.demand_by_hour.claims_begun is
  'Claims whose parking session begins in that hour of the week.';
grant select on reporting.demand_by_hour to parking_reporter;
--! EndIncluded reporting/demand_by_hour.sql
--! Included reporting/occupancy_by_hour.sql
/* Offered and claimed hours for each hour of the week. */
create or replace view reporting.occupancy_by_hour as
  select u.weekday,
         u.hour,
         round(u.offered / 3600, 3) as offered_hours,
         round(u.claimed / 3600, 3) as claimed_hours,
         round(u.claimed / u.offered, 4) as occupancy
    from private.reported_hour_use() u;

comment on view reporting.occupancy_by_hour is
  'One row for each hour of the week (in the time zone of the building) in which any spot was ever offered, up to a year from today.';
comment on column reporting.occupancy_by_hour.weekday is
  'Day of the week, 1 Monday to 7 Sunday.';
comment on column reporting.occupancy_by_hour.hour is
  'Hour of the day, 0 to 23.';
comment on column reporting.occupancy_by_hour.offered_hours is
  'Hours offered in that hour of the week, over all weeks and spots.';
comment on column reporting.occupancy_by_hour.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.occupancy_by_hour.occupancy is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.occupancy_by_hour to parking_reporter;
--! EndIncluded reporting/occupancy_by_hour.sql
--! Included rate_limits/charge_rate_limits.sql
/* Counts a request in all windows of its caller, by the one clock that all services share. */
create or replace function private.charge_rate_limits(
    caller text,
    points integer,
    windows text[],
    most integer[],
    seconds integer[]
)
  returns table (charged integer, milliseconds integer)
  language plpgsql
  volatile
  security definer -- the API role may count, and neither read nor forget what was counted
  set search_path = ''
  rows 2
as $$
declare
  v_now constant timestamptz(3) := clock_timestamp();
  v_key text;
  v_points integer := charge_rate_limits.points;
  v_ends_at timestamptz(3);
  v_opened integer := 0;
begin
  -- Each row stays locked until the end. Every request names its windows in one order, so that no
  -- two of a caller wait for one another.
  for i in 1 .. cardinality(charge_rate_limits.windows) loop
    v_key := charge_rate_limits.windows[i] || ':' || charge_rate_limits.caller;

    -- Most requests charge a window that is open and has something left.
    update private.rate_limits r
       set points = r.points + v_points
     where r.key = v_key
       and r.ends_at > v_now
       and r.points < charge_rate_limits.most[i]
       and v_points > 0
    returning r.points, r.ends_at into charged, v_ends_at;

    if not found then
      select r.points + v_points, r.ends_at into charged, v_ends_at
        from private.rate_limits r
       where r.key = v_key
         and r.ends_at > v_now;

      -- Nothing is written for a request that is refused anyway, nor for a look. Another request may
      -- have opened the window meanwhile.
      if v_points > 0 and coalesce(charged - v_points < charge_rate_limits.most[i], true) then
        insert into private.rate_limits as r (key, points, ends_at)
        values (v_key, v_points, v_now + make_interval(secs => charge_rate_limits.seconds[i]))
        on conflict on constraint rate_limits_pkey do update
          set points = excluded.points + case when r.ends_at > v_now then r.points else 0 end,
              ends_at = case when r.ends_at > v_now then r.ends_at else excluded.ends_at end
        returning r.points, r.ends_at into charged, v_ends_at;
        v_opened := v_opened + 1;
      end if;
    end if;
    milliseconds := ceil(extract(epoch from v_ends_at - v_now) * 1000);
    return next;

    -- What one window refuses is not charged to the next ones: they are only looked at.
    if charged > charge_rate_limits.most[i] then
      v_points := 0;
    end if;
  end loop;

  -- For each window that it opens, a request deletes two that ended, so that the table does not
  -- grow. It does so last: to wait with rows of others locked would be to wait in a circle.
  if v_opened > 0 then
    delete from private.rate_limits r
     where r.key in (
       select e.key
         from private.rate_limits e
        where e.ends_at <= v_now
        order by e.ends_at
        limit 2 * v_opened
          for update skip locked
     );
  end if;
end;
$$;

comment on function private.charge_rate_limits is
  'Charges a caller points in windows, each of which may hold so many of them and ends so many seconds after its first charge: one after the other until one is exceeded, the others are only looked at. Returns for each what was charged in it so far, and how long it lasts; null where none is open.';
grant execute on function private.charge_rate_limits to parking_api;
--! EndIncluded rate_limits/charge_rate_limits.sql
--! Included rate_limits/charge_rate_limit.sql
/* For services of 1.0.0 that still run beside newer ones. No newer one uses it. */
create or replace function private.charge_rate_limit(
    key text,
    points integer,
    most integer,
    seconds integer,
    out charged integer,
    out milliseconds integer
)
  language sql
  volatile
  security invoker
  set search_path = ''
begin atomic
  -- Their keys are <window>:<caller> already.
  select c.charged, c.milliseconds
    from private.charge_rate_limits(
      split_part(charge_rate_limit.key, ':', 2),
      charge_rate_limit.points,
      array[split_part(charge_rate_limit.key, ':', 1)],
      array[charge_rate_limit.most],
      array[charge_rate_limit.seconds]
    ) c;
end;

comment on function private.charge_rate_limit is
  'Charges one window, for services of 1.0.0. Goes with the next version.';
grant execute on function private.charge_rate_limit to parking_api;
--! EndIncluded rate_limits/charge_rate_limit.sql

drop function if exists private.pattern_of_names(uuid);
--! Included profiles/is_of_script_without_spaces.sql
/* Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese: names stand in the middle of other letters. */
create or replace function private.is_of_script_without_spaces(name text)
  returns boolean
  language sql
  immutable
return name ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\U00020000-\U0003ffff]';

comment on function private.is_of_script_without_spaces is
  'Whether a name has letters of a script that puts no spaces between words, or none between a name and what follows.';
--! EndIncluded profiles/is_of_script_without_spaces.sql
--! Included profiles/names_of.sql
/* People write names into free texts: reasons and the descriptions of spots. */
create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  set search_path = ''
begin atomic
  with known as (
    select p.full_name, p.email, p.phone_number
      from parking.profiles p
     where p.id = names_of.id
    union all
    select e.data ->> 'full_name', e.data ->> 'email', e.data ->> 'phone_number'
      from private.events e
     where e.subject_id = names_of.id
       and e.type like 'profile.%'
  )
  select array_agg(distinct n.name)
    from known k
   cross join lateral (
     values (k.full_name), (k.email), (k.phone_number)
     union all
     -- Also first and last name alone; not the "van" and "der" in between.
     select part.name
       from regexp_split_to_table(k.full_name, '\W+') as part (name)
      where part.name !~ '^[[:lower:]]'
         or k.full_name = lower(k.full_name)
   ) n (name)
   -- A shorter one would match too many other words.
   where char_length(n.name) >= case when private.is_of_script_without_spaces(n.name) then 2 else 3 end;
end;

comment on function private.names_of is
  'The names, in whole and in part, and the addresses and phone numbers that a person has or had.';
--! EndIncluded profiles/names_of.sql
--! Included profiles/without_names.sql
create or replace function private.without_names(value text, names text[])
  returns text
  language sql
  immutable
return coalesce(
  (
    select regexp_replace(
             without_names.value,
             -- The longest first; as whole words where words have spaces between them.
             string_agg(
               case
                 when private.is_of_script_without_spaces(n.name) then escaped.name
                 else '(?<!\w)' || escaped.name || '(?!\w)'
               end,
               '|' order by char_length(n.name) desc
             ),
             'erased',
             'gi'
           )
      from unnest(without_names.names) n (name)
     cross join lateral (values (regexp_replace(n.name, '([^\w\s])', '\\\1', 'g'))) escaped (name)
     -- A person may have had thousands of names, and PostgreSQL fails on an expression of so many.
     where position(upper(n.name) in upper(without_names.value)) > 0
  ),
  without_names.value
);

comment on function private.without_names is
  'The text with "erased" for each of these names.';
--! EndIncluded profiles/without_names.sql
--! Included profiles/erase_from_texts.sql
/*
 * People write names into free texts: reasons and the descriptions of spots. There they are replaced.
 * Messages of notifications are texts of the service, and made anew.
 */
create or replace function private.erase_from_texts(id uuid, names text[])
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  -- A section that has spots of others too is no name, whatever it is called.
  v_sections constant text[] := array(
    select s.building_section from parking.spots s where s.owner_id <> erase_from_texts.id
  );
  v_texts constant text := (
    select upper(string_agg(t.value, ' '))
      from (
        select e.reason
          from private.events e
         where e.reason is not null
        union all
        select concat_ws(' ', e.data ->> 'spot_number', e.data ->> 'building_section')
          from private.events e
         where e.type like 'spot.%'
           and e.data ->> 'owner_id' = erase_from_texts.id::text
        union all
        select concat_ws(' ', s.spot_number, s.building_section)
          from parking.spots s
         where s.owner_id = erase_from_texts.id
      ) t (value)
  );
  -- Of thousands of names that a person may have had, few are in any text.
  v_names constant text[] := array(
    select n.name
      from unnest(erase_from_texts.names) n (name)
     where position(upper(n.name) in v_texts) > 0
  );
  v_notifications uuid[];
begin
  delete from parking.notifications n
   where n.recipient_id = erase_from_texts.id;

  if cardinality(v_names) = 0 then
    return;
  end if;

  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when erased.spot_number = s.spot_number then s.spot_number
           else 'erased ' || right(s.id::text, 12)
         end,
         building_section = erased.building_section
    from (
      select o.id,
             private.without_names(o.spot_number, v_names) as spot_number,
             case
               when o.building_section = any (v_sections) then o.building_section
               else regexp_replace(left(private.without_names(o.building_section, v_names), 100), '\s+$', '')
             end as building_section
        from parking.spots o
       where o.owner_id = erase_from_texts.id
    ) erased
   where s.id = erased.id
     and (erased.spot_number, erased.building_section) <> (s.spot_number, s.building_section);

  -- Those whose message has a reason or the number of a spot that changes below.
  v_notifications := array(
    with changed as materialized (
      select e.type, e.subject_id
        from private.events e
       where e.reason is not null
         and private.without_names(e.reason, v_names) <> e.reason
    ),
    renamed as materialized (
      select e.subject_id
        from private.events e
       where e.type like 'spot.%'
         and e.data ->> 'owner_id' = erase_from_texts.id::text
         and private.without_names(e.data ->> 'spot_number', v_names) <> e.data ->> 'spot_number'
    )
    select n.id
      from parking.notifications n
     cross join lateral (values (n.claim_id), (n.availability_id), (n.spot_id), (n.recipient_id)) s (id)
     where (n.kind, s.id) in (select c.type, c.subject_id from changed c)
    union
    select n.id
      from parking.notifications n
     where n.spot_id in (select r.subject_id from renamed r)
  );

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', private.without_names(e.data ->> 'spot_number', v_names),
           'building_section', case
             when e.data ->> 'building_section' = any (v_sections) then e.data ->> 'building_section'
             else private.without_names(e.data ->> 'building_section', v_names)
           end
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_from_texts.id::text;

  update private.events e
     set reason = regexp_replace(left(private.without_names(e.reason, v_names), 300), '\s+$', '')
   where e.reason is not null
     and private.without_names(e.reason, v_names) <> e.reason;

  perform set_config('parking.erasing', 'off', true);

  perform private.renew_messages(v_notifications);
end;
$$;

comment on function private.erase_from_texts is
  'Erases these names from reasons, from the descriptions of this person''s spots, and from the messages that repeat these.';
--! EndIncluded profiles/erase_from_texts.sql
--! Included locks/lock_windows.sql
/* Two writers of one spot's windows run one after the other: concurrent checks of an exclusion constraint can deadlock. */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- the API role may take no advisory lock
  set search_path = ''
as $$
declare
  v_key constant bigint := hashtextextended(new.spot_id::text, 0);
begin
  -- Not the spot: an UPDATE has locked its window already, and whoever deletes the spot waits for
  -- that.
  if tg_op = 'UPDATE' and (new.start_time, new.end_time) = (old.start_time, old.end_time) then
    -- A claim takes or frees the window. PostgreSQL checks the constraint then too, because is_claimed
    -- is in an index. Claims of one spot do not wait for each other.
    perform pg_advisory_xact_lock_shared(v_key);
  else
    perform pg_advisory_xact_lock(v_key);
  end if;
  return new;
end;
$$;

comment on function private.lock_windows is
  'Trigger function: makes those who write the times of one spot''s windows wait for each other, and for those who claim them.';

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time, is_claimed on parking.availabilities
  for each row
  execute function private.lock_windows();
--! EndIncluded locks/lock_windows.sql
--! Included reporting/people.sql
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
       group by o.owner_id
    ) s on s.owner_id = p.id
    left join (
      select a.owner_id, count(*) as windows
        from parking.availabilities a
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
  'How many spots it owns.';
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
--! EndIncluded reporting/people.sql

-- A claim is counted with its window now.
drop trigger if exists keep_counts_of_claimed on parking.availabilities;
drop trigger if exists keep_counts_of_moved on parking.availabilities;
drop trigger if exists keep_counts_of_made on parking.claims;
drop trigger if exists keep_counts_of_changed on parking.claims;
drop trigger if exists keep_counts_of_deleted on parking.claims;
drop function if exists private.keep_claimed_counts();
drop function if exists private.keep_claim_counts();
drop function if exists private.drop_claim_counts();
drop function if exists private.add_day_counts(date, date, bigint, bigint, bigint, bigint, bigint);
--! Included totals/add_day_counts.sql
/*
 * Counts change in the transaction of the rows that they count, so that a rollback needs no repair.
 * No writer waits for another: it takes any row of the day that nobody has locked, or adds one.
 * A day has about as many rows as it once had writers at the same moment, most days one.
 */
create or replace function private.add_day_counts(
    window_start timestamptz default null,
    window_end timestamptz default null,
    windows bigint default 0,
    claimed bigint default 0,
    claim_start timestamptz default null,
    claim_end timestamptz default null,
    active bigint default 0,
    completed bigint default 0,
    cancelled bigint default 0
)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
declare
  v_days constant date[] := array[
    private.utc_day(add_day_counts.window_start),
    private.utc_day(add_day_counts.window_end),
    private.utc_day(add_day_counts.claim_start),
    private.utc_day(add_day_counts.claim_end)
  ];
  v_day date;
  v_add private.day_counts;
begin
  -- Each day once: a claim and its window mostly have one day.
  for i in 1..4 loop
    v_day := v_days[i];
    continue when v_day is null or v_day = any (v_days[:i - 1]);

    v_add.windows_started := case when v_day = v_days[1] then add_day_counts.windows else 0 end;
    v_add.windows_ended := case when v_day = v_days[2] then add_day_counts.windows else 0 end;
    v_add.claimed_started := case when v_day = v_days[1] then add_day_counts.claimed else 0 end;
    v_add.claimed_ended := case when v_day = v_days[2] then add_day_counts.claimed else 0 end;
    v_add.active_started := case when v_day = v_days[3] then add_day_counts.active else 0 end;
    v_add.active_ended := case when v_day = v_days[4] then add_day_counts.active else 0 end;
    v_add.completed_started := case when v_day = v_days[3] then add_day_counts.completed else 0 end;
    v_add.completed_ended := case when v_day = v_days[4] then add_day_counts.completed else 0 end;
    v_add.cancelled_started := case when v_day = v_days[3] then add_day_counts.cancelled else 0 end;
    v_add.cancelled_ended := case when v_day = v_days[4] then add_day_counts.cancelled else 0 end;

    update private.day_counts c
       set windows_started = c.windows_started + v_add.windows_started,
           windows_ended = c.windows_ended + v_add.windows_ended,
           claimed_started = c.claimed_started + v_add.claimed_started,
           claimed_ended = c.claimed_ended + v_add.claimed_ended,
           active_started = c.active_started + v_add.active_started,
           active_ended = c.active_ended + v_add.active_ended,
           completed_started = c.completed_started + v_add.completed_started,
           completed_ended = c.completed_ended + v_add.completed_ended,
           cancelled_started = c.cancelled_started + v_add.cancelled_started,
           cancelled_ended = c.cancelled_ended + v_add.cancelled_ended
     where c.id = (
       select unlocked.id
         from private.day_counts unlocked
        where unlocked.day = v_day
          -- At higher levels a row that changed since the snapshot would be an error. The second
          -- condition is true of a row that nobody has changed since it was written.
          and (
            current_setting('transaction_isolation') = 'read committed'
            or unlocked.xmax in ('0', unlocked.xmin)
          )
        limit 1
          for no key update skip locked
     );

    if not found then
      insert into private.day_counts (
        day,
        windows_started,
        windows_ended,
        claimed_started,
        claimed_ended,
        active_started,
        active_ended,
        completed_started,
        completed_ended,
        cancelled_started,
        cancelled_ended
      )
      values (
        v_day,
        v_add.windows_started,
        v_add.windows_ended,
        v_add.claimed_started,
        v_add.claimed_ended,
        v_add.active_started,
        v_add.active_ended,
        v_add.completed_started,
        v_add.completed_ended,
        v_add.cancelled_started,
        v_add.cancelled_ended
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_day_counts is
  'Adds windows or claims with these times, or with negative numbers takes them away. A claim and the window that it takes are added together, so that a day that they share is written once. For triggers.';
--! EndIncluded totals/add_day_counts.sql
--! Included availabilities/keep_availability_counts.sql
/* The counts of days follow each window. */
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
      windows => -1,
      claimed => -old.is_claimed::integer
    );
  end if;
  perform private.add_day_counts(
    new.start_time,
    new.end_time,
    windows => 1,
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
  after update on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    -- A claim counts the window that it marks, from its own trigger. This is one marked by hand.
    or (new.is_claimed <> old.is_claimed and pg_trigger_depth() = 0)
  )
  execute function private.keep_availability_counts();
--! EndIncluded availabilities/keep_availability_counts.sql
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
    windows => -count(*),
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
--! Included claims/mark_availability.sql
/*
 * Keeps is_claimed of the window, which is true while an active or completed claim holds it, and the
 * counts of days and of the claimer. Together, because the claim and its window are mostly of one day.
 */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  -- At most one claim of a window is not cancelled (claims_one_per_availability). Only that claim
  -- counts; a change of a cancelled one never frees the window.
  v_before constant uuid :=
    case when tg_op = 'UPDATE' and old.status <> 'cancelled' then old.availability_id end;
  v_now constant uuid := case when new.status <> 'cancelled' then new.availability_id end;
  v_freed parking.availabilities;
  v_taken parking.availabilities;
begin
  if v_before is not null and v_now is distinct from v_before then
    update parking.availabilities a set is_claimed = false where a.id = v_before
    returning * into v_freed;
  end if;
  if v_now is not null and v_before is distinct from v_now then
    update parking.availabilities a set is_claimed = true where a.id = v_now
    returning * into v_taken;
  end if;

  if tg_op = 'UPDATE' and (
    (new.start_time, new.end_time) <> (old.start_time, old.end_time)
    or v_before <> v_now
  ) then
    perform private.add_day_counts(
      v_freed.start_time,
      v_freed.end_time,
      claimed => -1,
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    perform private.add_day_counts(
      v_taken.start_time,
      v_taken.end_time,
      claimed => 1,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer,
      completed => (new.status = 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer
    );
  else
    -- Of a new claim, old is null.
    perform private.add_day_counts(
      coalesce(v_taken.start_time, v_freed.start_time),
      coalesce(v_taken.end_time, v_freed.end_time),
      claimed => (v_now is not null)::integer - (v_before is not null)::integer,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer - (old.status is not distinct from 'active')::integer,
      completed => (new.status = 'completed')::integer - (old.status is not distinct from 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer - (old.status is not distinct from 'cancelled')::integer
    );
  end if;

  if (new.claimer_id, new.status) is distinct from (old.claimer_id, old.status) then
    if tg_op = 'UPDATE' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    perform private.add_person_count(new.claimer_id, new.status, 1);
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the windows that a claim takes and frees, and counts the claim and its window.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  when (
    (new.availability_id, new.claimer_id, new.status, new.start_time, new.end_time)
      is distinct from
      (old.availability_id, old.claimer_id, old.status, old.start_time, old.end_time)
  )
  execute function private.mark_availability();
--! EndIncluded claims/mark_availability.sql
--! Included claims/free_availabilities.sql
/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
begin
  update parking.availabilities a
     set is_claimed = false
    from deleted d
   where a.id = d.availability_id
     and d.status <> 'cancelled'
     -- Not when the spot was deleted: its windows are deleted after its claims.
     and exists (select from parking.spots s where s.id = a.spot_id);

  perform private.add_day_counts(
    min(a.start_time),
    min(a.end_time),
    claimed => -count(a.id),
    claim_start => min(d.start_time),
    claim_end => min(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from deleted d
     left join (parking.availabilities a join parking.spots s on s.id = a.spot_id)
       on a.id = d.availability_id
      and d.status <> 'cancelled'
    group by
      private.utc_day(a.start_time),
      private.utc_day(a.end_time),
      private.utc_day(d.start_time),
      private.utc_day(d.end_time);

  perform private.add_person_count(d.claimer_id, d.status, -count(*))
     from deleted d
    group by d.claimer_id, d.status;
  return null;
end;
$$;

comment on function private.free_availabilities is
  'Trigger function: clears is_claimed of the windows of the claims that a statement deleted, and takes these from the counts.';

create or replace trigger free_availabilities
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.free_availabilities();
--! EndIncluded claims/free_availabilities.sql

-- One function writes the log. create or replace trigger gives the triggers that stay the new function.
drop trigger if exists record_registration_or_deletion on parking.spots;
--! Included events/event_data.sql
/* What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry down to it. */
create or replace function private.event_data(thing text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case thing
    when 'availability' then array['owner_id', 'during']
    when 'claim' then array['spot_id', 'owner_id', 'held']
    else '{}'
  end
) || (
  select jsonb_object_agg(t.name, private.iso8601((subject ->> t.name)::timestamptz))
    from unnest(array['start_time', 'end_time', 'created_at', 'updated_at']) t (name)
   where subject ? t.name
);

comment on function private.event_data is
  'A row as the event log keeps it: as clients see it.';
--! EndIncluded events/event_data.sql
--! Included events/record_event.sql
/* Every event of a row is written here. The triggers say which change is which event. */
create or replace function private.record_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_type constant text := tg_argv[0];
  v_thing constant text := split_part(v_type, '.', 1);
begin
  if tg_level = 'ROW' then
    insert into private.events (type, subject_id, data)
    values (v_type, new.id, private.event_data(v_thing, to_jsonb(new)));
  else
    -- A spot may have thousands of windows and claims: all that go with it are logged in one statement.
    insert into private.events (type, subject_id, actor_id, reason, data)
    select v_type,
           d.id,
           (select private.caller_id()),
           (select private.reason()),
           private.event_data(v_thing, to_jsonb(d))
      from deleted d;
  end if;
  return null;
end;
$$;

comment on function private.record_event is
  'Trigger function: logs the rows that were written or deleted, as events of the type that the trigger names.';
--! EndIncluded events/record_event.sql
--! Included events/events_of_profiles.sql
/* Profiles are registered, approved and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.is_approved, new.is_admin
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.is_approved, old.is_admin
    )
  )
  execute function private.record_event('profile.updated');
--! EndIncluded events/events_of_profiles.sql
--! Included events/events_of_spots.sql
/* Spots are registered, verified, updated and deleted. */
create or replace trigger record_registration
  after insert on parking.spots
  for each row
  execute function private.record_event('spot.registered');

create or replace trigger record_verification
  after update on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.record_event('spot.verified');

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    not (new.is_verified and not old.is_verified)
    and (new.spot_number, new.building_section, new.is_verified)
      is distinct from (old.spot_number, old.building_section, old.is_verified)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');
--! EndIncluded events/events_of_spots.sql
--! Included events/events_of_availabilities.sql
/* Windows are created, moved and deleted. A claim of a window is an event of the claim. */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted');
--! EndIncluded events/events_of_availabilities.sql
--! Included events/events_of_claims.sql
/* Claims are submitted, moved, completed, cancelled and deleted. */
create or replace trigger record_submission
  after insert on parking.claims
  for each row
  execute function private.record_event('claim.submitted');

create or replace trigger record_update
  after update on parking.claims
  for each row
  when (
    new.status = old.status
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_completion
  after update on parking.claims
  for each row
  when (new.status = 'completed' and old.status <> 'completed')
  execute function private.record_event('claim.completed');

create or replace trigger record_cancellation
  after update on parking.claims
  for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.record_event('claim.cancelled');

create or replace trigger record_deletions
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.record_event('claim.deleted');
--! EndIncluded events/events_of_claims.sql
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace: name, address and phone number go from everywhere,
 * also from the event log. Rows stay, so that counts and reports stay true, and so does what is over.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_names text[];
  v_profile parking.profiles;
begin
  perform private.lock_person(erase_person.id);
  v_names := private.names_of(erase_person.id);
  perform private.end_of_person(erase_person.id);

  -- A changed address locks the profile so that nobody can notify the person any more. Whoever is about
  -- to may have changed an older notification, which is deleted below: they end first.
  perform
     from parking.notifications n
    where n.recipient_id = erase_person.id
    order by n.id
      for update;

  update private.users u
     set email = u.id || '@erased.invalid',
         email_confirmed_at = null,
         erased_at = now()
   where u.id = erase_person.id;

  update parking.profiles p
     set full_name = null,
         apartment_number = 'erased',
         phone_number = null,
         shares_phone_number = false,
         is_approved = false,
         is_admin = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  delete from private.idempotency_keys k
   where k.person_id = erase_person.id;

  insert into private.events (type, subject_id, data)
  values ('profile.erased', v_profile.id, private.event_data('profile', to_jsonb(v_profile)));

  -- After the last event: the reason of the erasure may name the person too.
  perform private.erase_from_texts(erase_person.id, v_names);

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         )
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, the event log, the notifications and the answers kept under idempotency keys. Cancels their claims that have not ended and those on their spots, and ends their free windows. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
drop function if exists private.record_profile_event();
drop function if exists private.record_spot_event();
drop function if exists private.record_availability_event();
drop function if exists private.record_availability_deletions();
drop function if exists private.record_claim_event();
drop function if exists private.record_claim_deletions();
drop function if exists private.profile_json(parking.profiles);
drop function if exists private.spot_json(parking.spots);
drop function if exists private.availability_json(parking.availabilities);
drop function if exists private.claim_json(parking.claims);

-- The same checks, read in less time by each statement that writes.
--! Included support/is_one_line.sql
/* What every text that people type has in common: some characters on one line, and no invisible ones. */
create or replace function private.is_one_line(value text, shortest integer, longest integer)
  returns boolean
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return char_length(value) >= shortest
    and char_length(value) <= longest
    -- Regular expressions of PostgreSQL do not know Unicode's categories. These are, of Unicode 17.0,
    -- Cc, Cf, Zl, Zp and Default_Ignorable_Code_Point, and two blanks that NFKC does not make a space:
    -- U+1680 and U+2800. A test compares them with every code point and with src/one-line.ts.
    and value !~ (
      '['
      '\u0001-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f'
      '\u0890-\u0891\u08e2\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u200b-\u200f'
      '\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
      '\U0001d173-\U0001d17a\U000e0000-\U000e0fff'
      ']'
    )
    and value !~ '^[ \u00a0\u2000-\u200a\u202f\u205f\u3000]|[ \u00a0\u2000-\u200a\u202f\u205f\u3000]$';
end;
$$;

comment on function private.is_one_line is
  'Whether a text has shortest to longest characters, none of them invisible, and no white space around it. Null gives null.';
grant execute on function private.is_one_line to parking_api;
--! EndIncluded support/is_one_line.sql
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
    'profile.registered', 'profile.updated', 'profile.approved', 'profile.erased',
    'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
    'availability.created', 'availability.updated', 'availability.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
--! EndIncluded events/is_event_type.sql
--! Included events/rules/events_type_is_known.sql
alter table private.events
  drop constraint if exists events_type_is_known,
  add constraint events_type_is_known
    check (private.is_event_type(type));

comment on constraint events_type_is_known on private.events is
  E'@field type\ntype must be a known type of event';
--! EndIncluded events/rules/events_type_is_known.sql
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
    'profile.approved', 'spot.verified', 'spot.deleted', 'availability.deleted'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
--! EndIncluded notifications/is_notification_kind.sql
--! Included notifications/rules/notifications_kind_is_known.sql
alter table parking.notifications
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (private.is_notification_kind(kind));

comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
--! EndIncluded notifications/rules/notifications_kind_is_known.sql
--! Included notifications/notify.sql
/* Every notification is written here. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    spot parking.spots default null,
    availability_id uuid default null,
    claim_id uuid default null,
    start_time timestamptz default null,
    end_time timestamptz default null
)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  -- Nobody gets a notification about their own action.
  if notify.recipient_id is not distinct from private.caller_id() then
    return;
  end if;

  insert into parking.notifications
    (recipient_id, kind, message, claim_id, availability_id, spot_id)
  values (
    notify.recipient_id,
    notify.kind,
    private.notification_message(
      notify.recipient_id, notify.kind, notify.spot, notify.start_time, notify.end_time,
      private.reason()
    ),
    notify.claim_id,
    notify.availability_id,
    (notify.spot).id
  );
end;
$$;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';
--! EndIncluded notifications/notify.sql
