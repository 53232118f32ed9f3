--! Previous: sha1:d5e61bdd65b66552aac6412ea0ff2f004d11e293
--! Hash: sha1:2d04ffc2d96db2761ae2d86bafb9d874b7f70787
--! Message: Who cancels a claim, kept apart

drop trigger if exists touch on parking.claims; -- made again with private.touch
drop function if exists private.touch_status();
--! Included users/table.sql
/* Sign-in data from the identity provider, stored because only the person's own token carries it. */
create table if not exists private.users (
  id uuid,
  email text constraint users_email_is_given not null,
  email_confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  erased_at timestamptz(3),
  constraint users_pkey primary key (id),
  constraint users_id_email_key unique (id, email)
);

alter table private.users
  add column if not exists token_issued_at timestamptz(3);

alter table private.users enable row level security;
-- No policy and no grant: the API role reaches users through private.remember_user only.

comment on table private.users is
  'What the identity provider''s tokens say of a person, one row per registered person.';
comment on column private.users.id is
  'The subject of the token.';
comment on column private.users.email is
  'The address in the latest token that had one.';
comment on column private.users.email_confirmed_at is
  'When the provider confirmed the address; without that claim, when a token first had email_verified.';
comment on column private.users.created_at is
  'When the user was first seen.';
comment on column private.users.updated_at is
  'When the row last changed.';
comment on column private.users.erased_at is
  'When the personal data was erased. From then on tokens no longer refresh it.';

comment on column private.users.token_issued_at is
  'When the latest token was issued (iat) that was heard. What an older one says overwrites nothing.';

create index if not exists users_confirmed_address_idx
  on private.users (private.address_key(email))
  where email_confirmed_at is not null;

create or replace trigger touch
  before update on private.users
  for each row
  -- A new token_issued_at changes nothing that the person sees.
  when (
    (old.email, old.email_confirmed_at, old.erased_at)
      is distinct from (new.email, new.email_confirmed_at, new.erased_at)
  )
  execute function private.touch();
--! EndIncluded users/table.sql
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
--! Included profiles/known_profile.sql
create or replace function private.known_profile()
  returns setof parking.profiles
  language sql
  stable
  security definer -- the API role has no access to private.users; this shows the caller's own row
  set search_path = ''
  rows 1
