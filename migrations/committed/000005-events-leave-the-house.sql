--! Previous: sha1:7988d3c0041cd043d7691f9618ed433077842b4e
--! Hash: sha1:4d522005cf90dabea496ad06a78fe87880d47fd9
--! Message: events leave the house

drop function if exists private.leave_out_day(uuid, date);
drop function if exists api.preview_pattern(uuid, text[], text, text, date, date);

-- One table has both counts. What they hold is of the day only.
drop trigger if exists patterns_changed_500_times_a_day_at_most on parking.patterns;
drop function if exists private.enforce_few_changes();
drop view if exists private.exports; -- made again without them
drop table if exists private.pattern_changes, private.exception_days;

-- Its first argument has another name.
drop function if exists private.event_data(text, jsonb);

-- Another name (sql/availabilities/rules/availabilities_published_by_a_pattern.sql).
alter table parking.availabilities drop constraint if exists availabilities_of_a_pattern;
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
--! EndIncluded events/table.sql
--! Included new_events/table.sql
/*
 * Where triggers write events. It has no index, so that a claim pays for none: private.order_events moves
 * its rows on, a moment later. Who reads private.events reads these rows too.
 */
create table if not exists private.new_events (
) inherits (private.events);

comment on table private.new_events is
  'Events that have no position yet.';

alter table private.new_events enable row level security;
-- No policy and no grant, as those of private.events.

-- Without a key, as logical replication needs it, by which a building moves to a newer server.
alter table private.new_events replica identity full;
--! EndIncluded new_events/table.sql
--! Included last_position/table.sql
/* The position of the last event. Not the greatest of the table: events are pruned. */
create table if not exists private.last_position (
  position bigint not null default 0
);

alter table private.last_position
  add column if not exists kept_after bigint not null default 0;

comment on table private.last_position is
  'The position of the last event that has one: one row, which whoever gives positions locks.';
comment on column private.last_position.position is
  'The last position that was given.';
comment on column private.last_position.kept_after is
  'The last position of an event that was pruned: who has read further misses none.';

insert into private.last_position
select
 where not exists (select from private.last_position);

alter table private.last_position enable row level security;
-- No policy and no grant: private.order_events alone writes it.

-- As private.new_events.
alter table private.last_position replica identity full;
--! EndIncluded last_position/table.sql
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
         erased_at = now()
   where u.id = erase_person.id;

  update parking.profiles p
     set full_name = null,
         apartment_number = 'erased',
         phone_number = null,
         shares_phone_number = false,
         vehicle = null,
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

  perform private.lock_events();
  perform private.erase_guests(erase_person.id);

  insert into private.new_events (type, subject_id, data)
  values ('profile.erased', v_profile.id, to_jsonb(v_profile));

  -- After the last event: the reason of the erasure may name the person too.
  perform private.erase_from_texts(erase_person.id, v_names);

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data - 'vehicle' || jsonb_build_object(
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
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, the guests and vehicles of their claims, the event log, the notifications, the invitations and the answers kept under idempotency keys. Cancels their claims that have not ended and those on their spots, and ends their free windows. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
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
    'profile.approved', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'pattern.collided', 'wish.fits', 'webhook.disabled'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
--! EndIncluded notifications/is_notification_kind.sql
--! Included preferences/are_mail_kinds.sql
/* A function for the reason that private.is_event_type has. */
create or replace function private.are_mail_kinds(kinds text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return coalesce(array_ndims(kinds), 1) = 1 and cardinality(kinds) = (
    select count(distinct k.kind)
      from unnest(kinds) k (kind)
     where private.is_notification_kind(k.kind)
        or k.kind in ('claim.starts', 'claim.ends', 'profiles.waiting')
  );
end;
$$;

comment on function private.are_mail_kinds is
  'Whether these are different kinds of mail: those of notifications, reminders and the list of who waits for approval.';
grant execute on function private.are_mail_kinds to parking_api;
--! EndIncluded preferences/are_mail_kinds.sql
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

alter table parking.building
  add column if not exists pattern_days integer not null default 28,
  add column if not exists rest_stays_on_offer boolean not null default false,
  add column if not exists offer_minutes integer,
  add column if not exists event_days integer not null default 400,
  add column if not exists notification_days integer not null default 400,
  add column if not exists job_days integer not null default 30,
  add column if not exists mail text[] not null default array[
    'claim.submitted', 'claim.cancelled', 'claim.deleted', 'claim.starts', 'claim.ends',
    'profile.approved', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'pattern.collided', 'wish.fits', 'profiles.waiting'
  ],
  add column if not exists language text not null default 'en',
  add column if not exists remind_minutes integer not null default 60;

comment on table parking.building is
  E'@absent Building not found\nThe building, one row: its name, its time zone and its limits.';
comment on column parking.building.id is
  'Identifies the building.';
comment on column parking.building.name is
  'What people call the building.';
comment on column parking.building.time_zone is
  'The time zone of notifications and reports, by its IANA name. The API is in UTC.';
comment on column parking.building.longest_window_days is
  'How long a window may last, in calendar days. Null: no limit.';
comment on column parking.building.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: no limit.';
comment on column parking.building.shortest_claim_minutes is
  'How long a claim lasts at least. Null: no limit.';
comment on column parking.building.longest_claim_minutes is
  'How long a claim lasts at most. Null: no limit.';
comment on column parking.building.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: no limit.';
comment on column parking.building.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: no limit.';
comment on column parking.building.most_active_claims is
  'How many claims that have not ended a resident may have, completed ones included. Null: no limit.';
comment on column parking.building.pattern_days is
  'For how many days, from today on, the windows of patterns are published.';
comment on column parking.building.rest_stays_on_offer is
  'Whether a claim of a part of a window leaves the rest on offer, as windows of their own.';
comment on column parking.building.offer_minutes is
  'How long each who waits has for a window before the next is asked, in the order of asking. Null: all are told at once.';
comment on column parking.building.event_days is
  'For how many days the event log keeps what happened to windows, patterns and claims. What happened to profiles and spots stays.';
comment on column parking.building.notification_days is
  'For how many days notifications are kept.';
comment on column parking.building.job_days is
  'For how many days mails and deliveries that ended can be looked up.';
comment on column parking.building.mail is
  'What people are told by mail who did not choose themselves, by its kinds.';
comment on column parking.building.language is
  'The language of the mails to those who did not choose one.';
comment on column parking.building.remind_minutes is
  'How long before a claim starts, and before it ends, people are reminded who did not choose themselves.';
comment on column parking.building.created_at is
  'When the database was made.';
comment on column parking.building.updated_at is
  'When the row last changed.';

-- What administrators may change.
grant update (
    name, time_zone,
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims,
    pattern_days, rest_stays_on_offer, offer_minutes,
    event_days, notification_days, job_days,
    mail, language, remind_minutes
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
--! Included building/update_building.sql
drop function if exists api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]);
-- Each setting is an argument: with other arguments it would be another function.
drop function if exists api.update_building;
create or replace function api.update_building(
    name text default null,
    time_zone text default null,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null,
    pattern_days integer default null,
    rest_stays_on_offer boolean default null,
    offer_minutes integer default null,
    event_days integer default null,
    notification_days integer default null,
    job_days integer default null,
    mail text[] default null,
    language text default null,
    remind_minutes integer default null
)
  returns parking.building
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_building parking.building;
begin
  perform private.require_administrator();

  -- Null leaves a limit as it is; 0 clears it.
  update parking.building b
     set name = coalesce(update_building.name, b.name),
         time_zone = coalesce(update_building.time_zone, b.time_zone),
         longest_window_days =
           nullif(coalesce(update_building.longest_window_days, b.longest_window_days), 0),
         horizon_days =
           nullif(coalesce(update_building.horizon_days, b.horizon_days), 0),
         shortest_claim_minutes =
           nullif(coalesce(update_building.shortest_claim_minutes, b.shortest_claim_minutes), 0),
         longest_claim_minutes =
           nullif(coalesce(update_building.longest_claim_minutes, b.longest_claim_minutes), 0),
         claim_notice_minutes =
           nullif(coalesce(update_building.claim_notice_minutes, b.claim_notice_minutes), 0),
         cancellation_cutoff_minutes = nullif(
           coalesce(update_building.cancellation_cutoff_minutes, b.cancellation_cutoff_minutes), 0
         ),
         most_active_claims =
           nullif(coalesce(update_building.most_active_claims, b.most_active_claims), 0),
         pattern_days = coalesce(update_building.pattern_days, b.pattern_days),
         rest_stays_on_offer =
           coalesce(update_building.rest_stays_on_offer, b.rest_stays_on_offer),
         offer_minutes = nullif(coalesce(update_building.offer_minutes, b.offer_minutes), 0),
         event_days = coalesce(update_building.event_days, b.event_days),
         notification_days = coalesce(update_building.notification_days, b.notification_days),
         job_days = coalesce(update_building.job_days, b.job_days),
         mail = coalesce(update_building.mail, b.mail),
         language = coalesce(update_building.language, b.language),
         remind_minutes = coalesce(update_building.remind_minutes, b.remind_minutes)
  returning * into v_building;

  if not found then
    perform private.refuse_unchanged('building');
  end if;

  return v_building;
end;
$$;

comment on function api.update_building is
  'Change the building; null clears a limit. Windows and claims that are there stay as they are';
grant execute on function api.update_building to parking_api;

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_building(
    name text,
    time_zone text,
    longest_window_days integer,
    horizon_days integer,
    shortest_claim_minutes integer,
    longest_claim_minutes integer,
    claim_notice_minutes integer,
    cancellation_cutoff_minutes integer,
    variadic most_active_claims integer[]
)
  returns parking.building
  language sql
  stable
return null::parking.building;

comment on function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]) to parking_api;
--! EndIncluded building/update_building.sql
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
  'Events and notifications are kept for 30 to 36500 days, jobs for 7 to 36500';
--! EndIncluded building/rules/building_keeps_for_days.sql
--! Included building/rules/building_language_is_known.sql
alter table parking.building
  drop constraint if exists building_language_is_known,
  add constraint building_language_is_known
    check (language in ('en', 'de'));

comment on constraint building_language_is_known on parking.building is
  E'@field language\nlanguage must be en or de';
--! EndIncluded building/rules/building_language_is_known.sql
--! Included building/rules/building_mail_is_of_known_kinds.sql
alter table parking.building
  drop constraint if exists building_mail_is_of_known_kinds,
  add constraint building_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint building_mail_is_of_known_kinds on parking.building is
  E'@field mail\nmail must be different known kinds of mail';
--! EndIncluded building/rules/building_mail_is_of_known_kinds.sql
--! Included building/rules/building_reminds_in_time.sql
alter table parking.building
  drop constraint if exists building_reminds_in_time,
  add constraint building_reminds_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint building_reminds_in_time on parking.building is
  E'@field remind_minutes\nremind_minutes must be 5 to 10080, a week';
--! EndIncluded building/rules/building_reminds_in_time.sql
--! Included section_limits/limits_of.sql
/* What the rules of windows and claims read: the one definition of each limit. */
create or replace function private.limits_of(spot_id uuid)
  returns parking.section_limits
  language plpgsql
  stable
  security definer -- rules bind people who may not read the building
  set search_path = ''
as $$
declare
  v_limits parking.section_limits;
begin
  -- Asked several times for each claim, and most buildings limit nothing.
  perform
     from parking.building b
    where num_nonnulls(
            b.longest_window_days, b.horizon_days,
            b.shortest_claim_minutes, b.longest_claim_minutes, b.claim_notice_minutes,
            b.cancellation_cutoff_minutes, b.most_active_claims
          ) > 0
       or exists (select from parking.section_limits);
  if not found then
    return null;
  end if;

  select l.building_section,
         coalesce(l.longest_window_days, b.longest_window_days),
         coalesce(l.horizon_days, b.horizon_days),
         coalesce(l.shortest_claim_minutes, b.shortest_claim_minutes),
         coalesce(l.longest_claim_minutes, b.longest_claim_minutes),
         coalesce(l.claim_notice_minutes, b.claim_notice_minutes),
         coalesce(l.cancellation_cutoff_minutes, b.cancellation_cutoff_minutes),
         coalesce(l.most_active_claims, b.most_active_claims)
    into v_limits
    from parking.building b
    left join (
      parking.spots s join parking.section_limits l on l.building_section = s.building_section
    ) on s.id = limits_of.spot_id;

  return v_limits;
end;
$$;

comment on function private.limits_of is
  'The limits that hold for this spot: each as its section has it, else as the building has it. Null where nothing is limited.';
grant execute on function private.limits_of to parking_api;
--! EndIncluded section_limits/limits_of.sql
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
  left_out date[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint patterns_pkey primary key (id),
  -- Windows refer to it: same spot. It begins with the spot, whose deletion looks here.
  constraint patterns_spot_id_id_key unique (spot_id, id)
);

alter table parking.patterns
  add column if not exists left_out_times tstzrange[] not null default '{}';

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
comment on column parking.patterns.left_out is
  'Days of which all was withdrawn or moved by hand: they are not published again.';
comment on column parking.patterns.left_out_times is
  'Times of other days that were withdrawn or moved by hand: they are not published again.';
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
-- What is published and left out, functions note.
--! EndIncluded patterns/table.sql
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
  add column if not exists part_of uuid,
  add column if not exists pattern_id uuid,
  add column if not exists pattern_day date;

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
  'Whether an active or completed claim holds the window; kept by the claims.';
comment on column parking.availabilities.pattern_id is
  'The pattern that published the window, if one did; null once the window is moved.';
comment on column parking.availabilities.pattern_day is
  'The day of the pattern that the window, or the window that it was a part of, was published for.';
comment on column parking.availabilities.created_at is
  'When the window was published.';
comment on column parking.availabilities.updated_at is
  'When the row last changed.';
comment on column parking.availabilities.part_of is
  'The same for all pieces of what was one window; null where none was cut.';

create index if not exists availabilities_start_time_id_idx
  on parking.availabilities (start_time, id)
  include (is_claimed);
-- These two include what policies and filters read, so that ten years of windows are counted from the
-- index alone.
create index if not exists availabilities_spot_id_start_time_idx
  on parking.availabilities (spot_id, start_time, id)
  include (owner_id, is_claimed, end_time);
create index if not exists availabilities_owner_id_start_time_idx
  on parking.availabilities (owner_id, start_time, id)
  include (is_claimed, end_time);

create index if not exists availabilities_end_time_idx
  on parking.availabilities (end_time)
  include (is_claimed);

-- What most people look for: the windows that are still free. It includes what the policy of the
-- table reads, so that counting them needs the index alone.
create index if not exists availabilities_free_start_time_idx
  on parking.availabilities (start_time, id)
  include (owner_id, is_claimed)
  where not is_claimed;

-- The free windows of suspended owners, which residents do not see.
create index if not exists availabilities_free_owner_id_start_time_idx
  on parking.availabilities (owner_id, start_time)
  include (is_claimed, end_time)
  where not is_claimed;

create index if not exists availabilities_part_of_idx
  on parking.availabilities (part_of)
  where part_of is not null;

-- Two, because each statement reads the conditions of the triggers of its columns anew: a claim, which
-- marks its window, reads a short one.
create or replace trigger touch
  before update of is_claimed on parking.availabilities
  for each row
  when (new.is_claimed <> old.is_claimed)
  execute function private.touch();

create or replace trigger touch_moved
  before update of start_time, end_time on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.touch();
--! EndIncluded availabilities/table.sql
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
declare
  v_deleted parking.availabilities;
begin
  perform private.lock_spot_of_window(delete_availability.id);
  perform private.require_approved();

  delete from parking.availabilities a
   where a.id = delete_availability.id
  returning a.* into v_deleted;

  if not found then
    perform private.refuse_unchanged(
      'availabilities', 'availabilities_deleted_by_spot_owner',
      exists (select from parking.availabilities a where a.id = delete_availability.id)
    );
  end if;

  if v_deleted.pattern_id is not null then
    perform private.leave_out(v_deleted.pattern_id, v_deleted.pattern_day, v_deleted.during);
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := delete_availability.id;
end;
$$;

comment on function api.delete_availability is
  'Withdraw a window of your spot that nobody has claimed';
grant execute on function api.delete_availability to parking_api;
--! EndIncluded availabilities/delete_availability.sql
--! Included availabilities/join_pieces.sql
/*
 * A window that is given back becomes one again with the free pieces beside it. It is the one that stays,
 * so that the claim that gave it back can be undone. What was a claim of a piece becomes one of the window.
 */