as $$
  select p.*
    from private.users u
    join parking.profiles p on p.id = u.id
   cross join lateral private.said_by_token(u.email, u.email_confirmed_at) said
   cross join lateral private.flags_by_groups(p) flags
   where u.id = (select private.caller_id())
     and (
       -- The profile needs no refresh (private.remember_user, private.follow_groups).
       u.erased_at is not null
       or private.is_outdated(u.token_issued_at)
       or (
         u.email, u.email_confirmed_at,
         p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups,
         u.token_issued_at
       ) is not distinct from (
         said.email, said.email_confirmed_at,
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups,
         coalesce((select private.token_issued_at()), u.token_issued_at)
       )
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user or private.follow_groups would write, or there is none.';
grant execute on function private.known_profile to parking_api;
--! EndIncluded profiles/known_profile.sql
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

  perform set_config('parking.tidying', 'on', true); -- notifies nobody
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
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace. What they are and what they wrote goes, and what was
 * written about them, as the rows say: nobody searches what others wrote (private.mentions lists that). Rows
 * stay, so that counts and reports stay true, and so does what is over. The log is long: first the ids of
 * what it is about, by indexes, then its rows by these.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
  v_began constant timestamptz(3) := now();
  v_reason constant text := private.reason();
  v_spots uuid[];
  v_made uuid[];
  v_received uuid[];
  v_plates text[];
begin
  perform private.lock_person(erase_person.id);
  perform private.end_of_person(erase_person.id);

  v_spots := array(
    select s.id from parking.spots s where s.owner_id = erase_person.id
    union
    select private.deleted_of(erase_person.id, 'spot.deleted')
  );
  v_made := array(
    select c.id from parking.claims c where c.claimer_id = erase_person.id
    union
    select private.deleted_of(erase_person.id, 'claim.deleted')
  );
  v_received := array(
    select c.id from parking.claims c where c.owner_id = erase_person.id
  );
  v_plates := array(
    select private.plate(p.vehicle) from parking.profiles p where p.id = erase_person.id
    union
    select private.plate(c.vehicle)
      from parking.claims c
     where c.id = any (v_made)
       and c.vehicle is not null
       and c.guest is null
    union
    select private.plate(e.data ->> 'vehicle')
      from private.events e
     where e.subject_id = erase_person.id
       and e.type like 'profile.%'
       and e.data ->> 'vehicle' is not null
  );

  -- What the person accepted, and could still accept: somebody else may be invited by an address that
  -- this person only claims.
  delete from parking.invitations i
   where i.profile_id = erase_person.id
      or i.address = (
           select private.address_key(u.email)
             from private.users u
            where u.id = erase_person.id
              and u.email_confirmed_at is not null
         );

  -- A changed address locks the profile so that nobody can notify the person any more. A transaction that
  -- is about to may have changed an older notification, which is deleted below: it ends first.
  perform
     from parking.notifications n
    where n.recipient_id = erase_person.id
    order by n.id
      for update;

  update private.users u
     set email = u.id || '@erased.invalid',
         email_confirmed_at = null,
         token_issued_at = null,
         erased_at = now()
   where u.id = erase_person.id;

  update parking.profiles p
     set full_name = null,
         apartment_number = 'erased',
         phone_number = null,
         shares_phone_number = false,
         vehicle = null,
         rejection_reason = null,
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

  delete from parking.preferences p
   where p.person_id = erase_person.id;

  delete from parking.calendar_feeds f
   where f.person_id = erase_person.id;

  -- The person may have typed a name there. The name of an existing section stays.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_person.id
     and w.building_section not in (
       select s.building_section from parking.spots s where s.owner_id <> erase_person.id
     );

  delete from parking.notifications n
   where n.recipient_id = erase_person.id;

  -- Reports by the person, and reports of the person's own car. Notifications about a report have the plate
  -- too; they were written in the transaction of the report.
  with reported as (
    delete from parking.spot_reports r
     where r.reporter_id = erase_person.id
    returning r.spot_id, r.created_at
  ),
  seen as (
    update parking.spot_reports r
       set vehicle = null
     where r.reporter_id <> erase_person.id
       and private.plate(r.vehicle) = any (v_plates)
    returning r.spot_id, r.created_at
  )
  update parking.notifications n
     set data = n.data - 'vehicle'
    from (table reported union all table seen) r
   where n.spot_id = r.spot_id
     and n.created_at = r.created_at
     and n.kind = 'report.submitted'
     and (n.data is null or n.data ?| '{reason, vehicle}');

  -- The reasons why something of theirs was cancelled or removed before, but not the reason of this erasure.
  update parking.notifications n
     set data = n.data - 'reason',
         message = split_part(n.message, '. Reason: ', 1)
   where n.spot_id = any (
           v_spots || array(select c.spot_id from parking.claims c where c.id = any (v_made))
         )
     and (n.spot_id = any (v_spots) or n.claim_id = any (v_made))
     and (n.data is null or n.data ?| '{reason, vehicle}')
     and (n.created_at >= v_began and n.data ->> 'reason' = v_reason) is not true;

  perform set_config('parking.erasing', 'on', true); -- the exception of claims_closed_stay_closed, and of events_are_only_added
  update parking.claims c
     set guest = null,
         vehicle = null
   where c.claimer_id = erase_person.id
     and num_nonnulls(c.guest, c.vehicle) > 0;

  -- No event gets its position from here to the commit. Last, when no row has to be waited for any more.
  perform private.lock_events();

  insert into private.new_events (type, subject_id, data)
  values ('profile.erased', v_profile.id, to_jsonb(v_profile));

  update private.events e
     set data = e.data - '{vehicle, rejection_reason}'::text[] || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         )
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  update private.events e
     set data = e.data - 'notes'
   where e.subject_id = any (v_spots)
     and e.type like 'spot.%'
     and e.data ? 'notes';

  update private.events e
     set data = e.data - '{guest, vehicle}'::text[]
   where e.subject_id = any (v_made)
     and e.type like 'claim.%'
     and e.data ?| '{guest, vehicle}';

  -- What a report says of a car is dropped when its event gets a position: private.event_data.
  update private.new_events e
     set data = e.data - '{vehicle, note}'::text[]
   where e.type like 'report.%'
     and e.data ->> 'reporter_id' = erase_person.id::text;

  update private.events e
     set reason = null
   where e.reason is not null
     and (
       e.subject_id in (
         select s.id from unnest(erase_person.id || v_spots || v_made || v_received) s (id)
       )
       or (e.data ->> 'spot_id')::uuid in (select s.id from unnest(v_spots) s (id)) -- the window itself may be deleted
     )
     and (e.occurred_at >= v_began and e.reason = v_reason) is not true;

  perform set_config('parking.erasing', 'off', true);

  perform private.add_job('statistics', gen_random_uuid()::text);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, the invitations and the answers kept under idempotency keys, and the reasons that others gave for what was done to what is theirs. Cancels their claims that have not ended and those on their spots, and removes their spots. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
--! Included profiles/folded.sql
/* Most of what stands in a database is ASCII, of which this is a tenth of the work. */
create or replace function private.folded(value text)
  returns text
  language sql
  immutable
  parallel safe
return translate(
  case
    when octet_length(value) = char_length(value) then lower(value)
    else casefold(normalize(value, nfkc) collate pg_unicode_fast) collate "default"
  end,
  '"\', '' -- rows and JSON double these
);

comment on function private.folded is
  'A text for private.mentions: without case, compatibility forms (NFKC), quotes and backslashes.';
--! EndIncluded profiles/folded.sql
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

  -- The spot is not free any more. Those who wait for any spot may be offered another one.
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

  delete from private.exception_changes x
   where x.spot_id = old.id;
  delete from parking.exceptions e
   where e.spot_id = old.id;
  delete from parking.patterns p
   where p.spot_id = old.id;
  delete from parking.spot_access a
   where a.spot_id = old.id;

  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it
  update parking.claims c
     set status = 'completed'
   where c.spot_id = old.id
     and c.status = 'active'; -- it has ended, or spots_with_active_claims_stay would have refused
  perform set_config('parking.tidying', 'off', true);

  perform private.withdraw_all(array(
    select a.id
      from parking.availabilities a
     where a.spot_id = old.id
       and a.start_time >= v_now
       and not a.is_claimed
     order by a.id
  ));
  -- Windows that have begun keep the part until now.
  update parking.availabilities a
     set end_time = v_now
   where a.spot_id = old.id
     and a.start_time < v_now
     and a.end_time > v_now
     and not a.is_claimed;

  delete from parking.wishes w
   where w.spot_id = old.id
     and w.claim_id is null
     and w.start_time >= v_now;

  update parking.spots s
     set retired_at = v_now,
         notes = null
   where s.id = old.id;
  return null;
end;
$$;

comment on function private.retire_spot is
  'Trigger function: keeps a spot that was ever offered, claimed, wished for or reported, and ends what was to come of it.';

-- Triggers run in the order of their names. This one is the last, after every rule about deleting a spot.
create or replace trigger z_retire_spot
  before delete on parking.spots
  for each row
  execute function private.retire_spot();
--! EndIncluded spots/retire_spot.sql
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
  add column if not exists cancelled_by uuid;

comment on table parking.claims is
  E'@absent Claim not found\nA resident''s use of another''s window, or of part of it.';
comment on column parking.claims.id is
  'Identifies the claim.';
comment on column parking.claims.availability_id is
  'The claimed window.';
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
  'What the claim takes of its window: its times as a range, null once cancelled.';
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
--! Included claims/keep_canceller.sql
/* A claim keeps who cancelled it: the event log is pruned, and reports ask years later. */
create or replace function private.keep_canceller()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.cancelled_by := private.caller_id();
  return new;
end;
$$;

comment on function private.keep_canceller is
  'Trigger function: keeps who cancels a claim.';

create or replace trigger keep_canceller
  before update of status on parking.claims
  for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.keep_canceller();
--! EndIncluded claims/keep_canceller.sql
--! Included totals/recount.sql
/* After rows were written with triggers turned off: a restore of one table, a bulk load. */
create or replace function private.recount()
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A writer of windows or claims writes this table after them, and before private.person_counts. With this
  -- lock, those who have counted have committed; the others wait here, and add to the new counts. Windows and
  -- claims are not locked: writers take them in any order.
  lock table private.day_counts in share row exclusive mode;

  delete from private.day_counts;
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
  select a.day,
         coalesce(sum(a.number) filter (where a.counted = 'windows_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'windows_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'claimed_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'claimed_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'active_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'active_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'completed_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'completed_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'cancelled_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'cancelled_ended'), 0)
    from private.actual_counts a
   where a.day is not null
   group by a.day
   order by a.day;

  delete from private.person_counts;
  insert into private.person_counts (person_id, counted, number)
  select a.person_id, a.counted, a.number
    from private.actual_counts a
   where a.person_id is not null
   order by a.person_id, a.counted;
end;
$$;

comment on function private.recount is
  'Makes the counts anew that the totals of lists are sums of.';
--! EndIncluded totals/recount.sql
--! Included patterns/fall_within.sql
create or replace function private.fall_within(weekdays text[], first_day date, last_day date)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  -- Other rules refuse what is not a day, and days in the wrong order.
  if first_day is null or last_day is null or not isfinite(first_day)
    or not isfinite(last_day) or last_day < first_day
  then
    return true;
  end if;

  return exists (
    select
      from generate_series(0, least(last_day - first_day, 6)) n
     where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from first_day + n)]
           = any (weekdays)
  );