create or replace function private.join_pieces(
    id uuid,
    start_time timestamptz default '-infinity',
    end_time timestamptz default 'infinity'
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_wanted constant tstzrange := tstzrange(join_pieces.start_time, join_pieces.end_time);
  v_window parking.availabilities;
  v_piece parking.availabilities;
  v_left tstzrange;
  v_during tstzrange;
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = join_pieces.id;
  v_during := v_window.during;

  for v_piece in
    select n.*
      from parking.availabilities n
     where n.part_of = v_window.part_of
       and n.during -|- v_window.during
     order by n.id
       -- Also those that seem to be claimed: a snapshot may be older than the end of that claim, and then
       -- only the lock fails.
       for no key update
  loop
    continue when v_piece.is_claimed;

    v_left := v_piece.during - v_wanted;
    if isempty(v_left) then
      -- With the piece its cancelled claims would be deleted.
      update parking.claims c
         set availability_id = v_window.id
       where c.availability_id = v_piece.id;

      -- Nobody withdrew it, so nobody reads that it was deleted.
      insert into private.new_events (type, subject_id, data)
      values ('availability.joined', v_piece.id, to_jsonb(v_piece));
      perform set_config('parking.joining', 'on', true);
      delete from parking.availabilities a
       where a.id = v_piece.id;
      perform set_config('parking.joining', 'off', true);
    elsif v_left <> v_piece.during then
      update parking.availabilities a
         set start_time = lower(v_left),
             end_time = upper(v_left)
       where a.id = v_piece.id;
    end if;
    v_during := v_during + v_piece.during * v_wanted;
  end loop;

  -- After the pieces: windows never overlap.
  if v_during <> v_window.during then
    update parking.availabilities a
       set start_time = lower(v_during),
           end_time = upper(v_during)
     where a.id = v_window.id;
  end if;
end;
$$;

comment on function private.join_pieces is
  'Joins the window with this id with the free pieces of the same origin beside it, or with what lies between these times of them.';
--! EndIncluded availabilities/join_pieces.sql
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
    -- Here, because a trigger's condition that is long costs each claim more. A claim counts the window
    -- that it marks, from its own trigger; one marked by hand is counted here.
    if (new.start_time, new.end_time) is not distinct from (old.start_time, old.end_time)
      and (new.is_claimed = old.is_claimed or pg_trigger_depth() > 1)
    then
      return null;
    end if;

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
  after update of start_time, end_time, is_claimed on parking.availabilities
  for each row
  execute function private.keep_availability_counts();
--! EndIncluded availabilities/keep_availability_counts.sql
--! Included availabilities/rejoin_piece.sql
/* What is published beside a piece of the same window, or of the same day of a pattern, becomes one with it. */
create or replace function private.rejoin_piece(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may write neither part_of nor origins
  set search_path = ''
as $$
declare
  v_window parking.availabilities;
  v_beside parking.availabilities[];
  v_parts uuid[];
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = rejoin_piece.id
     and a.owner_id = (select private.caller_id())
     and not a.is_claimed;
  v_beside := array(
    select n
      from parking.availabilities n
     where n.spot_id = v_window.spot_id
       and n.during -|- v_window.during
       and (
         private.origin_of(n.id) = private.origin_of(v_window.id)
         or n.part_of is not null
           and (n.pattern_id, n.pattern_day) = (v_window.pattern_id, v_window.pattern_day)
       )
  );
  if cardinality(v_beside) = 0 then
    return;
  end if;

  -- What exceptions cut has no number yet, and the two sides may have different ones.
  v_parts := array(
    select b.part_of from unnest(v_beside) b where b.part_of is not null
  ) || coalesce(v_window.part_of, uuidv7());
  update parking.availabilities a
     set part_of = v_parts[1]
   where a.spot_id = v_window.spot_id
     and (
       a.id = v_window.id
       or a.id in (select b.id from unnest(v_beside) b)
       or a.part_of = any (v_parts)
     )
     and a.part_of is distinct from v_parts[1];

  insert into private.window_origins (window_id, origin_id)
  select v_window.id, private.origin_of(v_beside[1].id)
   where private.origin_of(v_beside[1].id) <> v_window.id
  on conflict do nothing;
  perform private.join_pieces(v_window.id);
end;
$$;

comment on function private.rejoin_piece is
  'Makes a free window of the caller, with this id, a piece of what was one window with those beside it, and joins those that are free.';
grant execute on function private.rejoin_piece to parking_api;
--! EndIncluded availabilities/rejoin_piece.sql
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
  v_before parking.availabilities;
  v_availability parking.availabilities;
begin
  perform private.lock_spot_of_window(update_availability.id);
  perform private.require_approved();

  if num_nonnulls(update_availability.start_time, update_availability.end_time) > 0 then
    update parking.availabilities a
       set start_time = coalesce(update_availability.start_time, a.start_time),
           end_time = coalesce(update_availability.end_time, a.end_time)
     where a.id = update_availability.id
    returning old.* into v_before;

    -- What is moved by hand is a window of its own.
    if v_before.pattern_id is not null then
      update parking.availabilities a set pattern_id = null where a.id = v_before.id;
      perform private.leave_out(v_before.pattern_id, v_before.pattern_day, v_before.during);
    end if;
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

  perform private.require_approved(); -- still, after all the waiting
  return v_availability;
end;
$$;

comment on function api.update_availability is
  'Move a window of your spot that nobody has claimed';
grant execute on function api.update_availability to parking_api;
--! EndIncluded availabilities/update_availability.sql
--! Included availabilities/withdraw_window.sql
/*
 * A deleted window takes its cancelled claims along, and those are the history of residents. A window
 * that has such claims goes where nobody can claim it: before the first of its spot, beside no other.
 */
create or replace function private.withdraw_window(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_end timestamptz;
  v_step interval := interval '1 millisecond';
begin
  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it

  if exists (select from parking.claims c where c.availability_id = withdraw_window.id) then
    select least(min(o.start_time), date_trunc('milliseconds', clock_timestamp()))
             - v_step
      into v_end
      from parking.availabilities a
      join parking.availabilities o on o.spot_id = a.spot_id
     where a.id = withdraw_window.id;
    loop
      begin
        update parking.availabilities a
           set start_time = v_end - interval '1 millisecond',
               end_time = v_end,
               pattern_id = null,
               part_of = null
         where a.id = withdraw_window.id;
        exit;
      exception
        when exclusion_violation then
          -- Put away since the snapshot of this transaction, which does not see it.
          v_end := v_end - v_step;
          v_step := 2 * v_step;
      end;
    end loop;
  else
    delete from parking.availabilities a
     where a.id = withdraw_window.id;
  end if;

  perform set_config('parking.tidying', 'off', true);
end;
$$;

comment on function private.withdraw_window is
  'Takes a window that nobody holds off the offer: deletes it, or where claims of it were cancelled, moves it into the past, as short as can be.';
--! EndIncluded availabilities/withdraw_window.sql
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
  E'@status 404\nPattern not found';
--! EndIncluded availabilities/rules/availabilities_published_by_a_pattern.sql
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
create index if not exists wishes_offered_until_idx
  on parking.wishes (offered_until)
  where claim_id is null and offered_until is not null;
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
declare
  v_most constant integer := (private.limits_of(new.spot_id)).most_active_claims;
begin
  if v_most is null then
    return null; -- here, because a trigger's condition that is long costs each claim more
  end if;
  if new.end_time <= clock_timestamp() or (tg_op = 'UPDATE' and old.end_time > clock_timestamp()) then
    return null; -- over, or counted already
  end if;

  -- Written, not only locked: a transaction with a snapshot from before the other claim fails here.
  insert into private.claimers (id)
  values (new.claimer_id)
  on conflict (id) do update set id = excluded.id;

  -- First all of them, by an index alone.
  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > v_most
    and private.claims_counted_with(new.spot_id, new.claimer_id) > v_most
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_most_claims is
  'Trigger function: refuses a claim to a resident who has as many as the building, or the section, allows.';
--! EndIncluded claims/enforce_most_claims.sql
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
  add column if not exists vehicle text;

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

-- Three, because each statement reads the conditions of the triggers of its columns anew: a cancellation
-- reads a short one.
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
--! Included claims/create_claim.sql
drop function if exists api.create_claim(uuid, timestamptz, timestamptz[]);
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
  for v_look in 1..3 loop
    -- Nothing more is checked here: every rule about claims is in claims/rules/.
    insert into parking.claims
      (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle)
    select a.id, a.spot_id, a.owner_id, create_claim.start_time, create_claim.end_time,
           create_claim.guest, create_claim.vehicle
      from parking.availabilities a
     where a.id = create_claim.availability_id
    returning * into v_claim;

    exit when v_claim.id is not null;
    -- It may be a piece that was joined with others, and these again.
    create_claim.availability_id := private.piece_for(
      create_claim.availability_id, create_claim.start_time, create_claim.end_time
    );
  end loop;

  perform private.require_approved(); -- whom the policies showed no window, or who is not any more after all the waiting
  if v_claim.id is null then
    perform private.refuse('claims_of_an_availability', '23503');
  end if;

  return v_claim;
end;
$$;

comment on function api.create_claim is
  'Claim another''s window, or part of it';
grant execute on function api.create_claim to parking_api;

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.create_claim(
    availability_id uuid,
    start_time timestamptz,
    variadic end_time timestamptz[]
)
  returns parking.claims
  language sql
  stable
return null::parking.claims;

comment on function api.create_claim(uuid, timestamptz, timestamptz[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.create_claim(uuid, timestamptz, timestamptz[]) to parking_api;
--! EndIncluded claims/create_claim.sql
--! Included claims/enforce_claim_limit.sql
/*
 * Limits bind what a statement writes, and people, not the owner of the table. What was there before a
 * limit was set stays valid.
 */
-- Not in the conditions of the triggers: each statement reads those anew, which costs it more than this.
create or replace function private.enforce_claim_limit()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_limits parking.section_limits;
  v_length interval;
begin
  v_limits := private.limits_of(new.spot_id);
  if v_limits is null then
    return null; -- before all else: mostly nothing is limited, and four rules of this kind look at each claim
  end if;
  if not row_security_active('parking.claims') then
    return null;
  end if;

  v_length := new.end_time - new.start_time;
  if (case tg_argv[0]
    when 'longest_claim_minutes' then
      v_length > make_interval(mins => v_limits.longest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and new.status = 'active' -- one that is completed early becomes shorter
    when 'shortest_claim_minutes' then
      v_length < make_interval(mins => v_limits.shortest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and new.status = 'active'
    when 'claim_notice_minutes' then
      new.start_time < clock_timestamp() + make_interval(mins => v_limits.claim_notice_minutes)
      and new.start_time is distinct from old.start_time
    when 'horizon_days' then
      new.end_time > private.days_after(clock_timestamp(), v_limits.horizon_days)
      and new.end_time is distinct from old.end_time
  end) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_claim_limit is
  'Trigger function: refuses a claim that is written beyond the limit that the argument names.';
--! EndIncluded claims/enforce_claim_limit.sql
--! Included claims/enforce_closed.sql
/* In the trigger's condition, which each statement reads anew, this would cost every cancellation more. */
create or replace function private.enforce_closed()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- An administrator who gives a reason may cancel a claim that was completed before its end:
  -- nobody else could free its window.
  if old.status = 'completed'
    and old.updated_at < old.end_time -- nothing has changed it since it was completed
    and (new.status, new.start_time, new.end_time)
      is not distinct from ('cancelled', old.start_time, old.end_time)
    and private.reason() is not null
  then
    return new;
  end if;

  -- private.erase_person takes guests and vehicles out of what is over. The setting binds no people.
  if current_setting('parking.erasing', true) = 'on'
    and not row_security_active('parking.claims')
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

comment on function private.enforce_closed is
  'Trigger function: refuses to change a claim that was completed or cancelled.';
--! EndIncluded claims/enforce_closed.sql
--! Included claims/enforce_cutoff.sql
/* The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. */
-- Not in the condition of the trigger: each statement reads it anew, which costs it more than this.
create or replace function private.enforce_cutoff()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_minutes constant integer := (private.limits_of(old.spot_id)).cancellation_cutoff_minutes;
begin
  if v_minutes is null
    or not row_security_active('parking.claims') -- binds people, not the owner of the table
    or clock_timestamp() <= old.start_time - make_interval(mins => v_minutes)
    or private.reason() is not null -- an administrator who gives a reason may
  then
    return case tg_op when 'DELETE' then old else new end;
  end if;

  if tg_op = 'UPDATE'
    and new.status <> 'cancelled'
    and new.start_time <= old.start_time
    and new.end_time >= old.end_time
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

comment on function private.enforce_cutoff is
  'Trigger function: refuses to cancel or delete a claim after the cutoff, or to give up some of its time.';
--! EndIncluded claims/enforce_cutoff.sql
--! Included claims/fit_claim.sql
/* Where the rest of a window stays on offer, a claim keeps what it used, or takes more from what is free beside it. */
create or replace function private.fit_claim()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if old.status <> 'active' or not (private.building()).rest_stays_on_offer then
    return new;
  end if;

  if new.status = 'completed' then
    -- Before its beginning it has used nothing, and keeps its time. Not a later moment than that of the
    -- change: claims_closed_stay_closed compares them.
    if new.start_time < v_now then
      new.end_time := least(new.end_time, v_now);
    end if;
  elsif new.start_time < old.start_time or new.end_time > old.end_time then
    -- The old times too: the claim is held to its window before and after. What is too much is given
    -- back afterwards (private.mark_availability); what is not there, claims_within_availability refuses.
    perform private.join_pieces(
      new.availability_id,
      least(new.start_time, old.start_time),
      greatest(new.end_time, old.end_time)
    );
  end if;
  return new;
end;
$$;

comment on function private.fit_claim is
  'Trigger function: a claim that is completed before its end ends at that moment; before it takes more time, its window is joined with the free pieces that it needs.';

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger fit_claim
  before update of status, start_time, end_time on parking.claims
  for each row
  when (new.status <> 'cancelled')
  execute function private.fit_claim();
--! EndIncluded claims/fit_claim.sql
--! Included claims/mark_availability.sql
/*
 * Keeps is_claimed of the window, which is true while an active or completed claim holds it, and the
 * counts of days and of the claimer. Together, because the claim and its window are mostly of one day.
 * Then cuts the window, or joins it.
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
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.claimer_id, new.status, new.start_time, new.end_time)
      is not distinct from (old.claimer_id, old.status, old.start_time, old.end_time)
    -- A cancelled claim holds no window. It comes to another one where pieces are joined.
    and v_now is not distinct from v_before
  then
    return null;
  end if;

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

  if v_freed.part_of is not null then
    perform private.join_pieces(v_freed.id);
  end if;
  if v_now is not null
    and (v_taken.start_time, v_taken.end_time) is distinct from (new.start_time, new.end_time)
  then
    perform private.offer_rest(v_now, new.start_time, new.end_time)
       from parking.building b
      where b.rest_stays_on_offer;
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the windows that a claim takes and frees, counts the claim and its window, and keeps the rest on offer where the building wants that.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  execute function private.mark_availability();
--! EndIncluded claims/mark_availability.sql
--! Included claims/update_claim.sql
drop function if exists api.update_claim(uuid, text, timestamptz, timestamptz[]);
create or replace function api.update_claim(
    id uuid,
    status text default null,
    start_time timestamptz default null,
    end_time timestamptz default null,
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
  perform private.keep_spot_of_claim(update_claim.id);

  -- Null leaves a field as it is; an empty text clears one that may be absent. Most change the status alone,
  -- few say who parks: what a statement does not name costs no trigger.
  if num_nonnulls(update_claim.guest, update_claim.vehicle) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time),
           guest = nullif(coalesce(update_claim.guest, c.guest), ''),
           vehicle = nullif(coalesce(update_claim.vehicle, c.vehicle), '')
     where c.id = update_claim.id
    returning * into v_claim;
  elsif num_nonnulls(update_claim.start_time, update_claim.end_time) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time)
     where c.id = update_claim.id
    returning * into v_claim;
  elsif update_claim.status is not null then
    update parking.claims c
       set status = update_claim.status
     where c.id = update_claim.id
    returning * into v_claim;
  else
    select c.* into v_claim
      from parking.claims c
     where c.id = update_claim.id
       and c.claimer_id = (select private.caller_id());
  end if;

  if not found then
    perform private.refuse_unchanged('claims', 'claims_updated_by_claimer', private.claim_exists(update_claim.id));
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
  'Complete or cancel your active claim, move its times, or say who parks; null clears guest and vehicle';
grant execute on function api.update_claim to parking_api;

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_claim(
    id uuid,
    status text,
    start_time timestamptz,
    variadic end_time timestamptz[]
)
  returns parking.claims
  language sql
  stable
return null::parking.claims;

comment on function api.update_claim(uuid, text, timestamptz, timestamptz[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_claim(uuid, text, timestamptz, timestamptz[]) to parking_api;
--! EndIncluded claims/update_claim.sql
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
  'Claim times cannot be changed while completing or cancelling the claim';
--! EndIncluded claims/rules/claims_close_with_their_times.sql
--! Included claims/rules/claims_closed_stay_closed.sql
create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_closed();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
--! Included claims/rules/claims_kept_after_cutoff.sql
create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (old.status = 'active')
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\nIt is too late to cancel or move this claim';
--! EndIncluded claims/rules/claims_kept_after_cutoff.sql
--! Included claims/rules/claims_no_more_than_allowed.sql
create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\nYou have as many claims that have not ended as the building allows';
--! EndIncluded claims/rules/claims_no_more_than_allowed.sql
--! Included locks/keep_spot.sql
/*
 * A claim and the deletion of its spot wait for each other. Claims of one spot do not, unless the rest of
 * a window stays on offer: then each may cut and join what the others want.
 */
create or replace function private.keep_spot()
  returns trigger
  language plpgsql
  security definer -- the spot belongs to another resident
  set search_path = ''
as $$
declare
  v_cuts boolean;
begin
  select b.rest_stays_on_offer
           or not exists ( -- a piece, which the end of another claim joins, or has joined already
             select
               from parking.availabilities a
              where a.id = new.availability_id
                and a.part_of is null
           )
    into v_cuts
    from parking.spots s
   cross join parking.building b
   where s.id = new.spot_id
     for key share of s;

  if v_cuts then
    perform from parking.spots s where s.id = new.spot_id for no key update;
    -- Another may have cut or joined the window meanwhile.
    new.availability_id := private.piece_for(new.availability_id, new.start_time, new.end_time);
  end if;
  return new;
end;
$$;

comment on function private.keep_spot is
  'Trigger function: keeps the spot of a new claim from being deleted until the transaction ends, and finds the piece of its window that has the time.';

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.keep_spot();
--! EndIncluded locks/keep_spot.sql
--! Included locks/lock_own_spots.sql
/*
 * The first statement of what changes many windows of one owner. FOR UPDATE, because claims take a
 * weaker lock of the spot (private.keep_spot): one that is being made or ended comes first.
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
        for update;
    perform private.lock_plans();
  end if;
end;
$$;

comment on function private.lock_own_spots is
  'Locks the profile of an approved caller, and their spots, or one of them.';
grant execute on function private.lock_own_spots to parking_api;
--! EndIncluded locks/lock_own_spots.sql
--! Included locks/lock_plans.sql
/*
 * What patterns publish and what exceptions keep depend on each other, and the lock of the spot shows
 * neither to a snapshot from before. Written, not only locked: one with such a snapshot fails, and sees
 * the other when it is tried again. One row of a person, for an exception may be about all their spots.
 */
create or replace function private.lock_plans()
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
begin
  insert into private.changed_windows as c (person_id, kind, day, number)
  select private.caller_id(), 'pattern', private.utc_day(clock_timestamp()), 0
   where (select private.is_approved())
  on conflict on constraint changed_windows_pkey do update
     set number = c.number;
end;
$$;

comment on function private.lock_plans is
  'Makes those who change patterns or exceptions of the caller, who is approved, wait for each other, and fail where they do not see each other.';
grant execute on function private.lock_plans to parking_api;
--! EndIncluded locks/lock_plans.sql
--! Included locks/lock_plans_before.sql
/* Plans come before patterns, and an UPDATE locks its rows before the triggers of each row run. */
create or replace function private.lock_plans_before()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_plans();
  return null;
end;
$$;

comment on function private.lock_plans_before is
  'Trigger function: locks the plans of the caller before the patterns that a statement changes.';

create or replace trigger lock_plans_before
  -- Of these patterns_change_10000_windows_a_day_at_most locks the plans afterwards.
  before update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each statement
  execute function private.lock_plans_before();
--! EndIncluded locks/lock_plans_before.sql
--! Included changed_windows/table.sql
/*
 * One request about a pattern or an exception changes dozens of windows, and each leaves events that stay:
 * somebody who sends them without end would fill the disk of everybody.
 */
create table if not exists private.changed_windows (
  person_id uuid,
  kind text,
  day date not null,
  number integer not null,
  constraint changed_windows_pkey primary key (person_id, kind)
);

comment on table private.changed_windows is
  'How many windows residents have changed by their patterns and by their exceptions. A row is locked, so that a resident does so one after the other.';
comment on column private.changed_windows.person_id is
  'The resident.';
comment on column private.changed_windows.kind is
  'By what: pattern or exception.';
comment on column private.changed_windows.day is
  'The day, in UTC, on which they last did.';
comment on column private.changed_windows.number is
  'How many windows they changed on that day.';

alter table private.changed_windows enable row level security;
-- No policy and no grant: only trigger functions write it.
--! EndIncluded changed_windows/table.sql
--! Included changed_windows/count_changed_windows.sql
create or replace function private.count_changed_windows(
    person_id uuid,
    kind text,
    number integer
)
  returns integer
  language sql
  volatile
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  insert into private.changed_windows as c (person_id, kind, day, number)
  values (
    count_changed_windows.person_id,
    count_changed_windows.kind,
    private.utc_day(clock_timestamp()),
    count_changed_windows.number
  )
  on conflict on constraint changed_windows_pkey do update
     set day = excluded.day,
         number = excluded.number + case when c.day = excluded.day then c.number else 0 end
  returning c.number
$$;

comment on function private.count_changed_windows is
  'Counts windows that a resident changes by a pattern or an exception, and returns how many they have changed on this day.';
--! EndIncluded changed_windows/count_changed_windows.sql
--! Included changed_windows/rules/changed_windows_kind_is_known.sql
alter table private.changed_windows
  drop constraint if exists changed_windows_kind_is_known,
  add constraint changed_windows_kind_is_known
    check (kind in ('pattern', 'exception'));

comment on constraint changed_windows_kind_is_known on private.changed_windows is
  'Windows are changed by a pattern or an exception';
--! EndIncluded changed_windows/rules/changed_windows_kind_is_known.sql
--! Included exception_changes/enforce_few_a_day.sql
create or replace function private.enforce_few_a_day()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- As private.enforce_few_windows does, of new exceptions only.
  if exists (
    select
      from (
        select e.owner_id, count(*)::integer as number
          from added a
          join parking.exceptions e on e.id = a.exception_id
         where e.created_at = now()::timestamptz(3)
         group by e.owner_id
      ) n
     where private.count_changed_windows(n.owner_id, 'exception', n.number) > tg_argv[0]::integer
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_a_day is
  'Trigger function: refuses a new exception to a resident whose exceptions have changed as many windows on this day as the argument says.';
--! EndIncluded exception_changes/enforce_few_a_day.sql
--! Included patterns/enforce_few_changed_windows.sql
create or replace function private.enforce_few_changed_windows()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  -- Before they are: those that are withdrawn, and those that are published.
  v_withdrawn constant integer := (
    select count(*)
      from parking.availabilities a
     where a.spot_id = new.spot_id
       and a.pattern_id = new.id
       and a.start_time > clock_timestamp()
       and not a.is_claimed
  );
  v_published constant integer := (
    select count(*)
      from private.pattern_spans(
        new.weekdays, new.starts_at, new.ends_at,
        greatest(new.first_day, v_today),
        least(new.last_day, v_today + v_building.pattern_days - 1),
        v_building.time_zone
      )
  );
begin
  if private.count_changed_windows(new.owner_id, 'pattern', v_withdrawn + v_published)
    > tg_argv[0]::integer
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_changed_windows is
  'Trigger function: refuses to make or change a pattern to a resident whose patterns have changed as many windows on this day as the argument says.';
--! EndIncluded patterns/enforce_few_changed_windows.sql
--! Included patterns/enforce_few_patterns.sql
create or replace function private.enforce_few_patterns()
  returns trigger
  language plpgsql
  security definer -- the same count, whatever the policies show the caller
  set search_path = ''
as $$
begin
  -- Two of one resident at once: private.enforce_few_changed_windows has made the second wait for the first.
  if (
    select count(*) from parking.patterns p where p.owner_id = new.owner_id
  ) > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_patterns is
  'Trigger function: refuses a pattern to a resident who has as many as the argument says.';
--! EndIncluded patterns/enforce_few_patterns.sql
--! Included patterns/leave_out.sql
/*
 * What the owner or an administrator withdrew by hand does not come back when its pattern is changed:
 * the whole day, whatever its new hours, or no more than a piece where something else of the day stays.
 */
create or replace function private.leave_out(pattern_id uuid, day date, during tstzrange)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the owner's pattern
  set search_path = ''
as $$
declare
  v_is_piece constant boolean := exists (
    select
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
     where p.id = leave_out.pattern_id
       and a.pattern_day = leave_out.day
  );
begin
  update parking.patterns p
     set left_out = case when v_is_piece then p.left_out else p.left_out || leave_out.day end,
         left_out_times = case
           when v_is_piece then array(
             select unnest(range_agg(t)) from unnest(p.left_out_times || leave_out.during) t
           )
           else p.left_out_times
         end
   where p.id = leave_out.pattern_id
     and leave_out.day between private.utc_day(now()) - 2 and p.published_until
     and leave_out.during <@ tstzrange(
       leave_out.day - interval '1 day',
       leave_out.day + interval '3 days' -- it may end on the next day, and far from UTC
     )
     and leave_out.day <> all (p.left_out)
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out is
  'Keeps a pattern from publishing a withdrawn window of a day again, for its owner or an administrator with a reason.';
grant execute on function private.leave_out to parking_api;
--! EndIncluded patterns/leave_out.sql
--! Included patterns/lock_spot_of_pattern.sql
/* The first statement of what changes a pattern: the spot before the pattern and its windows, as its deletion locks them. */
create or replace function private.lock_spot_of_pattern(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- residents may lock their own spots
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = (select p.spot_id from parking.patterns p where p.id = lock_spot_of_pattern.id)
      for no key update;

  if found then
    perform private.lock_plans();
  end if;
end;
$$;

comment on function private.lock_spot_of_pattern is
  'Locks the spot of the caller''s pattern with this id.';
grant execute on function private.lock_spot_of_pattern to parking_api;
--! EndIncluded patterns/lock_spot_of_pattern.sql
--! Included patterns/note_published.sql
create or replace function private.note_published(id uuid, until date)
  returns void
  language plpgsql
  volatile
  security definer -- residents may not say themselves what is published
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  update parking.patterns p
     set published_until = note_published.until,
         time_zone = v_zone,
         left_out = array(
           select d.day
             from unnest(p.left_out) d (day)
            where d.day >= (clock_timestamp() at time zone v_zone)::date
         ),
         left_out_times = array(
           select t from unnest(p.left_out_times) t where upper(t) > clock_timestamp()
         )
   where p.id = note_published.id
     and p.owner_id = (select private.caller_id())
     and (p.published_until, p.time_zone) is distinct from (note_published.until, v_zone);
end;
$$;

comment on function private.note_published is
  'Notes until which day the caller''s pattern is published, and in which time zone; forgets what was left out before today.';
grant execute on function private.note_published to parking_api;
--! EndIncluded patterns/note_published.sql
--! Included patterns/notify_of_collision.sql
/* One message for a series: while the owner has not read it, there is no second one for the spot. */
create or replace function private.notify_of_collision(
    pattern_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security definer -- writes to the owner's notifications and to the log
  set search_path = ''
as $$
declare
  v_caller constant text := current_setting('request.jwt.claims', true);
  v_pattern parking.patterns;
begin
  select p.* into v_pattern
    from parking.patterns p
   where p.id = notify_of_collision.pattern_id
     and p.owner_id = (select private.caller_id())
     and not exists (
       select
         from parking.notifications n
        where n.recipient_id = p.owner_id
          and n.spot_id = p.spot_id
          and n.kind = 'pattern.collided'
          and not n.is_read
     );

  if not found then
    return;
  end if;

  insert into private.new_events (type, subject_id, data)
  values ('pattern.collided', v_pattern.id, to_jsonb(v_pattern));

  -- Nobody gets a notification about their own action: it is the pattern that acts.
  perform set_config('request.jwt.claims', '', true);
  perform private.notify(
    v_pattern.owner_id,
    'pattern.collided',
    s,
    start_time => notify_of_collision.start_time,
    end_time => notify_of_collision.end_time
  )
     from parking.spots s
    where s.id = v_pattern.spot_id;
  perform set_config('request.jwt.claims', v_caller, true);
end;
$$;

comment on function private.notify_of_collision is
  'Notifies the caller that another window is where their pattern would have had one.';
grant execute on function private.notify_of_collision to parking_api;
--! EndIncluded patterns/notify_of_collision.sql
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
--! Included patterns/publish_window.sql
/*
 * Beside the windows of the pattern that stay where they are, and without what its owner keeps by an
 * exception. So a day that is published already has nothing to publish.
 */
create or replace function private.publish_window(
    pattern parking.patterns,
    day date,
    start_time timestamptz,
    end_time timestamptz
)
  returns table (
    piece_start timestamptz,
    piece_end timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  -- Empty where a change of the clock leaves no time.
  v_span constant tstzmultirange :=
    tstzmultirange(tstzrange(start_time, greatest(start_time, end_time)));
  v_kept constant tstzmultirange := private.kept_times(pattern.spot_id, end_time);
  v_own constant tstzmultirange := (
    select coalesce(range_agg(a.during), '{}')
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.start_time < publish_window.end_time
       and a.end_time > publish_window.start_time
  );
  v_left_out constant tstzmultirange := (
    select coalesce(range_agg(t), '{}') from unnest(pattern.left_out_times) t
  );
  v_free tstzmultirange;
  v_id uuid;
  v_message text;
begin
  for piece_start, piece_end in
    select lower(p), upper(p) from unnest(v_span - v_own - v_left_out) p
    union all
    select start_time, end_time where isempty(v_span)
  loop
    v_free := tstzmultirange(tstzrange(piece_start, greatest(piece_start, piece_end))) - v_kept;
    -- A day without a window is published when the exception ends (private.publish_left_days).
    continue when isempty(v_free) and isempty(v_own) and not isempty(v_span);
    rule := null;

    begin
      -- Whole at first, so that each exception can give back what it takes.
      insert into parking.availabilities
        (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
      values (pattern.spot_id, pattern.owner_id, piece_start, piece_end, pattern.id, day)
      returning id into v_id;
      outcome := 'published';
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics rule = constraint_name, v_message = message_text;
        -- A policy has its name in the message only.
        rule := coalesce(nullif(rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
        if rule is null then
          raise; -- no rule, but a fault
        end if;
        outcome := case rule when 'availabilities_do_not_overlap' then 'overlaps' else 'refused' end;
    end;

    if outcome = 'published' and v_kept && tstzrange(piece_start, piece_end) then
      perform private.keep_out_of_window(v_id);
    end if;
    if outcome = 'published' and not isempty(v_own) then
      perform private.rejoin_piece(v_id);
    end if;
    if isempty(v_span) then
      return next;
    end if;
    return query select lower(f), upper(f), outcome, rule from unnest(v_free) f;
  end loop;

  return query
    select lower(k), upper(k), 'kept', null
      from unnest(v_span * v_kept - v_own - v_left_out) k
    union all
    select lower(o), upper(o), 'overlaps', null from unnest(v_span * v_own) o;
end;
$$;

comment on function private.publish_window is
  'Publishes the window of a day of a pattern, and says of its pieces: published, kept (by an exception of the owner), overlaps (another window; one of the pattern itself without a rule) or refused (by the rule).';
grant execute on function private.publish_window to parking_api;
--! EndIncluded patterns/publish_window.sql
--! Included patterns/withdraw_windows.sql
/* What has begun was offered, and stays. The caller has locked the spot. */
create or replace function private.withdraw_windows(pattern parking.patterns)
  returns void
  language plpgsql
  volatile
  security definer -- private.withdraw_window moves what keeps cancelled claims into the past
  set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  -- So that nobody claims one of them or frees another meanwhile. Also those that seem to be claimed: a
  -- snapshot may be older than the end of that claim, and then only the lock fails.
  perform
     from parking.availabilities a
    where a.spot_id = pattern.spot_id
      and a.pattern_id = pattern.id
      and a.owner_id = (select private.caller_id())
      and a.start_time > clock_timestamp()
    order by a.id
      for update;

  v_ids := array(
    select a.id
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.owner_id = (select private.caller_id())
       and a.start_time > clock_timestamp()
       and not a.is_claimed
  );
  perform private.withdraw_window(c.availability_id)
     from (
       select distinct claims.availability_id
         from parking.claims
        where claims.availability_id = any (v_ids)
     ) c;

  -- In one statement, for there are dozens. Those that are kept have no pattern any more.
  delete from parking.availabilities a
   where a.id = any (v_ids)
     and a.pattern_id = pattern.id;
end;
$$;

comment on function private.withdraw_windows is
  'Withdraws the windows of a pattern of the caller that nobody has claimed and that have not begun.';
grant execute on function private.withdraw_windows to parking_api;
--! EndIncluded patterns/withdraw_windows.sql
--! Included patterns/rules/patterns_change_10000_windows_a_day_at_most.sql
create or replace trigger patterns_change_10000_windows_a_day_at_most
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_changed_windows('10000');

comment on trigger patterns_change_10000_windows_a_day_at_most on parking.patterns is
  E'@status 409\nYour patterns have changed 10000 windows today: try again tomorrow';
--! EndIncluded patterns/rules/patterns_change_10000_windows_a_day_at_most.sql
--! Included patterns/rules/patterns_left_out_times_are_few.sql
alter table parking.patterns
  drop constraint if exists patterns_left_out_times_are_few,
  add constraint patterns_left_out_times_are_few
    check (cardinality(left_out_times) <= 1000);

comment on constraint patterns_left_out_times_are_few on parking.patterns is
  'A pattern leaves out at most 1000 times';
--! EndIncluded patterns/rules/patterns_left_out_times_are_few.sql
--! Included exceptions/is_of_pattern.sql
create or replace function private.is_of_pattern(pattern_id uuid, day date, span tstzrange)
  returns boolean
  language sql
  stable
  security invoker -- residents see their own patterns, and no others matter to them
  set search_path = ''
as $$
  select exists (
    select
      from parking.patterns p
     cross join lateral private.pattern_spans(
       p.weekdays,
       p.starts_at,
       p.ends_at,
       greatest(p.first_day, is_of_pattern.day),
       least(p.last_day, is_of_pattern.day),
       p.time_zone
     ) s
     where p.id = is_of_pattern.pattern_id
       and not exists (select from unnest(p.left_out_times) t where t && is_of_pattern.span)
       and tstzrange(s.start_time, greatest(s.start_time, s.end_time)) @> is_of_pattern.span
  )
$$;

comment on function private.is_of_pattern is
  'Whether a pattern of the caller shares this time on this day.';
grant execute on function private.is_of_pattern to parking_api;
--! EndIncluded exceptions/is_of_pattern.sql
--! Included exceptions/restore_window.sql
create or replace function private.restore_window(taken private.exception_changes, span tstzrange)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.availabilities;
  v_after parking.availabilities;
  v_id uuid;
begin
  if taken.pattern_id is not null
    and not private.is_of_pattern(taken.pattern_id, taken.pattern_day, span)
  then
    return; -- its owner shares it no longer
  end if;

  select a.* into v_before
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.end_time = lower(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;
  select a.* into v_after
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.start_time = upper(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;

  -- What is left of the window has its time back, and becomes one with what is beside it.
  if v_before.id is not null then
    update parking.availabilities a set end_time = upper(span) where a.id = v_before.id;
    perform private.rejoin_piece(v_before.id);
    return;
  elsif v_after.id is not null then
    update parking.availabilities a set start_time = lower(span) where a.id = v_after.id;
    perform private.rejoin_piece(v_after.id);
    return;
  end if;

  -- One that was withdrawn and not deleted (private.withdraw_window) comes back itself.
  if taken.pattern_id is null then
    update parking.availabilities a
       set start_time = lower(span),
           end_time = upper(span)
     where a.id = taken.window_id
       and a.end_time = a.start_time + interval '1 millisecond'
       and not a.is_claimed;
    if found then
      perform private.rejoin_piece(taken.window_id);
      return;
    end if;
  end if;

  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
  select s.id, s.owner_id, lower(span), upper(span), taken.pattern_id, taken.pattern_day
    from parking.spots s
   where s.id = taken.spot_id
     and not exists (
       select
         from parking.patterns p
        where p.id = taken.pattern_id
          and taken.pattern_day = any (p.left_out)
     )
  returning id into v_id;
  perform private.note_origin(v_id, taken.window_id);
  perform private.rejoin_piece(v_id);
end;
$$;

comment on function private.restore_window is
  'Offers a time again that was taken from a window: as part of what is left of it, or as a window of its own.';
grant execute on function private.restore_window to parking_api;
--! EndIncluded exceptions/restore_window.sql
--! Included exceptions/withdraw_freed.sql
/* The owner talked to who had claimed a time that the owner needs: freed, it is not on offer either. */
create or replace function private.withdraw_freed()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  v_windows uuid[];
begin
  if tg_op = 'DELETE' then
    v_windows := array(select d.availability_id from deleted d where d.status <> 'cancelled');
  elsif (new.status, new.start_time, new.end_time)
    is distinct from (old.status, old.start_time, old.end_time)
    and exists ( -- quickly: mostly there is none
      select
        from parking.exceptions e
       where e.owner_id = new.owner_id
         and e.kind = 'keep'
         and e.end_time > now()
    )
  then
    -- With the pieces of what was one window: a claim may give up a part of its time.
    v_windows := array(
      select p.id
        from parking.availabilities a
        join parking.availabilities p on p.id = a.id or p.part_of = a.part_of
       where a.id = new.availability_id
    );
  else
    return null;
  end if;

  perform private.withdraw_kept(e, s.id, a.during)
     from parking.availabilities a
     join parking.spots s on s.id = a.spot_id -- not where it was deleted
     join parking.exceptions e on e.owner_id = a.owner_id
    where a.id = any (v_windows)
      and e.kind = 'keep'
      and coalesce(e.spot_id, s.id) = s.id
      and e.start_time < a.end_time
      and e.end_time > greatest(a.start_time, now());
  return null;
end;
$$;

comment on function private.withdraw_freed is
  'Trigger function: withdraws a window that a claim has freed, where the owner needs it.';

-- Triggers run in the order of their names: these after those that mark and count windows.
create or replace trigger withdraw_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  -- Also where it takes more: what is left of its window is put on offer then (private.offer_rest).
  when (pg_relation_size('parking.exceptions', 'main') > 0) -- somebody has made one
  execute function private.withdraw_freed();

create or replace trigger withdraw_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  when (pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.withdraw_freed();
--! EndIncluded exceptions/withdraw_freed.sql
--! Included notifications/table.sql
/* Messages to residents. Triggers write them in the transaction of the change. */
create table if not exists parking.notifications (
  id uuid default uuidv7(),
  recipient_id uuid not null,
  kind text not null,
  message text not null,
  -- No foreign keys: a notification outlives what it is about.
  claim_id uuid,
  availability_id uuid,
  spot_id uuid,
  is_read boolean not null default false,
  resolved_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint notifications_pkey primary key (id)
);

alter table parking.notifications
  add column if not exists data jsonb;

comment on table parking.notifications is
  E'@absent Notification not found\nA message to a resident about a change of their account, spots or claims.';
comment on column parking.notifications.id is
  'Identifies the notification; one about a wish has the id of the wish.';
comment on column parking.notifications.recipient_id is
  'The resident who receives it.';
comment on column parking.notifications.kind is
  'What happened, by the name of its event.';
comment on column parking.notifications.message is
  'What happened, in a sentence.';
comment on column parking.notifications.data is
  'What the message is made of, for those who write it in another language. Null in those from before there was any.';
comment on column parking.notifications.claim_id is
  'The claim it is about, if it is about one.';
comment on column parking.notifications.availability_id is
  'The window it is about, if it is about one.';
comment on column parking.notifications.spot_id is
  'The spot it is about, if it is about one.';
comment on column parking.notifications.is_read is
  'Whether the recipient marked the notification as read.';
comment on column parking.notifications.resolved_at is
  'When a later event made the notification obsolete.';
comment on column parking.notifications.created_at is
  'When it was written.';
comment on column parking.notifications.updated_at is
  'When the row last changed.';

create index if not exists notifications_recipient_id_created_at_idx
  on parking.notifications (recipient_id, created_at desc, id);
create index if not exists notifications_unread_idx
  on parking.notifications (recipient_id, created_at desc, id)
  where not is_read;
create index if not exists notifications_claim_id_idx
  on parking.notifications (claim_id)
  where resolved_at is null;

create or replace trigger touch
  before update on parking.notifications
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded notifications/table.sql
--! Included notifications/notification_data.sql
/* What private.notification_message has in its sentences, for clients with sentences of their own. */
create or replace function private.notification_data(
    recipient_id uuid,
    spot parking.spots,
    start_time timestamptz,
    end_time timestamptz,
    reason text,
    offered_from timestamptz default null,
    offered_until timestamptz default null
)
  returns jsonb
  language sql
  stable
return jsonb_strip_nulls(jsonb_build_object(
  'spot_number', (spot).spot_number,
  'is_owner', case when recipient_id = (spot).owner_id then true end,
  'start_time', private.iso8601(start_time),
  'end_time', private.iso8601(end_time),
  'reason', reason,
  'offered_from', private.iso8601(offered_from),
  'offered_until', private.iso8601(offered_until)
));

comment on function private.notification_data is
  'What the message of a notification is made of. What it does not have is missing.';
--! EndIncluded notifications/notification_data.sql
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
    when kind = 'webhook.disabled' then 'A webhook was turned off, because its deliveries failed'
    when kind = 'spot.verified' then format('Your parking spot %s was verified', spot.spot_number)
    when kind = 'spot.deleted' and v_is_owner
      then format('Your parking spot %s was deleted', spot.spot_number)
    when kind = 'spot.deleted'
      then format('Parking spot %s, which you had claimed, was deleted', spot.spot_number)
    when kind = 'availability.deleted'
      then format('Your window of parking spot %s %s was deleted', spot.spot_number, v_span)
    when kind = 'wish.fits'
      then format('Parking spot %s is free %s, as you wished', spot.spot_number, v_span)
    when kind = 'pattern.collided'
      then format('Your pattern could not offer parking spot %s %s, because of another window', spot.spot_number, v_span)
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
declare
  v_reason text;
  v_id uuid;
begin
  -- Nobody gets a notification about their own action.
  if notify.recipient_id is not distinct from private.caller_id() then
    return;
  end if;

  v_reason := private.reason();
  insert into parking.notifications
    (recipient_id, kind, message, data, claim_id, availability_id, spot_id)
  values (
    notify.recipient_id,
    notify.kind,
    private.notification_message(
      notify.recipient_id, notify.kind, notify.spot, notify.start_time, notify.end_time,
      v_reason
    ),
    private.notification_data(
      notify.recipient_id, notify.spot, notify.start_time, notify.end_time, v_reason
    ),
    notify.claim_id,
    notify.availability_id,
    (notify.spot).id
  )
  returning id into v_id;

  -- Without actor and reason, which the event that it is about has: to find them out costs time.
  insert into private.new_events (type, subject_id, actor_id, reason, data)
  values (
    'notification.created', v_id, null, null,
    jsonb_build_object('recipient_id', notify.recipient_id)
  );
end;
$$;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';
--! EndIncluded notifications/notify.sql
--! Included notifications/renew_messages.sql
/* A message repeats the log: the reason of its event, and the number that the spot had then. */
create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = private.notification_message(
           n.recipient_id, n.kind, logged.spot, logged.start_time, logged.end_time, logged.reason
         ),
         data = private.notification_data(
           n.recipient_id, logged.spot, logged.start_time, logged.end_time, logged.reason
         )
    from (
      select old.id,
             (
               select jsonb_populate_record(null::parking.spots, s.data)
                 from private.events s
                where s.subject_id = old.spot_id
                  and s.type like 'spot.%'
                  and s.occurred_at <= e.occurred_at
                order by s.occurred_at desc, s.id desc
                limit 1
             ) as spot,
             (e.data ->> 'start_time')::timestamptz as start_time,
             (e.data ->> 'end_time')::timestamptz as end_time,
             e.reason
        from parking.notifications old
       cross join lateral (
         -- Both were written in one transaction, whose beginning the notification has.
         select e.data, e.occurred_at, e.reason
           from private.events e
          where e.type = old.kind
            and e.subject_id in (old.claim_id, old.availability_id, old.spot_id, old.recipient_id)
            and e.occurred_at >= old.created_at
          order by e.occurred_at, e.id
          limit 1
       ) e
       where old.id = any (renew_messages.ids)
    ) logged
   where n.id = logged.id;
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications, and what these are made of, as they would be written from the event log as it is now.';
--! EndIncluded notifications/renew_messages.sql
--! Included jobs/table.sql
/* Work that must happen, though a process ends in the middle of it: mails, deliveries, what is due by the clock. */
create table if not exists private.jobs (
  id uuid default uuidv7(),
  kind text not null,
  lane text not null,
  key text not null,
  event_id uuid,
  data jsonb not null default '{}',
  run_at timestamptz(3) not null default now(),
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
create index if not exists jobs_of_recipient_idx
  on private.jobs ((data ->> 'recipient_id'), created_at)
  where kind = 'mail';

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
comment on index private.jobs_open_idx is
  'Finds what is due in a lane.';
comment on index private.jobs_ended_at_idx is
  'Finds what ended long ago, to delete it.';
comment on index private.jobs_of_recipient_idx is
  'Counts the mails to a person.';

alter table private.jobs enable row level security;
-- No policy and no grant: the service reaches it through functions, as nobody in particular.
--! EndIncluded jobs/table.sql
--! Included jobs/add_job.sql
/* In the transaction that makes the work necessary: neither without the other. */
create or replace function private.add_job(
    kind text,
    key text,
    data jsonb default '{}',
    run_at timestamptz default now(),
    event_id uuid default null,
    lane text default null
)
  returns void
  language sql
  volatile
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  insert into private.jobs (kind, lane, key, event_id, data, run_at)
  values (
    add_job.kind, coalesce(add_job.lane, add_job.kind), add_job.key, add_job.event_id,
    add_job.data, add_job.run_at
  )
  on conflict on constraint jobs_kind_key_key do nothing;
end;

comment on function private.add_job is
  'Adds a job, unless there is or was one of this kind with this key.';
--! EndIncluded jobs/add_job.sql
--! Included jobs/due_lanes.sql
/* One look at the index for each lane, however many jobs wait in it. */
create or replace function private.due_lanes()
  returns text[]
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return array(
    with recursive lanes (lane) as (
      select min(j.lane)
        from private.jobs j
       where j.ended_at is null
      union all
      select (select min(j.lane) from private.jobs j where j.ended_at is null and j.lane > l.lane)
        from lanes l
       where l.lane is not null
    )
    select l.lane
      from lanes l
     where exists (
       select
         from private.jobs j
        where j.lane = l.lane
          and j.ended_at is null
          and j.run_at <= clock_timestamp()
     )
  );
end;
$$;

comment on function private.due_lanes is
  'The lanes in which a job is due.';
grant execute on function private.due_lanes to parking_api;
--! EndIncluded jobs/due_lanes.sql
--! Included jobs/end_job.sql
/* Who took so long that another process has taken the job meanwhile ends nothing. */
create or replace function private.end_job(
    id uuid,
    attempts integer,
    failure text default null,
    run_at timestamptz default null
)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  update private.jobs j
     set failure = left(end_job.failure, 500),
         taken_until = null,
         run_at = coalesce(end_job.run_at, j.run_at),
         failures = case when end_job.failure is not null then j.failures + 1 else 0 end,
         ended_at = case when end_job.run_at is null then clock_timestamp() end
   where j.id = end_job.id
     and j.attempts = end_job.attempts
     and j.ended_at is null;
end;
$$;

comment on function private.end_job is
  'Says how an attempt at a job ended: with a failure or not, and, where there is a time, when it is due again.';
grant execute on function private.end_job to parking_api;
--! EndIncluded jobs/end_job.sql
--! Included jobs/give_back_job.sql
/* A process that stops gives back what it has not ended: that is no failure. */
create or replace function private.give_back_job(id uuid, attempts integer)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  update private.jobs j
     set run_at = clock_timestamp(),
         taken_until = null
   where j.id = give_back_job.id
     and j.attempts = give_back_job.attempts
     and j.ended_at is null;
end;
$$;

comment on function private.give_back_job is
  'Makes a job due now that this attempt does not end.';
grant execute on function private.give_back_job to parking_api;
--! EndIncluded jobs/give_back_job.sql
--! Included jobs/job_counts.sql
/* For the metrics, at each scrape. */
create or replace function private.job_counts()
  returns table (kind text, waiting integer, failing integer, given_up integer, oldest_seconds float8)
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select j.kind,
         count(*) filter (where j.ended_at is null and j.run_at <= clock_timestamp())::integer,
         count(*) filter (where j.ended_at is null and j.failures > 0)::integer,
         count(*) filter (where j.ended_at is not null and j.failure is not null)::integer,
         coalesce(
           extract(epoch from clock_timestamp() - min(j.run_at) filter (
             where j.ended_at is null and j.run_at <= clock_timestamp()
           )),
           0
         )::float8
    from private.jobs j
   group by j.kind
  union all
  -- They are no jobs, but to give them their positions is work as well, which may fail.
  select 'events',
         count(*)::integer,
         0,
         0,
         extract(epoch from clock_timestamp() - min(e.occurred_at))::float8
    from private.new_events e
  having count(*) > 0
   order by 1;
end;
$$;

comment on function private.job_counts is
  'How many jobs of each kind are due, have failed and will be tried again, and were given up; and for how long the oldest has been due. Events that wait for their position are a kind, too.';
grant execute on function private.job_counts to parking_api;
--! EndIncluded jobs/job_counts.sql
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
  v_building constant parking.building := private.building();
  v_jobs integer;
  v_notifications integer;
  v_events integer;
  v_kept_after bigint;
begin
  perform private.require_service();

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

  perform set_config('parking.pruning', 'on', true); -- the exception of events_are_only_added
  with pruned as (
    delete from only private.events e
     where e.id = any (array(
       select o.id
         from only private.events o
        where o.occurred_at < now() - make_interval(days => v_building.event_days)
          and split_part(o.type, '.', 1) in ('availability', 'pattern', 'claim', 'notification')
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

  return greatest(v_jobs, v_notifications, v_events);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, notifications and events, and returns how many of the table with the most: as many as asked for where there may be more.';
grant execute on function private.prune to parking_api;
--! EndIncluded jobs/prune.sql
--! Included jobs/require_service.sql
/* What the service does for nobody in particular. The API role asks without a caller then, and no request does. */
create or replace function private.require_service()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if private.caller_id() is not null then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'This is for the service itself';
  end if;
end;
$$;

comment on function private.require_service is
  'Refuses to do in a request what is a job of the service.';
grant execute on function private.require_service to parking_api;
--! EndIncluded jobs/require_service.sql
--! Included jobs/take_jobs.sql
/* A job that is taken is due again when its time is over, for the process that took it may be gone. */
create or replace function private.take_jobs(lane text, most integer, lease interval)
  returns table (id uuid, kind text, key text, event_id uuid, data jsonb, attempts integer, failures integer)
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  update private.jobs j
     set attempts = j.attempts + 1,
         run_at = clock_timestamp() + take_jobs.lease,
         taken_until = clock_timestamp() + take_jobs.lease
   where j.id = any (array(
     select d.id
       from private.jobs d
      where d.lane = take_jobs.lane
        and d.ended_at is null
        and d.run_at <= clock_timestamp()
      order by d.run_at
      limit take_jobs.most
        for update skip locked
   ))
  returning j.id, j.kind, j.key, j.event_id, j.data, j.attempts, j.failures;
end;
$$;

comment on function private.take_jobs is
  'Takes the jobs of a lane that have been due longest: nobody else gets them before the lease ends.';
grant execute on function private.take_jobs to parking_api;
--! EndIncluded jobs/take_jobs.sql
--! Included jobs/rules/jobs_failure_is_short.sql
alter table private.jobs
  drop constraint if exists jobs_failure_is_short,
  add constraint jobs_failure_is_short
    check (char_length(failure) <= 500);

comment on constraint jobs_failure_is_short on private.jobs is
  'The failure of a job must be at most 500 characters';
--! EndIncluded jobs/rules/jobs_failure_is_short.sql
--! Included jobs/rules/jobs_key_is_one_line.sql
alter table private.jobs
  drop constraint if exists jobs_key_is_one_line,
  add constraint jobs_key_is_one_line
    check (private.is_one_line(key, 1, 200));

comment on constraint jobs_key_is_one_line on private.jobs is
  'The key of a job must be 1 to 200 characters on one line';
--! EndIncluded jobs/rules/jobs_key_is_one_line.sql
--! Included jobs/rules/jobs_kind_is_a_word.sql
alter table private.jobs
  drop constraint if exists jobs_kind_is_a_word,
  add constraint jobs_kind_is_a_word
    check (kind ~ '^[a-z]{1,40}$');

comment on constraint jobs_kind_is_a_word on private.jobs is
  'A kind of job is a word of small letters';
--! EndIncluded jobs/rules/jobs_kind_is_a_word.sql
--! Included jobs/rules/jobs_lane_begins_with_its_kind.sql
alter table private.jobs
  drop constraint if exists jobs_lane_begins_with_its_kind,
  add constraint jobs_lane_begins_with_its_kind
    check (lane ~ '^[a-z]{1,40}(:.{1,100})?$' and split_part(lane, ':', 1) = kind);

comment on constraint jobs_lane_begins_with_its_kind on private.jobs is
  'A lane begins with the kind of its jobs';
--! EndIncluded jobs/rules/jobs_lane_begins_with_its_kind.sql
--! Included jobs/timed_jobs.sql
-- What is due by the clock. The code says when again; these rows are never ended.
insert into private.jobs (kind, lane, key)
select t.kind, t.kind, 'timed'
  from unnest(array['patterns', 'pruning']) t (kind)
 where not exists (
   select from private.jobs j where j.kind = t.kind and j.key = 'timed'
 );
--! EndIncluded jobs/timed_jobs.sql
--! Included wishes/fulfil_wishes.sql
/*
 * Who has what they waited for, waits no longer: from the moment on at which the claim is made or moved to
 * fit. Who asks for the time of a claim that they have, waits for one more spot, for a guest say.
 */
create or replace function private.fulfil_wishes()
  returns trigger
  language plpgsql
  security definer -- residents write no wish
  set search_path = ''
as $$
begin
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;

  update parking.wishes w
     set claim_id = new.id
   where w.wisher_id = new.claimer_id
     and w.claim_id is null
     and w.start_time >= new.start_time
     and w.end_time <= new.end_time
     and (tg_op = 'INSERT' or w.start_time < old.start_time or w.end_time > old.end_time)
     and coalesce(w.spot_id, new.spot_id) = new.spot_id
     and (
       w.building_section is null
       or w.building_section = (select s.building_section from parking.spots s where s.id = new.spot_id)
     );
  return null;
end;
$$;

comment on function private.fulfil_wishes is
  'Trigger function: a claim fulfils the wishes of the claimer that it fits, and did not before.';

-- After the rule claims_wait_for_offers: triggers run in the order of their names.
create or replace trigger fulfil_wishes
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.fulfil_wishes();
--! EndIncluded wishes/fulfil_wishes.sql
--! Included wishes/offer_window.sql
/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the
 * building says how many minutes each has, one after the other. Nobody is woken when their turn comes:
 * from and until when it is stands in the wish and in the notification from the beginning, and the
 * rule claims_wait_for_offers reads the clock. A wish has one offer at a time and one notification, of
 * its own id: however many windows fit, and however often they come and go, it is one message to read.
 */
create or replace function private.offer_window()
  returns trigger
  language plpgsql
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  -- More would keep a window from everybody for hours while nobody answers.
  c_longest_line constant integer := 10;
  v_each interval;
  v_now timestamptz;
  v_begin timestamptz;
  v_window parking.availabilities;
  v_spot parking.spots;
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;
  -- Here, because a trigger's condition that is long costs each claim more.
  if tg_op = 'UPDATE'
    and not old.is_claimed
    and new.start_time >= old.start_time
    and new.end_time <= old.end_time
  then
    return null;
  end if;

  select a.* into v_window
    from parking.availabilities a
   where a.id = new.id
     and not a.is_claimed
     and exists (select from parking.profiles p where p.id = a.owner_id and p.is_approved)
     -- Hardly ever does anybody wait for just this.
     and exists (
       select from parking.wishes w
        where w.claim_id is null
          and w.start_time >= a.start_time
          and w.start_time < a.end_time
          and w.end_time <= a.end_time
          and w.start_time > clock_timestamp()
     );

  if not found then
    return null;
  end if;

  -- Two windows that become free at once: who has an offer of the first is seen at the second. It is
  -- the last lock of the transaction, which is about to end.
  perform pg_advisory_xact_lock(hashtextextended('parking.wishes', 0));
  v_each := make_interval(mins => (private.building()).offer_minutes);
  v_now := date_trunc('milliseconds', clock_timestamp()); -- as it is stored: an offer begins now

  select s.* into v_spot from parking.spots s where s.id = v_window.spot_id;

  -- After the turn of somebody to whom it was offered before it became longer.
  select greatest(v_now, max(w.offered_until)) into v_begin
    from parking.wishes w
   where w.availability_id = v_window.id
     and w.claim_id is null
     and w.offered_from <= v_now
     and w.offered_until > v_now;

  with waiting as materialized (
    select w.id, w.wisher_id, w.start_time, w.created_at
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     where w.claim_id is null
       and w.start_time >= v_window.start_time
       and w.start_time < v_window.end_time
       and w.end_time <= v_window.end_time
       and w.start_time > v_now
       and coalesce(w.spot_id, v_spot.id) = v_spot.id
       and coalesce(w.building_section, v_spot.building_section) = v_spot.building_section
       and w.wisher_id <> v_spot.owner_id
       -- Who gave it back does not want it.
       and (tg_op = 'INSERT' or w.wisher_id is distinct from (select private.caller_id()))
       -- Not those who have an offer that they can take now, or a message that they have not read.
       and not exists (
         select from parking.availabilities a
          where a.id = w.availability_id
            and not a.is_claimed
            and a.start_time <= w.start_time
            and a.end_time >= w.end_time
            and case
              when w.offered_until is not null
                then w.offered_from <= v_now and w.offered_until > v_now
              else exists (select from parking.notifications n where n.id = w.id and not n.is_read)
            end
       )
       for no key update of w skip locked -- one that is being fulfilled or withdrawn
  ),
  line as (
    select f.id,
           f.start_time,
           v_begin + (row_number() over by_asking - 1) * v_each as offered_from,
           v_begin + row_number() over by_asking * v_each as offered_until,
           row_number() over by_asking as place
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
    window by_asking as (order by f.created_at, f.id)
  ),
  told as (
    update parking.wishes w
       set availability_id = v_window.id,
           offered_from = l.offered_from,
           offered_until = least(l.offered_until, case when v_each is not null then l.start_time end)
      from line l
     where w.id = l.id
       and (v_each is null or (l.place <= c_longest_line and l.offered_from < l.start_time))
    returning w.*
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
             null, v_spot, v_window.start_time, v_window.end_time, null,
             case when v_each is not null then t.offered_from end, t.offered_until
           ),
           v_window.id,
           v_spot.id
      from told t
     cross join (
       select private.notification_message(
         null, 'wish.fits', v_spot, v_window.start_time, v_window.end_time, null
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
  return null;
end;
$$;

comment on function private.offer_window is
  'Trigger function: offers a window that became free, or longer, to those whose wish it fits, and notifies them.';

-- Deferred to the end of the transaction: a window may change several times until then.
drop trigger if exists offer_published on parking.availabilities;
create constraint trigger offer_published
  after insert on parking.availabilities
  deferrable initially deferred
  for each row
  -- Nothing, not a function call even, while nobody has ever waited: the table has no page then. With one
  -- argument pg_relation_size is in SQL, and would be planned anew by each statement.
  when (not new.is_claimed and pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.offer_window();

-- A claim, which takes its window, reads this condition too: it is short, and the function asks the rest.
drop trigger if exists offer_freed on parking.availabilities;
create constraint trigger offer_freed
  after update of start_time, end_time, is_claimed on parking.availabilities
  deferrable initially deferred
  for each row
  when (not new.is_claimed)
  execute function private.offer_window();
--! EndIncluded wishes/offer_window.sql
--! Included webhooks/table.sql
/* Where events go: addresses of other programs, which administrators name. */
create table if not exists parking.webhooks (
  id uuid default uuidv7(),
  url text not null,
  types text[] not null,
  format text not null default 'event',
  enabled boolean not null default true,
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhooks_pkey primary key (id)
);

comment on table parking.webhooks is
  E'@absent Webhook not found\nAn address to which events are sent, as Standard Webhooks describes.';
comment on column parking.webhooks.id is
  'Identifies the webhook.';
comment on column parking.webhooks.url is
  'Where events are posted: https, port 443 or one from 1024 on, an address of the public Internet.';
comment on column parking.webhooks.types is
  'The types of the events that are sent.';
comment on column parking.webhooks.format is
  'event: type, timestamp and data; chat: a text, as Slack, Mattermost and Teams take it.';
comment on column parking.webhooks.enabled is
  'Whether events are sent. Turned off where the receiver answers 410, or has failed for five days.';
comment on column parking.webhooks.failing_since is
  'When the first delivery failed since the last one that succeeded.';
comment on column parking.webhooks.created_at is
  'When it was made.';
comment on column parking.webhooks.updated_at is
  'When an administrator last changed it.';

create index if not exists webhooks_created_at_id_idx
  on parking.webhooks (created_at desc, id);

create or replace trigger touch
  before update on parking.webhooks
  for each row
  -- Not of what a delivery notes.
  when (
    (new.url, new.types, new.format, new.enabled)
      is distinct from
      (old.url, old.types, old.format, old.enabled)
  )
  execute function private.touch();

-- Only administrators see, make, change and delete webhooks: administrator_required.
alter table parking.webhooks enable row level security;

drop policy if exists all_of_administrators on parking.webhooks;
create policy all_of_administrators on parking.webhooks
  to parking_api
  using (true)
  with check (true);

grant select, delete on parking.webhooks to parking_api;
-- No insert and no update of failing_since: deliveries note it.
grant insert (url, types, format, enabled) on parking.webhooks to parking_api;
grant update (url, types, format, enabled) on parking.webhooks to parking_api;
--! EndIncluded webhooks/table.sql
--! Included webhook_secrets/table.sql
/*
 * The service signs with them, so a hash would not do. They have a table of their own, which nobody but
 * functions reads: no list of webhooks, and no reporting tool, shows one.
 */
create table if not exists private.webhook_secrets (
  webhook_id uuid,
  secret text,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  constraint webhook_secrets_pkey primary key (webhook_id, secret)
);

comment on table private.webhook_secrets is
  'What signs the deliveries of a webhook.';
comment on column private.webhook_secrets.webhook_id is
  'The webhook.';
comment on column private.webhook_secrets.secret is
  'whsec_ and 32 bytes in base64, as Standard Webhooks writes it.';
comment on column private.webhook_secrets.created_at is
  'When it was made.';
comment on column private.webhook_secrets.expires_at is
  'Until when one that was replaced signs. Null: the one that signs now.';

alter table private.webhook_secrets enable row level security;
-- No policy and no grant: only functions write and read it.
--! EndIncluded webhook_secrets/table.sql
--! Included webhook_secrets/give_webhook_secret.sql
create or replace function private.give_webhook_secret(webhook_id uuid)
  returns text
  language plpgsql
  volatile
  security definer -- nobody reads the secrets
  set search_path = ''
as $$
declare
  -- 244 random bits, as 32 bytes.
  v_secret constant text := 'whsec_' || encode(
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'
  );
begin
  perform private.require_administrator();

  perform from parking.webhooks w where w.id = give_webhook_secret.webhook_id for update;
  perform private.require_administrator(); -- still, after all the waiting

  -- Two sign at most: of those that were replaced, the last.
  delete from private.webhook_secrets s
   where s.webhook_id = give_webhook_secret.webhook_id
     and s.expires_at is not null;
  update private.webhook_secrets s
     set expires_at = clock_timestamp() + interval '1 day'
   where s.webhook_id = give_webhook_secret.webhook_id;

  insert into private.webhook_secrets (webhook_id, secret)
  values (give_webhook_secret.webhook_id, v_secret);
  return v_secret;
end;
$$;

comment on function private.give_webhook_secret is
  'Gives a webhook a new secret, for administrators, and returns it. The one before signs for another day.';
grant execute on function private.give_webhook_secret to parking_api;
--! EndIncluded webhook_secrets/give_webhook_secret.sql
--! Included webhook_secrets/rules/webhook_secrets_are_random.sql
alter table private.webhook_secrets
  drop constraint if exists webhook_secrets_are_random,
  add constraint webhook_secrets_are_random
    check (secret ~ '^whsec_[A-Za-z0-9+/]{43}=$');

comment on constraint webhook_secrets_are_random on private.webhook_secrets is
  'A secret must be whsec_ and 32 bytes in base64';
--! EndIncluded webhook_secrets/rules/webhook_secrets_are_random.sql
--! Included webhook_secrets/rules/webhook_secrets_of_a_webhook.sql
alter table private.webhook_secrets
  drop constraint if exists webhook_secrets_of_a_webhook,
  add constraint webhook_secrets_of_a_webhook
    foreign key (webhook_id)
    references parking.webhooks (id)
    on delete cascade;

comment on constraint webhook_secrets_of_a_webhook on private.webhook_secrets is
  E'@status 404\nWebhook not found';
--! EndIncluded webhook_secrets/rules/webhook_secrets_of_a_webhook.sql
--! Included webhooks/are_webhook_types.sql
/* Not those of patterns and notifications: administrators do not see what is other people's own. */
create or replace function private.are_webhook_types(types text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(types) > 0
    and array_ndims(types) = 1
    and cardinality(types) = (select count(distinct t.type) from unnest(types) t (type))
    and not exists (
      select
        from unnest(types) t (type)
       where private.is_event_type(t.type) is not true
          or split_part(t.type, '.', 1) not in ('profile', 'spot', 'availability', 'claim')
    );
end;
$$;

comment on function private.are_webhook_types is
  'Whether these are different types of events that go to webhooks, one at least.';
grant execute on function private.are_webhook_types to parking_api;
--! EndIncluded webhooks/are_webhook_types.sql
--! Included webhooks/create_webhook.sql
create or replace function api.create_webhook(
    inout url text,
    inout types text[],
    inout format text default 'event',
    inout enabled boolean default true,
    out id uuid,
    out failing_since timestamptz,
    out created_at timestamptz,
    out updated_at timestamptz,
    out secret text
)
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  insert into parking.webhooks as w (url, types, format, enabled)
  values (create_webhook.url, create_webhook.types, create_webhook.format, create_webhook.enabled)
  returning w.id, w.created_at, w.updated_at
       into create_webhook.id, create_webhook.created_at, create_webhook.updated_at;

  secret := private.give_webhook_secret(create_webhook.id);
end;
$$;

comment on function api.create_webhook is
  'Send events to an address from now on. Only this answer has the secret that signs them';
grant execute on function api.create_webhook to parking_api;
--! EndIncluded webhooks/create_webhook.sql
--! Included webhooks/delete_webhook.sql
create or replace function api.delete_webhook(
    id uuid,
    out message text,
    out deleted_webhook_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  delete from parking.webhooks w
   where w.id = delete_webhook.id;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  perform private.require_administrator(); -- still, after all the waiting
  message := 'Webhook deleted successfully';
  deleted_webhook_id := delete_webhook.id;
end;
$$;

comment on function api.delete_webhook is
  'Delete a webhook, and its deliveries: nothing more is sent to it';
grant execute on function api.delete_webhook to parking_api;
--! EndIncluded webhooks/delete_webhook.sql
--! Included webhooks/end_deliveries.sql
/* What was to be sent to a webhook, and what was, goes with it. */
create or replace function private.end_deliveries()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  delete from private.jobs j
   where j.kind = 'webhook'
     and (j.data ->> 'webhook_id')::uuid = old.id;
  return null;
end;
$$;

comment on function private.end_deliveries is
  'Trigger function: deletes the jobs of a webhook that was deleted.';

create or replace trigger end_deliveries
  after delete on parking.webhooks
  for each row
  execute function private.end_deliveries();
--! EndIncluded webhooks/end_deliveries.sql
--! Included webhooks/enforce_few_webhooks.sql
/* Each event is sent to each of them. */
create or replace function private.enforce_few_webhooks()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to the building
  set search_path = ''
as $$
begin
  -- Two at once: the second waits for the first, and counts it.
  perform from parking.building for no key update;

  if (select count(*) from parking.webhooks) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_webhooks is
  'Trigger function: refuses a webhook where there are as many as the argument says.';
--! EndIncluded webhooks/enforce_few_webhooks.sql
--! Included webhooks/forget_failures.sql
/* Who turns a webhook on again gives its receiver five days anew. */
create or replace function private.forget_failures()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.failing_since := null;
  return new;
end;
$$;

comment on function private.forget_failures is
  'Trigger function: forgets since when deliveries have failed.';

create or replace trigger forget_failures
  before update of enabled on parking.webhooks
  for each row
  when (new.enabled and not old.enabled)
  execute function private.forget_failures();
--! EndIncluded webhooks/forget_failures.sql
--! Included webhooks/get_webhook.sql
create or replace function api.get_webhook(id uuid)
  returns setof parking.webhooks
  language sql
  stable
  security invoker
  rows 1
as $$
  select w.*
    from parking.webhooks w
   where w.id = get_webhook.id
$$;

comment on function api.get_webhook is
  'One webhook';
grant execute on function api.get_webhook to parking_api;
--! EndIncluded webhooks/get_webhook.sql
--! Included webhooks/list_webhooks.sql
create or replace function api.list_webhooks()
  returns setof parking.webhooks
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.webhooks w
$$;

comment on function api.list_webhooks is
  'Where events are sent, newest first';
grant execute on function api.list_webhooks to parking_api;
--! EndIncluded webhooks/list_webhooks.sql
--! Included webhooks/require_webhook.sql
create or replace function private.require_webhook(id uuid)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  if not exists (select from parking.webhooks w where w.id = require_webhook.id) then
    perform private.refuse_absent('webhooks');
  end if;
end;
$$;

comment on function private.require_webhook is
  'Fails with status 404 where there is no such webhook, and for all but administrators.';
grant execute on function private.require_webhook to parking_api;
--! EndIncluded webhooks/require_webhook.sql
--! Included webhooks/rotate_webhook.sql
create or replace function api.rotate_webhook(
    inout id uuid,
    out url text,
    out types text[],
    out format text,
    out enabled boolean,
    out failing_since timestamptz,
    out created_at timestamptz,
    out updated_at timestamptz,
    out secret text
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  select w.url, w.types, w.format, w.enabled, w.failing_since, w.created_at, w.updated_at
    into url, types, format, enabled, failing_since, created_at, updated_at
    from parking.webhooks w
   where w.id = rotate_webhook.id;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  secret := private.give_webhook_secret(rotate_webhook.id);
end;
$$;

comment on function api.rotate_webhook is
  'Give a webhook another secret. For a day, the one before signs, too';
grant execute on function api.rotate_webhook to parking_api;
--! EndIncluded webhooks/rotate_webhook.sql
--! Included webhooks/update_webhook.sql
create or replace function api.update_webhook(
    id uuid,
    url text default null,
    types text[] default null,
    format text default null,
    enabled boolean default null
)
  returns parking.webhooks
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_webhook parking.webhooks;
begin
  perform private.require_administrator();

  update parking.webhooks w
     set url = coalesce(update_webhook.url, w.url),
         types = coalesce(update_webhook.types, w.types),
         format = coalesce(update_webhook.format, w.format),
         enabled = coalesce(update_webhook.enabled, w.enabled)
   where w.id = update_webhook.id
  returning * into v_webhook;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  perform private.require_administrator(); -- still, after all the waiting
  return v_webhook;
end;
$$;

comment on function api.update_webhook is
  'Change a webhook, or turn it off or on. What waits goes to the new address';
grant execute on function api.update_webhook to parking_api;
--! EndIncluded webhooks/update_webhook.sql
--! Included webhooks/rules/administrator_required.sql
drop policy if exists administrator_required on parking.webhooks;
create policy administrator_required on parking.webhooks
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.webhooks is
  'Administrator privileges required';
--! EndIncluded webhooks/rules/administrator_required.sql
--! Included webhooks/rules/webhooks_format_is_known.sql
alter table parking.webhooks
  drop constraint if exists webhooks_format_is_known,
  add constraint webhooks_format_is_known
    check (format in ('event', 'chat'));

comment on constraint webhooks_format_is_known on parking.webhooks is
  E'@field format\nformat must be event or chat';
--! EndIncluded webhooks/rules/webhooks_format_is_known.sql
--! Included webhooks/rules/webhooks_twenty_at_most.sql
create or replace trigger webhooks_twenty_at_most
  before insert on parking.webhooks
  for each row
  execute function private.enforce_few_webhooks('20');

comment on trigger webhooks_twenty_at_most on parking.webhooks is
  E'@status 409\nA building has twenty webhooks at most; delete one first';
--! EndIncluded webhooks/rules/webhooks_twenty_at_most.sql
--! Included webhooks/rules/webhooks_types_are_known.sql
alter table parking.webhooks
  drop constraint if exists webhooks_types_are_known,
  add constraint webhooks_types_are_known
    check (private.are_webhook_types(types));

comment on constraint webhooks_types_are_known on parking.webhooks is
  E'@field types\ntypes must be one or more different types of events of which administrators see the subject';
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
  E'@field url\nurl must begin with https:// and have no name or password in it';
--! EndIncluded webhooks/rules/webhooks_url_is_https.sql
--! Included webhooks/rules/webhooks_url_is_one_line.sql
alter table parking.webhooks
  drop constraint if exists webhooks_url_is_one_line,
  add constraint webhooks_url_is_one_line
    check (private.is_one_line(url, 1, 2000));

comment on constraint webhooks_url_is_one_line on parking.webhooks is
  E'@field url\nurl must be 1 to 2000 characters on one line';
--! EndIncluded webhooks/rules/webhooks_url_is_one_line.sql
--! Included deliveries/view.sql
/* The jobs that send events, as administrators see them. */
-- The view reads jobs and the log as its owner, because nobody else does: its conditions are the policy.
create or replace view parking.deliveries
  with (security_barrier)
as
  select j.id,
         (j.data ->> 'webhook_id')::uuid as webhook_id,
         j.event_id,
         coalesce(e.type, 'webhook.test') as type,
         e.position,
         case
           when j.ended_at is null and j.failures = 0 then 'waiting'
           when j.ended_at is null then 'failing'
           when j.failure is null then 'delivered'
           else 'given_up'
         end as state,
         j.attempts,
         j.failure,
         case when j.ended_at is null then j.run_at end as next_attempt_at,
         j.ended_at,
         j.created_at
    from private.jobs j
    left join only private.events e on e.id = j.event_id
   where j.kind = 'webhook'
     and (select private.is_administrator());

-- In the order of the list of one webhook.
create index if not exists jobs_of_webhook_idx
  on private.jobs (((data ->> 'webhook_id')::uuid), created_at desc, id)
  where kind = 'webhook';

comment on index private.jobs_of_webhook_idx is
  'Lists the deliveries of a webhook.';
comment on view parking.deliveries is
  'An event that was sent to a webhook, or will be.';
comment on column parking.deliveries.id is
  'Identifies the delivery. The header webhook-id of a test has it.';
comment on column parking.deliveries.webhook_id is
  'The webhook.';
comment on column parking.deliveries.event_id is
  'The event, and what the header webhook-id has at each attempt; null for a test.';
comment on column parking.deliveries.type is
  'The type of the event, or webhook.test.';
comment on column parking.deliveries.position is
  'The place of the event in the order of all events.';
comment on column parking.deliveries.state is
  'waiting for its first attempt, or a new one; failing, and tried again; delivered; given_up.';
comment on column parking.deliveries.attempts is
  'How often it was sent.';
comment on column parking.deliveries.failure is
  'Why the last attempt failed.';
comment on column parking.deliveries.next_attempt_at is
  'When it is sent again; while it is being sent, when another process would.';
comment on column parking.deliveries.ended_at is
  'When it was delivered or given up.';
comment on column parking.deliveries.created_at is
  'When it came up.';

grant select on parking.deliveries to parking_api;
--! EndIncluded deliveries/view.sql
--! Included deliveries/add_delivery.sql
/* What is sent once is one job: its key is the webhook and the event. */
create or replace function private.add_delivery(webhook_id uuid, event_id uuid)
  returns void
  language sql
  volatile
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job(
    'webhook',
    concat_ws('/', add_delivery.webhook_id, add_delivery.event_id),
    jsonb_build_object('webhook_id', add_delivery.webhook_id),
    event_id => add_delivery.event_id,
    lane => 'webhook:' || add_delivery.webhook_id
  );
end;

comment on function private.add_delivery is
  'Adds the job that sends an event to a webhook, unless there is or was one.';
--! EndIncluded deliveries/add_delivery.sql
--! Included deliveries/add_deliveries.sql
/* In the transaction that gives the events their positions: none is passed over, and no claim pays for it. */
create or replace function private.add_deliveries(after bigint, until bigint)
  returns void
  language sql
  volatile
  security invoker -- for private.order_events: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_delivery(w.id, e.id)
    from parking.webhooks w
    join private.events e on e.type = any (w.types)
   where w.enabled
     and e.position > add_deliveries.after
     and e.position <= add_deliveries.until
   order by e.position;
end;

comment on function private.add_deliveries is
  'Adds the deliveries of the events after one position, up to another.';
--! EndIncluded deliveries/add_deliveries.sql
--! Included deliveries/add_test_delivery.sql
create or replace function private.add_test_delivery(webhook_id uuid)
  returns uuid
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
declare
  v_key constant text := concat_ws('/', webhook_id, 'test', gen_random_uuid());
begin
  perform private.require_administrator();

  perform private.add_job(
    'webhook',
    v_key,
    jsonb_build_object('webhook_id', add_test_delivery.webhook_id),
    lane => 'webhook:' || add_test_delivery.webhook_id
  );
  return (select j.id from private.jobs j where j.kind = 'webhook' and j.key = v_key);
end;
$$;

comment on function private.add_test_delivery is
  'Adds a job that sends a test to a webhook, for administrators, and returns its id.';
grant execute on function private.add_test_delivery to parking_api;
--! EndIncluded deliveries/add_test_delivery.sql
--! Included deliveries/get_delivery.sql
/* Read at each attempt: what was changed or erased since goes out no more. */
create or replace function private.get_delivery(webhook_id uuid, event_id uuid)
  returns table (
    url text,
    format text,
    enabled boolean,
    secrets text[],
    type text,
    occurred_at timestamptz,
    data jsonb,
    building text,
    time_zone text,
    spot_number text
  )
  language plpgsql
  stable
  security definer -- the API role has no access to the secrets and the log
  rows 1
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
begin
  perform private.require_service();

  return query
  select w.url,
         w.format,
         w.enabled,
         array(
           select s.secret
             from private.webhook_secrets s
            where s.webhook_id = w.id
              and coalesce(s.expires_at > now(), true)
            order by s.expires_at desc nulls first
         ),
         e.type,
         e.occurred_at::timestamptz,
         e.data,
         v_building.name,
         v_building.time_zone,
         (
           select s.spot_number
             from parking.spots s
            where s.id = coalesce(
              (e.data ->> 'spot_id')::uuid,
              (select c.spot_id from parking.claims c where c.id = e.subject_id)
            )
         )
    from parking.webhooks w
    left join private.events e on e.id = get_delivery.event_id
   where w.id = get_delivery.webhook_id;
end;
$$;

comment on function private.get_delivery is
  'What the service needs to send an event to a webhook. No row: the webhook was deleted. No type: it is a test, or the event is kept no longer.';
grant execute on function private.get_delivery to parking_api;
--! EndIncluded deliveries/get_delivery.sql
--! Included deliveries/list_deliveries.sql
create or replace function api.list_deliveries()
  returns setof parking.deliveries
  language sql
  stable
  security invoker
as $$
  select d.*
    from parking.deliveries d
$$;

comment on function api.list_deliveries is
  'What was sent to a webhook, or will be, newest first';
grant execute on function api.list_deliveries to parking_api;
--! EndIncluded deliveries/list_deliveries.sql
--! Included deliveries/note_delivery.sql
create or replace function private.note_delivery(webhook_id uuid, succeeded boolean, is_gone boolean)
  returns void
  language plpgsql
  volatile
  security definer -- nobody but administrators changes a webhook
  set search_path = ''
as $$
begin
  perform private.require_service();

  if note_delivery.succeeded then
    update parking.webhooks w
       set failing_since = null
     where w.id = note_delivery.webhook_id
       and w.failing_since is not null;
    return;
  end if;

  update parking.webhooks w
     set failing_since = now()
   where w.id = note_delivery.webhook_id
     and w.failing_since is null;

  update parking.webhooks w
     set enabled = false
   where w.id = note_delivery.webhook_id
     and w.enabled
     and (note_delivery.is_gone or w.failing_since < now() - interval '5 days');

  if found then
    perform private.notify(p.id, 'webhook.disabled')
       from parking.profiles p
      where p.is_admin
        and p.is_approved;
  end if;
end;
$$;

comment on function private.note_delivery is
  'Notes whether an attempt to send succeeded. A webhook whose receiver wants no more, or has failed for five days, is turned off, and administrators are told.';
grant execute on function private.note_delivery to parking_api;
--! EndIncluded deliveries/note_delivery.sql
--! Included deliveries/replay.sql
/* The same job again, so that a receiver gets the same id: it knows what it has had already. */
create or replace function private.replay(
    webhook_id uuid,
    since bigint,
    event_id uuid,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs and the log
  set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  perform private.require_administrator();

  select array_agg(chosen.id), count(*), max(chosen.position)
    into v_ids, deliveries, "until"
    from (
      select e.id, e.position
        from parking.webhooks w
        join private.events e on e.type = any (w.types)
       where w.id = replay.webhook_id
         and w.enabled
         and e.position is not null
         and case
               when replay.event_id is not null then e.id = replay.event_id
               when replay.since is not null then e.position > replay.since
               else e.id = any (array(
                 select j.event_id
                   from private.jobs j
                  where j.kind = 'webhook'
                    and (j.data ->> 'webhook_id')::uuid = replay.webhook_id
                    and j.ended_at is not null
                    and j.failure is not null
               ))
             end
       order by e.position
       limit 5000
    ) chosen;

  update private.jobs j
     set run_at = clock_timestamp(),
         ended_at = null,
         failures = 0,
         failure = null
   where j.kind = 'webhook'
     and j.key = any (array(
       select concat_ws('/', replay.webhook_id, i.id) from unnest(v_ids) i (id)
     ))
     and (j.ended_at is not null or j.failures > 0); -- not of one that is about to be sent

  -- What was pruned, and what was never sent.
  perform private.add_delivery(replay.webhook_id, i.id) from unnest(v_ids) i (id);
end;
$$;

comment on function private.replay is
  'Adds the deliveries of past events to a webhook that is on, or begins them anew, for administrators.';
grant execute on function private.replay to parking_api;
--! EndIncluded deliveries/replay.sql
--! Included deliveries/replay_webhook.sql
create or replace function api.replay_webhook(
    id uuid,
    since bigint default null,
    event_id uuid default null,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.require_webhook(replay_webhook.id);

  select r.deliveries, r."until"
    into replay_webhook.deliveries, replay_webhook."until"
    from private.replay(replay_webhook.id, replay_webhook.since, replay_webhook.event_id) r;
end;
$$;

comment on function api.replay_webhook is
  'Send events again, with the ids that they had: those after a position, one, or, without either, all that were given up. Five thousand at most; `until` is the position of the last';
grant execute on function api.replay_webhook to parking_api;
--! EndIncluded deliveries/replay_webhook.sql
--! Included deliveries/test_webhook.sql
create or replace function api.test_webhook(id uuid)
  returns setof parking.deliveries
  language plpgsql
  volatile
  security invoker
  rows 1
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.require_webhook(test_webhook.id);

  v_id := private.add_test_delivery(test_webhook.id);
  return query
  select d.*
    from parking.deliveries d
   where d.id = v_id;
end;
$$;

comment on function api.test_webhook is
  'Send a test, once, also where the webhook is off. The list of its deliveries says what became of it';
grant execute on function api.test_webhook to parking_api;
--! EndIncluded deliveries/test_webhook.sql
--! Included events/current_position.sql
/* For api.get_events: where a stream begins. */
create or replace function private.current_position()
  returns bigint
  language sql
  stable
  security definer -- the API role has no access to the log; a number says nothing of what is in it
  set search_path = ''
return (
  select l.position
    from private.last_position l
   where (select private.is_approved())
);

comment on function private.current_position is
  'The position of the last event; null, where the caller is not approved.';
grant execute on function private.current_position to parking_api;
--! EndIncluded events/current_position.sql
--! Included events/event_data.sql
/*
 * What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry
 * down to it, and without what is there only where it has a value. Of data that is so already, the same.
 */
create or replace function private.event_data(type text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case split_part(event_data.type, '.', 1)
    when 'availability' then array['owner_id', 'during', 'pattern_day']
    when 'pattern' then array['owner_id', 'time_zone', 'left_out', 'left_out_times']
    when 'claim' then array['spot_id', 'owner_id', 'held']
    else '{}'
  end - case
    -- private.piece_for finds by it where the piece went.
    when event_data.type = 'availability.joined' then '{}'
    else array['part_of']
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
--! Included events/get_events.sql
create or replace function api.get_events()
  returns table ("position" bigint)
  language sql
  stable
  security invoker
  rows 1
as $$
  select private.current_position()
$$;

comment on function api.get_events is
  'What happens from now on, as server-sent events';
grant execute on function api.get_events to parking_api;
--! EndIncluded events/get_events.sql
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
    'availability.created', 'availability.updated', 'availability.joined', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.collided', 'pattern.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'notification.created'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
grant execute on function private.is_event_type to parking_api;
--! EndIncluded events/is_event_type.sql
--! Included events/lock_events.sql
/* Who changes past events locks the order first: an event that is moved on meanwhile would be missed. */
create or replace function private.lock_events()
  returns void
  language sql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select from private.last_position for update;
end;

comment on function private.lock_events is
  'Keeps events where they are until the transaction ends.';
--! EndIncluded events/lock_events.sql
--! Included events/order_events.sql
/*
 * The order of ids, or of a sequence, is not that of commits: a reader that has seen one event would pass
 * over those that are committed later with a lower number. So events get their positions when they are
 * committed, from one transaction at a time.
 */
create or replace function private.order_events(most integer default 1000)
  returns bigint
  language plpgsql
  volatile
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_before bigint;
  v_last bigint;
begin
  perform private.require_service();

  select l.position into v_before
    from private.last_position l
     for update skip locked;

  if not found then
    if not exists (select from private.last_position) then
      raise exception 'private.last_position has no row: insert one, with the greatest position of private.events';
    end if;
    return null; -- another process is at it
  end if;

  perform set_config('parking.ordering', 'on', true); -- the exception of events_are_only_added
  with taken as (
    delete from private.new_events n
     where n.ctid = any (array(
       select e.ctid
         from private.new_events e
        order by e.id
        limit order_events.most
          for update skip locked -- of a table's owner at work
     ))
    returning n.*
  ),
  ordered as (
    insert into private.events
      (id, type, subject_id, actor_id, data, occurred_at, reason, position)
    select t.id, t.type, t.subject_id, t.actor_id, private.event_data(t.type, t.data), t.occurred_at,
           t.reason,
           v_before + row_number() over (order by t.id)
      from taken t
    returning events.position
  )
  select max(o.position) into v_last
    from ordered o;
  perform set_config('parking.ordering', 'off', true);

  if v_last is null then
    return v_before;
  end if;

  update private.last_position l
     set position = v_last;

  perform private.add_deliveries(v_before, v_last);
  perform private.add_mails(v_before, v_last);

  -- One for all of them, and never by a claim: a notification takes a lock of the whole cluster.
  perform pg_notify('parking_events', v_last::text);
  return v_last;
end;
$$;

comment on function private.order_events is
  'Gives committed events their positions, at most so many at once, and returns the last position; null where another process is about it.';
grant execute on function private.order_events to parking_api;
--! EndIncluded events/order_events.sql
--! Included events/owner_of_spot.sql
/* Spots do not change hands, and of one that was deleted the log knows whose it was. */
create or replace function private.owner_of_spot(id uuid)
  returns uuid
  language sql
  stable
  security invoker -- for private.views_of_event: no grant to the API role
  set search_path = ''
return coalesce(
  (
    select s.owner_id
      from parking.spots s
     where s.id = owner_of_spot.id
  ),
  (
    select (e.data ->> 'owner_id')::uuid
      from private.events e
     where e.subject_id = owner_of_spot.id
       and e.type = 'spot.deleted'
     limit 1
  )
);

comment on function private.owner_of_spot is
  'Who owns the spot, or owned it when it was deleted.';
--! EndIncluded events/owner_of_spot.sql
--! Included events/owner_of_window.sql
/* Events of claims do not say whose spot it is. Where the window is gone, the log leads to the spot. */
create or replace function private.owner_of_window(id uuid)
  returns uuid
  language sql
  stable
  security invoker -- for private.views_of_event: no grant to the API role
  set search_path = ''
return coalesce(
  (
    select a.owner_id
      from parking.availabilities a
     where a.id = owner_of_window.id
  ),
  (
    select private.owner_of_spot((e.data ->> 'spot_id')::uuid)
      from private.events e
     where e.subject_id = owner_of_window.id
       and e.type like 'availability.%'
     limit 1
  )
);

comment on function private.owner_of_window is
  'Who owns, or owned, the spot of a window.';
--! EndIncluded events/owner_of_window.sql
--! Included events/read_events.sql
/*
 * What a process shows to all who listen to it: one question for all of them, however many they are.
 * Approval is what the profiles say: where groups decide, private.follow_groups keeps it there.
 */
create or replace function private.read_events(
    after bigint,
    people uuid[],
    most integer default 200
)
  returns table (
    "position" bigint,
    type text,
    occurred_at timestamptz,
    data jsonb,
    seen_by integer[]
  )
  language plpgsql
  stable
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_log private.last_position;
  v_suspended_owners uuid[];
  v_reached bigint;
begin
  perform private.require_service();

  select l.* into v_log
    from private.last_position l;

  if read_events.after not between v_log.kept_after and v_log.position then
    return query
    select v_log.position, 'reset', now(), '{}'::jsonb, null::integer[];
    v_reached := v_log.position;
  elsif read_events.after = v_log.position then
    v_reached := v_log.position;
  else
    select case when count(*) < read_events.most then v_log.position else max(e.position) end
      into v_reached
      from (
        select o.position
          from only private.events o
         where o.position > read_events.after
         order by o.position
         limit read_events.most
      ) e;
    -- Also those who own nothing any more: the log has what they had.
    v_suspended_owners := array(
      select p.id
        from parking.profiles p
       where not p.is_approved
    );

    return query
    with listeners as materialized (
      select a.id, a.at::integer as at, p.is_admin
        from unnest(read_events.people) with ordinality a (id, at)
        join parking.profiles p on p.id = a.id
       where p.is_approved
    )
    select e.position,
           v.type,
           e.occurred_at,
           v.data,
           case
             when not coalesce(v.is_for_all, false) then array(
               select l.at
                 from listeners l
                where l.id = any (v.people)
                   or (l.is_admin and v.is_for_administrators)
             )
           end
      from only private.events e
     cross join lateral private.views_of_event(e, v_suspended_owners) v
     where e.position > read_events.after
       and e.position <= v_reached
     order by e.position, v.rank;
  end if;

  return query
  select v_reached,
         null,
         null::timestamptz,
         null::jsonb,
         array(
           select a.at::integer
             from unnest(read_events.people) with ordinality a (id, at)
             join parking.profiles p on p.id = a.id
            where p.is_approved
         );
end;
$$;

comment on function private.read_events is
  'What happened after a position, in order, with the numbers of those of these people who may see it, and null for all who are approved; each sees the first row of a position that is theirs. The last row says how far it came, and who of them is approved. Where events after the position are no longer kept, or it is none of this log, the first row is a reset.';
grant execute on function private.read_events to parking_api;
--! EndIncluded events/read_events.sql
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

  union all
  select 1, event.type, event.data, false, true, array[event.subject_id]
   where event.type like 'profile.%'

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
  -- Others learn that the window was taken or is free.
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
  'What an event looks like, and to whom: approved residents all, the administrators among them, or these people. Each gets the first that is for them.';
--! EndIncluded events/views_of_event.sql
--! Included events/events_of_availabilities.sql
/*
 * Windows are created, moved and deleted. A claim of a window is an event of the claim. That pieces of a
 * window were joined is logged by private.join_pieces.
 */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  -- Not of a piece that was joined with others. People may set this too, but it binds them.
  when (
    current_setting('parking.joining', true) is distinct from 'on'
    or row_security_active('parking.availabilities')
  )
  execute function private.record_event('availability.deleted');
--! EndIncluded events/events_of_availabilities.sql
--! Included events/events_of_claims.sql
/* Claims are submitted, moved, completed, cancelled and deleted. */
create or replace trigger record_submission
  after insert on parking.claims
  for each row
  execute function private.record_event('claim.submitted');

create or replace trigger record_update
  after update of start_time, end_time on parking.claims
  for each row
  when (
    new.status = old.status
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_description
  after update of guest, vehicle on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time) = (old.status, old.start_time, old.end_time)
    and old.status = 'active' -- what an erasure takes out of one that is over is no event of the claim
    and (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle)
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
--! Included events/rules/events_are_only_added.sql
-- Two exceptions: private.erase_person removes from past events what names a person, and alone sets
-- parking.erasing, while it does so; private.prune alone sets parking.pruning. Only the owner of the
-- database could set them otherwise: no other role may change events at all.
create or replace trigger events_are_only_added
  before delete or update or truncate on private.events
  for each statement
  when (
    current_setting('parking.erasing', true) is distinct from 'on'
    and current_setting('parking.pruning', true) is distinct from 'on'
  )
  execute function private.enforce_rule();

comment on trigger events_are_only_added on private.events is
  'Events can be added, not changed';
--! EndIncluded events/rules/events_are_only_added.sql
--! Included reports/views/events.sql
/* The event log without the data of the events, which may contain names. */
create or replace view reporting.events as
  select e.id,
         e.type,
         e.subject_id,
         e.actor_id,
         e.occurred_at
    from private.events e
   where e.type <> 'notification.created';

comment on view reporting.events is
  'One row for each thing that happened to a profile, spot, availability or claim.';
comment on column reporting.events.id is
  'The event; ids grow with time.';
comment on column reporting.events.type is
  'What happened, as <thing>.<participle>, such as claim.cancelled.';
comment on column reporting.events.subject_id is
  'The profile, spot, availability or claim it happened to; it may since be deleted.';
comment on column reporting.events.actor_id is
  'The account that did it; null for the owner of the database.';
comment on column reporting.events.occurred_at is
  'When it happened.';
grant select on reporting.events to parking_reporter;
--! EndIncluded reports/views/events.sql
--! Included mail_key/table.sql
/* What signs the address at which one click ends a person's mails: whoever has the mail needs no token. */
create table if not exists private.mail_key (
  key bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);

alter table private.mail_key enable row level security;
-- No policy and no grant: private.unsubscribe compares what it signs.

comment on table private.mail_key is
  'The key of the addresses that end mails: one row. A new key makes those of older mails invalid.';
comment on column private.mail_key.key is
  '244 random bits.';

insert into private.mail_key
select
 where not exists (select from private.mail_key);

-- As private.new_events.
alter table private.mail_key replica identity full;
--! EndIncluded mail_key/table.sql
--! Included preferences/table.sql
/* What each person wants by mail. Who never said anything has no row: the building's settings hold. */
create table if not exists parking.preferences (
  person_id uuid default private.caller_id(),
  mail text[],
  language text,
  remind_minutes integer,
  constraint preferences_pkey primary key (person_id)
);

comment on table parking.preferences is
  E'@absent User profile not found\nWhat a resident wants by mail, in which language, and when. Null: as the building has it.';
comment on column parking.preferences.person_id is
  'Whose preferences they are.';
comment on column parking.preferences.mail is
  'What the resident is told by mail, by its kinds; none: no mail at all. Null: what the building says.';
comment on column parking.preferences.language is
  'The language of the mails. Null: that of the building.';
comment on column parking.preferences.remind_minutes is
  'How long before a claim starts, and before it ends, the resident is reminded. Null: as the building says.';
--! EndIncluded preferences/table.sql
--! Included mail_key/unsubscribe.sql
create or replace function private.unsubscribe(key text)
  returns boolean
  language plpgsql
  volatile
  security definer -- who has the mail proves it by the key, and is no caller
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  if unsubscribe.key !~ '^[A-Za-z0-9_-]{43}$' then
    return false;
  end if;

  v_id := encode(
    substring(decode(translate(unsubscribe.key, '-_', '+/') || '=', 'base64') for 16), 'hex'
  )::uuid;

  if private.unsubscribe_key(v_id) is distinct from unsubscribe.key then
    return false;
  end if;

  insert into parking.preferences as f (person_id, mail)
  select p.id, '{}'
    from parking.profiles p
   where p.id = v_id
  on conflict on constraint preferences_pkey do update
    set mail = '{}';
  return true;
end;
$$;

comment on function private.unsubscribe is
  'Ends the mails of the person whom this key was made for; false where it is none.';
grant execute on function private.unsubscribe to parking_api;
--! EndIncluded mail_key/unsubscribe.sql
--! Included mail_key/unsubscribe_key.sql
/* The person and a signature, in 43 characters that an address may have. Both parts have a fixed length. */
create or replace function private.unsubscribe_key(person_id uuid)
  returns text
  language sql
  stable
  set search_path = ''
begin atomic
  select translate(
           encode(
             uuid_send(unsubscribe_key.person_id)
               || substring(sha256(k.key || uuid_send(unsubscribe_key.person_id)) for 16),
             'base64'
           ),
           '+/=',
           '-_'
         )
    from private.mail_key k;
end;

comment on function private.unsubscribe_key is
  'The secret part of the address that ends the mails of this person.';
--! EndIncluded mail_key/unsubscribe_key.sql
--! Included mails/add_due_mails.sql
/*
 * What is due by the clock: reminders, and the list of who waits for approval. It looks at claims as they
 * are now, so one that was moved or cancelled needs no care. The key of a job has what it is about and
 * when, so that none is sent twice.
 */
create or replace function private.add_due_mails()
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
declare
  c_hour_of_lists constant integer := 7;
  v_now constant timestamptz := clock_timestamp();
  v_furthest timestamptz;
  v_local timestamp;
begin
  perform private.require_service();

  select v_now + make_interval(mins => greatest(b.remind_minutes, max(f.remind_minutes))),
         v_now at time zone b.time_zone
    into v_furthest, v_local
    from parking.building b
    left join parking.preferences f on f.remind_minutes is not null
   group by b.id;

  -- Who claims in the last minute knows what they did.
  perform private.add_job('mail', m.key, m.data)
     from (
       select format('claim.starts.%s.%s', c.id, extract(epoch from c.start_time)) as key,
              jsonb_build_object(
                'kind', 'claim.starts',
                'recipient_id', r.id,
                'claim_id', c.id,
                'at', c.start_time
              ) as data
         from parking.claims c
         join private.mail_recipients r on r.id = c.claimer_id and 'claim.starts' = any (r.mail)
        where c.start_time > v_now
          and c.start_time <= v_furthest
          and c.start_time <= v_now + make_interval(mins => r.remind_minutes)
          and c.created_at <= c.start_time - make_interval(mins => r.remind_minutes)
          and c.status = 'active'
     ) m;

  perform private.add_job('mail', m.key, m.data)
     from (
       select format('claim.ends.%s.%s', c.id, extract(epoch from c.end_time)) as key,
              jsonb_build_object(
                'kind', 'claim.ends',
                'recipient_id', r.id,
                'claim_id', c.id,
                'at', c.end_time
              ) as data
         from parking.claims c
         join private.mail_recipients r on r.id = c.claimer_id and 'claim.ends' = any (r.mail)
        where c.end_time > v_now
          and c.end_time <= v_furthest
          and c.end_time <= v_now + make_interval(mins => r.remind_minutes)
          and c.start_time < c.end_time - make_interval(mins => r.remind_minutes)
          and c.status = 'active'
     ) m;

  -- Somebody who is left waiting on purpose is not listed every day for ever.
  if extract(hour from v_local) >= c_hour_of_lists
    and exists (
      select from private.waiting_people w where w.created_at > v_now - interval '7 days'
    )
  then
    perform private.add_job(
      'mail',
      format('profiles.waiting.%s.%s', r.id, v_local::date),
      jsonb_build_object('kind', 'profiles.waiting', 'recipient_id', r.id)
    )
       from private.mail_recipients r
      where r.is_admin
        and 'profiles.waiting' = any (r.mail);
  end if;
end;
$$;

comment on function private.add_due_mails is
  'Adds the reminders that are due, and, once a day, the mail to administrators about who waits for approval.';
grant execute on function private.add_due_mails to parking_api;
--! EndIncluded mails/add_due_mails.sql
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
       and j.run_at > clock_timestamp()
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
--! Included mails/drop_unsent_mails.sql
/* Without a process that sends mails nothing is kept for it. Three days are more than an outage lasts. */
create or replace function private.drop_unsent_mails()
  returns void
  language sql
  volatile
  security invoker -- for private.prune: no grant to the API role
  set search_path = ''
begin atomic
  delete from private.jobs j
   where j.kind in ('reminders', 'mail')
     and j.ended_at is null
     and exists (
       select
         from private.jobs r
        where r.kind = 'reminders'
          and r.key = 'timed'
          and r.run_at < now() - interval '3 days'
     );
end;

comment on function private.drop_unsent_mails is
  'Where no process has sent mails for three days: drops those that wait, and makes no more.';
--! EndIncluded mails/drop_unsent_mails.sql
--! Included mails/get_mail.sql
/*
 * What a mail says is read when it is sent: what was cancelled, read or erased since is not in it, and who
 * was suspended or wants it no longer gets none.
 */
create or replace function private.get_mail(job_id uuid)
  returns table (
    email text,
    language text,
    building text,
    time_zone text,
    items jsonb,
    people jsonb,
    unsubscribe_key text
  )
  language plpgsql
  volatile
  security definer -- the API role has no access to addresses and to what is others'
  set search_path = ''
as $$
declare
  v_about jsonb;
  v_kind text;
  v_recipient record; -- of a view, which is made later
begin
  perform private.require_service();

  select j.data, j.data ->> 'kind'
    into v_about, v_kind
    from private.jobs j
   where j.id = get_mail.job_id
     and j.kind = 'mail'
     and j.ended_at is null;

  if v_kind = 'invitation' then
    return query
    select i.email, b.language, b.name, b.time_zone, '[{}]'::jsonb, '[]'::jsonb, null::text
      from parking.invitations i
     cross join parking.building b
     where i.id = (v_about ->> 'invitation_id')::uuid
       and i.status = 'open';
    return;
  end if;

  select r.* into v_recipient
    from private.mail_recipients r
   where r.id = (v_about ->> 'recipient_id')::uuid
     and v_kind = any (r.mail);

  if not found then
    return;
  end if;

  case
    when v_kind in ('claim.starts', 'claim.ends') then
      select jsonb_agg(
               jsonb_build_object(
                 'claim_id', c.id,
                 'message', '',
                 'data', private.notification_data(null, s, c.start_time, c.end_time, null)
               )
             )
        into items
        from parking.claims c
        join parking.spots s on s.id = c.spot_id
       where c.id = (v_about ->> 'claim_id')::uuid
         and c.claimer_id = v_recipient.id
         and c.status = 'active'
         and (v_about ->> 'at')::timestamptz > clock_timestamp()
         and (v_about ->> 'at')::timestamptz
               = case v_kind when 'claim.starts' then c.start_time else c.end_time end;
    when v_kind = 'profiles.waiting' then
      select jsonb_agg(
               jsonb_build_object('name', w.full_name, 'apartment', w.apartment_number)
               order by w.created_at
             )
        into people
        from private.waiting_people w
       where v_recipient.is_admin;
      items := case
        when people is not null
          then jsonb_build_array(
            jsonb_build_object(
              'message', '', 'data', jsonb_build_object('count', jsonb_array_length(people))
            )
          )
      end;
    else
      select jsonb_agg(
               jsonb_build_object(
                 'id', n.id,
                 'claim_id', n.claim_id,
                 'spot_id', n.spot_id,
                 'message', n.message,
                 'data', n.data
               )
               order by n.created_at, n.id
             )
        into items
        from parking.notifications n
       where n.id in (select i.id::uuid from jsonb_array_elements_text(v_about -> 'notifications') i (id))
         and n.recipient_id = v_recipient.id
         and n.resolved_at is null
         and not n.is_read;
  end case;

  if items is not null then
    return query
    select v_recipient.email,
           v_recipient.language,
           b.name,
           b.time_zone,
           get_mail.items,
           coalesce(get_mail.people, '[]'),
           private.unsubscribe_key(v_recipient.id)
      from parking.building b;
  end if;
end;
$$;

comment on function private.get_mail is
  'To whom the mail of a job goes and what it is about; no row where there is nothing to be said any more.';
grant execute on function private.get_mail to parking_api;
--! EndIncluded mails/get_mail.sql
--! Included mails/is_mail_on.sql
/* Without a mail server nothing is made that nobody would send. */
create or replace function private.is_mail_on()
  returns boolean
  language sql
  stable
  set search_path = ''
begin atomic
  select exists (select from private.jobs j where j.kind = 'reminders' and j.key = 'timed');
end;

comment on function private.is_mail_on is
  'Whether a process sends mails, or one did in the last days.';
--! EndIncluded mails/is_mail_on.sql
--! Included mails/mail_invitation.sql
create or replace function private.mail_invitation()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  if private.is_mail_on() then
    perform private.add_job(
      'mail',
      'invitation.' || new.id,
      jsonb_build_object('kind', 'invitation', 'invitation_id', new.id)
    );
  end if;
  return null;
end;
$$;

comment on function private.mail_invitation is
  'Trigger function: adds the mail to a person who is invited.';

create or replace trigger mail_invitation
  after insert on parking.invitations
  for each row
  execute function private.mail_invitation();
--! EndIncluded mails/mail_invitation.sql
--! Included mails/use_mail.sql
/*
 * A process that sends mails says so at its start, and does the reminders each minute from then on. One
 * that has no mail server says nothing: started by mistake, it ends nobody's mails.
 */
create or replace function private.use_mail()
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  perform private.add_job('reminders', 'timed');
  update private.jobs j
     set run_at = clock_timestamp()
   where j.kind = 'reminders'
     and j.key = 'timed'
     and j.run_at < clock_timestamp();
end;
$$;

comment on function private.use_mail is
  'Begins to make mails, or goes on.';
grant execute on function private.use_mail to parking_api;
--! EndIncluded mails/use_mail.sql
--! Included preferences/get_preferences.sql
create or replace function api.get_preferences()
  returns setof parking.preferences
  language sql
  stable
  security invoker
  rows 1
as $$
  -- Who registered has some, if only the building's.
  select own.id, p.mail, p.language, p.remind_minutes
    from parking.profiles own
    left join parking.preferences p on p.person_id = own.id
   where own.id = (select private.caller_id())
$$;

comment on function api.get_preferences is
  'What you want by mail; null: as the building has it. Also before approval';
grant execute on function api.get_preferences to parking_api;
--! EndIncluded preferences/get_preferences.sql
--! Included preferences/update_preferences.sql
create or replace function api.update_preferences(
    mail text[] default null,
    language text default null,
    remind_minutes integer default null
)
  returns parking.preferences
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_preferences parking.preferences;
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  -- Null leaves a preference as it is; {null}, an empty text and 0 clear it.
  insert into parking.preferences as p (mail, language, remind_minutes)
  values (
    nullif(update_preferences.mail, '{null}'),
    nullif(update_preferences.language, ''),
    nullif(update_preferences.remind_minutes, 0)
  )
  on conflict on constraint preferences_pkey do update
    set mail = nullif(coalesce(update_preferences.mail, p.mail), '{null}'),
        language = nullif(coalesce(update_preferences.language, p.language), ''),
        remind_minutes = nullif(coalesce(update_preferences.remind_minutes, p.remind_minutes), 0)
  returning * into v_preferences;

  return v_preferences;
end;
$$;

comment on function api.update_preferences is
  'Choose what you want by mail; null: as the building has it. Also before approval';
grant execute on function api.update_preferences to parking_api;
--! EndIncluded preferences/update_preferences.sql
--! Included mails/recipients.sql
/*
 * Who can get mail. An address that the identity provider did not confirm may be another's, who would
 * read what is not theirs; and who is not approved is no part of the building.
 */
create or replace view private.mail_recipients
  with (security_invoker)
as
  select p.id,
         u.email,
         p.is_admin,
         coalesce(f.mail, b.mail) as mail,
         coalesce(f.language, b.language) as language,
         coalesce(f.remind_minutes, b.remind_minutes) as remind_minutes
    from parking.profiles p
    join private.users u on u.id = p.id
   cross join parking.building b
    left join parking.preferences f on f.person_id = p.id
   where p.is_approved
     and u.email_confirmed_at is not null
     and u.erased_at is null;

comment on view private.mail_recipients is
  'Approved people with a confirmed address, and what they want by mail.';
comment on column private.mail_recipients.id is
  'The person.';
comment on column private.mail_recipients.email is
  'The address.';
comment on column private.mail_recipients.is_admin is
  'Whether the person is an administrator.';
comment on column private.mail_recipients.mail is
  'The kinds of mail that the person gets.';
comment on column private.mail_recipients.language is
  'The language of the mails.';
comment on column private.mail_recipients.remind_minutes is
  'How long before a claim starts, and before it ends, the person is reminded.';
--! EndIncluded mails/recipients.sql
--! Included mails/waiting_people.sql
/* Who was approved before and is not any more was suspended, and waits for nothing. */
create or replace view private.waiting_people
  with (security_invoker)
as
  select p.id, p.full_name, p.apartment_number, p.created_at
    from parking.profiles p
    join private.users u on u.id = p.id
   where not p.is_approved
     and u.erased_at is null
     and not exists (
       select
         from private.events e
        where e.subject_id = p.id
          and e.type = 'profile.approved'
     );

comment on view private.waiting_people is
  'Those who registered and wait for approval.';
comment on column private.waiting_people.id is
  'The person.';
comment on column private.waiting_people.full_name is
  'The name.';
comment on column private.waiting_people.apartment_number is
  'The apartment.';
comment on column private.waiting_people.created_at is
  'Since when the person has waited.';
--! EndIncluded mails/waiting_people.sql
--! Included last_position/rules/last_position_is_one.sql
create unique index if not exists last_position_is_one on private.last_position ((true));

comment on index private.last_position_is_one is
  'There is one last position';
--! EndIncluded last_position/rules/last_position_is_one.sql
--! Included mail_key/rules/mail_key_is_long.sql
alter table private.mail_key
  drop constraint if exists mail_key_is_long,
  add constraint mail_key_is_long
    check (octet_length(key) = 32);

comment on constraint mail_key_is_long on private.mail_key is
  'The key of mails has 32 bytes';
--! EndIncluded mail_key/rules/mail_key_is_long.sql
--! Included mail_key/rules/mail_key_is_one.sql
create unique index if not exists mail_key_is_one on private.mail_key ((true));

comment on index private.mail_key_is_one is
  'There is one key of mails';
--! EndIncluded mail_key/rules/mail_key_is_one.sql
--! Included new_events/rules/new_events_are_only_added.sql
-- From here events are moved on by private.order_events, which alone sets parking.ordering.
create or replace trigger new_events_are_only_added
  before delete or update or truncate on private.new_events
  for each statement
  when (
    current_setting('parking.erasing', true) is distinct from 'on'
    and current_setting('parking.ordering', true) is distinct from 'on'
  )
  execute function private.enforce_rule();

comment on trigger new_events_are_only_added on private.new_events is
  'Events can be added, not changed';
--! EndIncluded new_events/rules/new_events_are_only_added.sql
--! Included preferences/policies.sql
/* People see and change their own preferences, also before they are approved: the mail about it is one. */
alter table parking.preferences enable row level security;

drop policy if exists select_own on parking.preferences;
create policy select_own on parking.preferences
  for select to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists insert_own on parking.preferences;
create policy insert_own on parking.preferences
  for insert to parking_api
  with check (person_id = (select private.caller_id()));

drop policy if exists update_own on parking.preferences;
create policy update_own on parking.preferences
  for update to parking_api
  using (person_id = (select private.caller_id()));

grant select on parking.preferences to parking_api;
-- No insert of person_id: it is the caller by default. No delete: null is as good.
grant insert (mail, language, remind_minutes) on parking.preferences to parking_api;
grant update (mail, language, remind_minutes) on parking.preferences to parking_api;
--! EndIncluded preferences/policies.sql
--! Included preferences/rules/preferences_language_is_known.sql
alter table parking.preferences
  drop constraint if exists preferences_language_is_known,
  add constraint preferences_language_is_known
    check (language in ('en', 'de'));

comment on constraint preferences_language_is_known on parking.preferences is
  E'@field language\nlanguage must be en or de';
--! EndIncluded preferences/rules/preferences_language_is_known.sql
--! Included preferences/rules/preferences_mail_is_of_known_kinds.sql
alter table parking.preferences
  drop constraint if exists preferences_mail_is_of_known_kinds,
  add constraint preferences_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint preferences_mail_is_of_known_kinds on parking.preferences is
  E'@field mail\nmail must be different known kinds of mail';
--! EndIncluded preferences/rules/preferences_mail_is_of_known_kinds.sql
--! Included preferences/rules/preferences_of_a_resident.sql
alter table parking.preferences
  drop constraint if exists preferences_of_a_resident,
  add constraint preferences_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint preferences_of_a_resident on parking.preferences is
  E'@status 404\nUser profile not found';
--! EndIncluded preferences/rules/preferences_of_a_resident.sql
--! Included preferences/rules/preferences_remind_in_time.sql
alter table parking.preferences
  drop constraint if exists preferences_remind_in_time,
  add constraint preferences_remind_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint preferences_remind_in_time on parking.preferences is
  E'@field remind_minutes\nremind_minutes must be 5 to 10080, a week';
--! EndIncluded preferences/rules/preferences_remind_in_time.sql
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
  select 'availabilities', a.owner_id, a.id, to_jsonb(a) - 'during'
    from parking.availabilities a
  union all
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - 'held' || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - 'claim_id' from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - 'held' || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - 'claim_id' from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
   where (select private.is_approved()) -- as the policies show claims of others
  union all
  select 'patterns', p.owner_id, p.id, to_jsonb(p)
    from parking.patterns p
  union all
  select 'changed_windows', n.person_id, n.person_id, to_jsonb(n)
    from private.changed_windows n
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'wishes', w.wisher_id, w.id, to_jsonb(w)
    from parking.wishes w
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