end;
$$;

comment on function private.fall_within is
  'Whether one of these weekdays falls on or between these days.';
grant execute on function private.fall_within to parking_api;
--! EndIncluded patterns/fall_within.sql
--! Included patterns/preview_pattern.sql
/* It does what POST or PUT does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null,
    pattern_id uuid default null
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
      perform private.lock_spot_of_pattern(preview_pattern.pattern_id);
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

    -- Of a new one, there is nothing to withdraw first.
    return query
      select p.day, p.start_time, p.end_time, p.outcome, r.message
        from private.renew_pattern(v_pattern.id) p
        left join private.rules r on r.name = p.rule and r."table" = 'availabilities'
       order by p.day, p.start_time;
    raise sqlstate 'PT001'; -- undoes all of it, except the rows that are returned
  exception
    when sqlstate 'PT001' then -- PT000 would catch every refusal too
      null;
  end;
end;
$$;

comment on function api.preview_pattern is
  'What a new or changed pattern would publish in the next weeks, and what not and why; nothing is changed';
grant execute on function api.preview_pattern to parking_api;
--! EndIncluded patterns/preview_pattern.sql
--! Included exceptions/withdraw_shared.sql
create or replace function private.withdraw_shared(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may not read what an exception did, nor keep the history of a window
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_windows constant parking.availabilities[] := array(
    select w from private.shared_windows(withdraw_shared.exception_id) w
  );
begin
  -- What an exception of kind keep took of these windows is not to come back.
  delete from private.exception_changes t
   using parking.exceptions e, private.exception_changes own
   where e.id = withdraw_shared.exception_id
     and e.kind = 'share'
     and e.owner_id = (select private.caller_id())
     and own.exception_id = e.id
     and t.exception_id <> e.id
     and t.spot_id = own.spot_id
     and t.window_id = own.window_id
     and t.start_time >= own.start_time
     and t.end_time <= own.end_time;

  perform private.withdraw_all(array(
    select w.id from unnest(v_windows) w where w.start_time >= v_now
  ));

  -- Windows that have begun keep the part until now.
  update parking.availabilities a
     set end_time = v_now
    from unnest(v_windows) w
   where a.id = w.id
     and w.start_time < v_now;
end;
$$;

comment on function private.withdraw_shared is
  'Withdraws the free windows that an exception of the caller, of kind share, published.';
grant execute on function private.withdraw_shared to parking_api;
--! EndIncluded exceptions/withdraw_shared.sql
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

  -- One for each resident, however many claims they had. Past claims stay, and need no notification.
  perform private.notify(c.claimer_id, 'spot.deleted', spot)
     from (
       select distinct claimer_id
         from parking.claims
        where claims.spot_id = spot.id
          and claims.status <> 'cancelled'
          and claims.end_time > clock_timestamp()
     ) c;

  perform private.notify(
    w.wisher_id, 'spot.deleted', spot, start_time => w.start_time, end_time => w.end_time
  )
     from parking.wishes w
    where w.spot_id = spot.id
      and w.claim_id is null
      and w.start_time > clock_timestamp();
end;
$$;

comment on function private.notify_of_spot_deletion is
  'Notifies the owner of a spot that is being deleted, those who have completed a claim on it before its end, and those who wait for it. For triggers.';
--! EndIncluded notifications/notify_of_spot_deletion.sql
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

  return greatest(v_jobs, v_notifications, v_reports, v_events);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, notifications, reports of cars and events, and returns how many of the table with the most: as many as asked for where there may be more. Deletes nothing, and returns null, where nothing happened in the week before: the clock may run ahead.';
grant execute on function private.prune to parking_api;
--! EndIncluded jobs/prune.sql
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
   where event.type in ('claim.submitted', 'claim.cancelled', 'claim.deleted')
     and a.id = (event.data ->> 'availability_id')::uuid

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
--! Included idempotency_keys/enforce_few_per_person.sql
/*
 * Somebody who sends keys without end would fill the disk of everybody. Not private.enforce_few: most claims
 * have a key, and what it makes of its arguments is planned anew for each.
 */
create or replace function private.enforce_few_per_person()
  returns trigger
  language plpgsql
  security definer -- the API role may not read the answers that it counts
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  perform private.take_turn(tg_name, new.person_id);

  if (
    select count(*)
      from (
        select from private.idempotency_keys k
         where k.person_id = new.person_id
           and k.expires_at > now()
           -- Leaves out keys from a time when the clock ran ahead.
           and k.expires_at <= clock_timestamp()::timestamptz(3) + interval '24 hours'
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
--! Included invitations/preview_invitations.sql
/* It does what POST does, and takes it back: so the same rules judge. */
create or replace function api.preview_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
begin
  select i.invited, i.accepted
    into preview_invitations.invited, preview_invitations.accepted
    from api.create_invitations(preview_invitations.invitations) i;
  raise sqlstate 'PT001'; -- undoes all of it, except the numbers
exception
  when sqlstate 'PT001' then -- PT000 would catch every refusal too
    null;
end;
$$;

comment on function api.preview_invitations is
  'What would become of a list of invitations: it is refused as POST /admin/invitations refuses it, and nobody is invited';
grant execute on function api.preview_invitations to parking_api;
--! EndIncluded invitations/preview_invitations.sql
--! Included mails/add_mails.sql
/*
 * The mails of notifications, in the transaction that gives their events a position. What happens within
 * seconds of one another, such as a series of claims, is one mail: it leaves a moment later. Once there were
 * many of a kind in a day, that moment is an hour: a neighbour with a script floods nobody.
 */
create or replace function private.add_mails(after bigint, until bigint)
  returns void
  language plpgsql
  volatile
  security invoker -- for private.order_events: no grant to the API role
  set search_path = ''
as $$
declare
  c_moment constant interval := interval '10 seconds';
  c_many constant integer := 10;
  c_moment_after_many constant interval := interval '1 hour';
  v_mail record;
begin
  if not private.is_mail_on() then
    return;
  end if;

  for v_mail in
    select n.recipient_id,
           n.kind,
           to_jsonb(array_agg(n.id order by e.position)) as notifications,
           min(e.position) as position
      from private.events e
      join parking.notifications n on n.id = e.subject_id
      join private.mail_recipients r on r.id = n.recipient_id and n.kind = any (r.mail)
     where e.position > add_mails.after
       and e.position <= add_mails.until
       and e.type = 'notification.created'
     group by n.recipient_id, n.kind
  loop
    update private.jobs j
       set data = j.data || jsonb_build_object(
             'notifications', (j.data -> 'notifications') || v_mail.notifications
           )
     where j.lane = 'mail'
       and j.ended_at is null
       and not private.is_due(j.run_at, j.pause)
       and j.attempts = 0
       and j.data ->> 'recipient_id' = v_mail.recipient_id::text
       and j.data ->> 'kind' = v_mail.kind;

    if not found then
      -- Positions are never given twice, so neither is a key.
      perform private.add_job(
        'mail',
        'event.' || v_mail.position,
        jsonb_build_object(
          'kind', v_mail.kind,
          'recipient_id', v_mail.recipient_id,
          'notifications', v_mail.notifications
        ),
        clock_timestamp() + case
          when c_many > (
            select count(*)
              from private.jobs j
             where j.kind = 'mail'
               and j.data ->> 'recipient_id' = v_mail.recipient_id::text
               and j.created_at > now() - interval '1 day'
               and j.created_at <= clock_timestamp()::timestamptz(3) -- not while the clock ran ahead
               and j.data ->> 'kind' = v_mail.kind
          )
            then c_moment
          else c_moment_after_many
        end
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_mails is
  'Adds the mails of the notifications whose events have a position after the first and up to the second.';
--! EndIncluded mails/add_mails.sql
--! Included page_files/keep_page_files.sql
create or replace function private.keep_page_files(names text[], contents bytea[])
  returns void
  language plpgsql
  volatile
  security invoker -- for the owner, at a migration: no grant to the API role
  set search_path = ''
as $$
declare
  v_newest integer := coalesce((select max(p.release) from private.page_files p), 0);
begin
  -- A restart of the newest version is no new release.
  if (
    select coalesce(array_agg(p.name order by p.name), '{}') = array(select unnest(keep_page_files.names) order by 1)
      from private.page_files p
     where p.release = v_newest
  ) then
    return;
  end if;

  insert into private.page_files (name, content, release)
  select f.name, f.content, v_newest + 1
    from unnest(keep_page_files.names, keep_page_files.contents) f (name, content)
  on conflict (name) do update set release = excluded.release;

  delete from private.page_files p
   where p.release < v_newest - 1;
end;
$$;

comment on function private.keep_page_files is
  'Adds the files of a version of the page, and drops those that only versions before the last two had.';
--! EndIncluded page_files/keep_page_files.sql
