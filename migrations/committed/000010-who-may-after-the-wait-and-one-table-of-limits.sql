--! Previous: sha1:579132d6c2da8881098a4e860adc8af9a8abdbaf
--! Hash: sha1:d5e61bdd65b66552aac6412ea0ff2f004d11e293
--! Message: Who may after the wait, and one table of limits

drop trigger meet_newcomers on parking.invitations;
drop function private.meet_newcomers();

-- The start of a service of 1.0.0 looked for them; it is stopped before this migration.
drop function api.create_profile(text, text, text, boolean[]);
drop function api.update_profile(text, text, text, boolean[]);
drop function api.update_profile_flags(uuid, boolean, boolean[]);
drop function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]);
drop function private.charge_rate_limit;
drop function api.create_claim(uuid, timestamptz, timestamptz[]);
drop function api.update_claim(uuid, text, timestamptz, timestamptz[]);
drop function private.is_kept;

-- Their triggers are made again, with private.enforce_few.
drop function private.enforce_few_open cascade;
drop function private.enforce_few_exceptions cascade;
drop function private.enforce_few_patterns cascade;
drop function private.enforce_few_reports cascade;
drop function private.enforce_few_webhooks cascade;

-- The limits of the building become the row without a section.
drop function api.get_building();
drop trigger record_limits on parking.section_limits;
alter table parking.section_limits rename to limits;
alter table parking.limits
  drop constraint section_limits_pkey,
  drop constraint section_limits_are_in_range,
  drop constraint section_limits_building_section_is_one_line,
  drop constraint section_limits_shortest_claim_within_longest,
  alter column building_section drop not null,
  add constraint limits_building_section_key unique nulls not distinct (building_section);
alter table parking.limits rename constraint section_limits_created_at_not_null to limits_created_at_not_null;
alter table parking.limits rename constraint section_limits_updated_at_not_null to limits_updated_at_not_null;
insert into parking.limits (
  longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
  claim_notice_minutes, cancellation_cutoff_minutes, most_active_claims
)
select b.longest_window_days, b.horizon_days, b.shortest_claim_minutes, b.longest_claim_minutes,
       b.claim_notice_minutes, b.cancellation_cutoff_minutes, b.most_active_claims
  from parking.building b;
drop function api.update_building;
alter table parking.building
  drop column longest_window_days,
  drop column horizon_days,
  drop column shortest_claim_minutes,
  drop column longest_claim_minutes,
  drop column claim_notice_minutes,
  drop column cancellation_cutoff_minutes,
  drop column most_active_claims;
--! Included turns/enforce_few.sql
/*
 * So many rows of a person, or of the building, at most. The arguments: how many, the column that names the
 * person, which of the rows count, and "profile" where the erasure of the person is to wait.
 */
create or replace function private.enforce_few()
  returns trigger
  language plpgsql
  security definer -- the same count, whatever the policies show the caller
  set search_path = ''
as $$
declare
  v_person_id constant uuid := to_jsonb(new) ->> tg_argv[1];
  v_most constant integer := tg_argv[0]::integer + (tg_when = 'AFTER')::integer;
  v_count integer;
begin
  if tg_argv[3] = 'profile' then
    perform from parking.profiles p where p.id = v_person_id for no key update;
  end if;
  perform private.take_turn(tg_name, v_person_id);

  execute format(
    'select count(*) from (select from %s where %s limit %s) counted',
    tg_relid::regclass,
    concat_ws(' and ', 'true', tg_argv[1] || ' = $1', tg_argv[2]),
    v_most
  )
     into v_count
    using v_person_id;
  if v_count >= v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few is
  'Trigger function: refuses a row where the person, or the building, has as many as the first argument says.';
--! EndIncluded turns/enforce_few.sql
--! Included profiles/lock_administrators.sql
/* Two administrators who remove each other run one after the other, before either locks a profile. */
-- A row that nobody else can lock. Any session could take an advisory lock, and stop administrators.
create table if not exists private.administrators_lock (
  only_row boolean default true,
  constraint administrators_lock_pkey primary key (only_row)
);

insert into private.administrators_lock default values on conflict do nothing;

comment on table private.administrators_lock is
  'One row, which private.lock_administrators locks.';
comment on column private.administrators_lock.only_row is
  'Always true.';

alter table private.administrators_lock enable row level security;
-- No policy and no grant: only the trigger function reads it.

create or replace function private.lock_administrators()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the row
  set search_path = ''
as $$
begin
  -- Written, not only locked: a snapshot from before, which If-Match takes, then fails and is taken anew.
  update private.administrators_lock set only_row = true;
  return null;
end;
$$;

comment on function private.lock_administrators is
  'Trigger function: makes statements that may remove an administrator, that invite, and that may accept an invitation run one after the other.';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  execute function private.lock_administrators();

-- Who invites, and who registers or confirms an address: at one moment each would miss the other, and
-- somebody who is expected would wait. So do two who invite.
create or replace trigger meet_newcomers
  before insert on parking.invitations
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before insert on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before update of email, email_confirmed_at on private.users
  for each statement
  execute function private.lock_administrators();
--! EndIncluded profiles/lock_administrators.sql
--! Included profiles/create_profile.sql
create or replace function api.create_profile(
    apartment_number text,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default false,
    vehicle text default null
)
  returns parking.profiles
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_user constant private.users := private.remember_user();
  v_profile parking.profiles;
begin
  insert into parking.profiles
    (id, email, apartment_number, full_name, phone_number, shares_phone_number, vehicle)
  values (
    v_user.id,
    v_user.email,
    create_profile.apartment_number,
    create_profile.full_name,
    create_profile.phone_number,
    create_profile.shares_phone_number,
    create_profile.vehicle
  );
  perform private.follow_groups();

  -- Groups, or an invitation, approve at once.
  select p.* into v_profile
    from parking.profiles p
   where p.id = v_user.id;

  return v_profile;
end;
$$;

comment on function api.create_profile is
  'Register with the building; who was invited is approved at once, others later by an administrator';
grant execute on function api.create_profile to parking_api;
--! EndIncluded profiles/create_profile.sql
--! Included profiles/update_profile.sql
create or replace function api.update_profile(
    apartment_number text default null,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default null,
    vehicle text default null
)
  returns parking.profiles
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_user private.users;
  v_profile parking.profiles;
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  -- The user before the profile, as a changed address locks them, or the two could deadlock.
  v_user := private.remember_user();

  -- Null leaves a field as it is; an empty text clears one that may be absent.
  if num_nonnulls(
    update_profile.apartment_number, update_profile.full_name, update_profile.phone_number,
    update_profile.shares_phone_number, update_profile.vehicle
  ) > 0 then
    update parking.profiles p
       set apartment_number = coalesce(update_profile.apartment_number, p.apartment_number),
           full_name = nullif(coalesce(update_profile.full_name, p.full_name), ''),
           phone_number = nullif(coalesce(update_profile.phone_number, p.phone_number), ''),
           shares_phone_number =
             coalesce(update_profile.shares_phone_number, p.shares_phone_number),
           vehicle = nullif(coalesce(update_profile.vehicle, p.vehicle), '')
     where p.id = v_user.id;
  end if;

  select p.* into v_profile
    from parking.profiles p
   where p.id = v_user.id;

  return v_profile;
end;
$$;

comment on function api.update_profile is
  'Change your own details; null clears those that may be missing';
grant execute on function api.update_profile to parking_api;
--! EndIncluded profiles/update_profile.sql
--! Included profiles/update_profile_flags.sql
-- Each flag is an argument: with other arguments it would be another function.
drop function if exists api.update_profile_flags;
create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null,
    rejection_reason text default null,
    is_suspended boolean default null
)
  returns parking.profiles
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();

  if update_profile_flags.rejection_reason <> '' then
    perform private.give_reason(update_profile_flags.rejection_reason);
  end if;

  -- Null leaves a field as it is; an empty text clears the reason.
  if num_nonnulls(
    update_profile_flags.is_approved, update_profile_flags.is_admin, update_profile_flags.rejection_reason
  ) > 0 then
    update parking.profiles p
       set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
           is_admin = coalesce(update_profile_flags.is_admin, p.is_admin),
           rejection_reason =
             nullif(coalesce(update_profile_flags.rejection_reason, p.rejection_reason), '')
     where p.id = update_profile_flags.id
    returning * into v_profile;
  else
    select p.* into v_profile
      from parking.profiles p
     where p.id = update_profile_flags.id;
  end if;

  if not found then
    perform private.refuse_unchanged('profiles');
  end if;

  -- After private.note_suspension: who approved by mistake lets the account wait again.
  if v_profile.is_suspended and not update_profile_flags.is_suspended then
    update parking.profiles p
       set is_suspended = false
     where p.id = v_profile.id
    returning * into v_profile;
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account, reject it with a reason, or make an administrator; or take that back';
grant execute on function api.update_profile_flags to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
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
    'report.submitted', 'pattern.collided', 'wish.fits', 'profiles.waiting'
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
  'For how many days the event log keeps what happened to windows, patterns, claims and strangers'' cars. What happened to profiles and spots stays.';
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
--! Included limits/table.sql
/* The limits of the building, in the row without a section, and of its sections; most have no row here. */
create table if not exists parking.limits (
  building_section text,
  longest_window_days integer,
  horizon_days integer,
  shortest_claim_minutes integer,
  longest_claim_minutes integer,
  claim_notice_minutes integer,
  cancellation_cutoff_minutes integer,
  most_active_claims integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint limits_building_section_key unique nulls not distinct (building_section)
);

comment on table parking.limits is
  E'@absent Section not found\nThe limits of the building, and those of a section that differ from them.';
comment on column parking.limits.building_section is
  'The section, as its spots name it. Null: the building.';
comment on column parking.limits.longest_window_days is
  'How long a window may last, in calendar days. Null: no limit; in a section, that of the building.';
comment on column parking.limits.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: no limit; in a section, that of the building.';
comment on column parking.limits.shortest_claim_minutes is
  'How long a claim lasts at least. Null: no limit; in a section, that of the building.';
comment on column parking.limits.longest_claim_minutes is
  'How long a claim lasts at most. Null: no limit; in a section, that of the building.';
comment on column parking.limits.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: no limit; in a section, that of the building.';
comment on column parking.limits.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: no limit; in a section, that of the building.';
comment on column parking.limits.most_active_claims is
  'How many claims that have not ended a resident may have, completed ones included; those in a section with a number of its own count by themselves. Null: no limit; in a section, counted with the building''s.';
comment on column parking.limits.created_at is
  'When it got limits.';
comment on column parking.limits.updated_at is
  'When the row last changed.';

alter table parking.limits enable row level security;
alter table parking.limits replica identity full;

drop policy if exists select_all on parking.limits;
create policy select_all on parking.limits
  for select to parking_api
  using (true);

drop policy if exists insert_as_administrator on parking.limits;
create policy insert_as_administrator on parking.limits
  for insert to parking_api
  with check ((select private.is_administrator()));

drop policy if exists update_as_administrator on parking.limits;
create policy update_as_administrator on parking.limits
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.limits to parking_api;
grant insert (building_section) on parking.limits to parking_api;
grant update (
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.limits to parking_api;
-- No delete: a row of nulls limits nothing.

insert into parking.limits
select
 where not exists (select from parking.limits l where l.building_section is null);

create or replace trigger touch
  before update on parking.limits
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded limits/table.sql
--! Included building/view.sql
/* The building with its limits, as clients see it. */
create or replace view parking.buildings
  with (security_invoker)
as
  select b.id,
         b.name,
         b.time_zone,
         l.longest_window_days,
         l.horizon_days,
         l.shortest_claim_minutes,
         l.longest_claim_minutes,
         l.claim_notice_minutes,
         l.cancellation_cutoff_minutes,
         l.most_active_claims,
         b.created_at,
         greatest(b.updated_at, l.updated_at) as updated_at,
         b.pattern_days,
         b.rest_stays_on_offer,
         b.offer_minutes,
         b.event_days,
         b.notification_days,
         b.job_days,
         b.mail,
         b.language,
         b.remind_minutes,
         b.grace_minutes,
         b.mark,
         b.colour
    from parking.building b
    left join parking.limits l on l.building_section is null;

comment on view parking.buildings is
  E'@absent Building not found\n@primaryKey id\nThe building, one row: its name, its time zone and its limits.';
grant select on parking.buildings to parking_api;
--! EndIncluded building/view.sql
--! Included building/building.sql
/* For triggers, notifications and reports. Rules bind people who may not read the row. */
create or replace function private.building()
  returns parking.building
  language plpgsql
  stable
  security definer -- reports and rules need the row also for callers who may not read it
  set search_path = ''
as $$
declare
  v_building parking.building;
begin
  select b.* into v_building from parking.building b;
  return v_building;
end;
$$;

comment on function private.building is
  'The building, such as its time zone.';
grant execute on function private.building to parking_api, parking_reporter;
--! EndIncluded building/building.sql
--! Included building/get_building.sql
create or replace function api.get_building()
  returns setof parking.buildings
  language sql
  stable
  security invoker
  rows 1
as $$
  select b.*
    from parking.buildings b
$$;

comment on function api.get_building is
  'The building: its name, its time zone and its limits';
grant execute on function api.get_building to parking_api;
--! EndIncluded building/get_building.sql
--! Included building/update_building.sql
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
    remind_minutes integer default null,
    grace_minutes integer default null,
    mark text default null,
    colour text default null
)
  returns parking.buildings
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_building parking.buildings;
begin
  -- Null leaves a limit as it is; 0 clears it. An empty text clears mark and colour.
  update parking.building b
     set name = coalesce(update_building.name, b.name),
         time_zone = coalesce(update_building.time_zone, b.time_zone),
         pattern_days = coalesce(update_building.pattern_days, b.pattern_days),
         rest_stays_on_offer =
           coalesce(update_building.rest_stays_on_offer, b.rest_stays_on_offer),
         offer_minutes = nullif(coalesce(update_building.offer_minutes, b.offer_minutes), 0),
         event_days = coalesce(update_building.event_days, b.event_days),
         notification_days = coalesce(update_building.notification_days, b.notification_days),
         job_days = coalesce(update_building.job_days, b.job_days),
         mail = coalesce(update_building.mail, b.mail),
         language = coalesce(update_building.language, b.language),
         remind_minutes = coalesce(update_building.remind_minutes, b.remind_minutes),
         grace_minutes = nullif(coalesce(update_building.grace_minutes, b.grace_minutes), 0),
         mark = nullif(coalesce(update_building.mark, b.mark), ''),
         colour = nullif(coalesce(update_building.colour, b.colour), '');

  perform api.update_section(
    null, update_building.longest_window_days, update_building.horizon_days,
    update_building.shortest_claim_minutes, update_building.longest_claim_minutes,
    update_building.claim_notice_minutes, update_building.cancellation_cutoff_minutes,
    update_building.most_active_claims
  );

  select b.* into v_building from api.get_building() b;
  return v_building;
end;
$$;

comment on function api.update_building is
  'Change the building; null clears a limit. Windows and claims that are there stay as they are';
grant execute on function api.update_building to parking_api;
--! EndIncluded building/update_building.sql
--! Included building/rules/building_minutes_are_in_range.sql
alter table parking.building
  drop constraint if exists building_minutes_are_in_range,
  add constraint building_minutes_are_in_range
    check (least(grace_minutes, offer_minutes) >= 1 and greatest(grace_minutes, offer_minutes) <= 525600);

comment on constraint building_minutes_are_in_range on parking.building is
  'grace_minutes and offer_minutes are 1 to 525600, a year';
--! EndIncluded building/rules/building_minutes_are_in_range.sql
--! Included spots/create_spot.sql
-- With other arguments it would be another function.
drop function if exists api.create_spot;
create or replace function api.create_spot(
    spot_number text,
    building_section text,
    notes text default null
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

  insert into parking.spots (spot_number, building_section, notes)
  values (create_spot.spot_number, create_spot.building_section, create_spot.notes)
  returning * into v_spot;

  return v_spot;
end;
$$;

comment on function api.create_spot is
  'Register a spot as your own, not yet verified';
grant execute on function api.create_spot to parking_api;
--! EndIncluded spots/create_spot.sql
--! Included spots/delete_spot.sql
create or replace function api.delete_spot(
    id uuid,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_is_found boolean;
begin
  -- Locked before, so that a spot that is gone afterwards was retired here (private.retire_spot).
  perform
     from parking.spots s
    where s.id = delete_spot.id
      for update;
  v_is_found := found;

  delete from parking.spots s
   where s.id = delete_spot.id;

  if not found and (not v_is_found or exists (select from api.get_spot(delete_spot.id))) then
    perform private.refuse_unchanged(
      'spots', 'spots_deleted_by_owner',
      exists (select from api.get_spot(delete_spot.id))
    );
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := delete_spot.id;
end;
$$;

comment on function api.delete_spot is
  'Remove your spot: what was to come ends, and what is over stays with those who claimed it';
grant execute on function api.delete_spot to parking_api;
--! EndIncluded spots/delete_spot.sql
--! Included spots/update_spot.sql
-- With other arguments it would be another function.
drop function if exists api.update_spot;
create or replace function api.update_spot(
    id uuid,
    spot_number text default null,
    building_section text default null,
    notes text default null
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

  if num_nonnulls(update_spot.spot_number, update_spot.building_section, update_spot.notes) > 0 then
    -- Null leaves a field as it is; an empty text clears the notes.
    update parking.spots s
       set spot_number = coalesce(update_spot.spot_number, s.spot_number),
           building_section = coalesce(update_spot.building_section, s.building_section),
           notes = nullif(coalesce(update_spot.notes, s.notes), '')
     where s.id = update_spot.id
    returning * into v_spot;
  else
    select s.* into v_spot
      from parking.spots s
     where s.id = update_spot.id
       and s.owner_id = (select private.caller_id())
       and s.retired_at is null;
  end if;

  if v_spot.id is null then
    perform private.refuse_unchanged(
      'spots', 'spots_updated_by_owner',
      exists (select from api.get_spot(update_spot.id))
    );
  end if;

  return v_spot;
end;
$$;

comment on function api.update_spot is
  'Change your spot; with another number or section it is not verified any more';
grant execute on function api.update_spot to parking_api;
--! EndIncluded spots/update_spot.sql
--! Included spot_access/lock_spot_of_access.sql
/*
 * The erasure of a person deletes what it sees, and it locks the spots of the person: new notes and the
 * erasure wait for each other.
 */
create or replace function private.lock_spot_of_access()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a spot
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for no key update;
  return null;
end;
$$;

comment on function private.lock_spot_of_access is
  'Trigger function: locks the spot of new access notes, as the erasure of its owner does.';

create or replace trigger lock_spot_of_access
  after insert on parking.spot_access
  for each row
  execute function private.lock_spot_of_access();
--! EndIncluded spot_access/lock_spot_of_access.sql
--! Included spot_access/update_spot_access.sql
create or replace function api.update_spot_access(id uuid, access_notes text default null)
  returns parking.spot_access
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_access parking.spot_access;
begin
  perform private.require_approved();

  -- Null leaves the notes as they are; an empty text clears them.
  insert into parking.spot_access as a (spot_id, owner_id, access_notes)
  select s.id, s.owner_id, nullif(update_spot_access.access_notes, '')
    from parking.spots s
   where s.id = update_spot_access.id
  on conflict on constraint spot_access_pkey do update
    set access_notes = nullif(coalesce(update_spot_access.access_notes, a.access_notes), '')
  returning * into v_access;

  if v_access.spot_id is null then
    perform private.refuse_absent('spot_access');
  end if;

  return v_access;
end;
$$;

comment on function api.update_spot_access is
  'Say how to get to your spot; only those who have claimed it read it, until their claim ends';
grant execute on function api.update_spot_access to parking_api;
--! EndIncluded spot_access/update_spot_access.sql
--! Included limits/view.sql
/* The sections that spots are in, and those that still have limits. */
create or replace view parking.sections
  with (security_invoker)
as
  select building_section,
         coalesce(s.total_spots, 0) as total_spots,
         l.longest_window_days,
         l.horizon_days,
         l.shortest_claim_minutes,
         l.longest_claim_minutes,
         l.claim_notice_minutes,
         l.cancellation_cutoff_minutes,
         l.most_active_claims
    from (
      select o.building_section, count(*)::integer as total_spots
        from parking.spots o
       where o.retired_at is null
       group by o.building_section
    ) s
    full join parking.limits l using (building_section)
   where s.total_spots > 0
      or building_section is not null
     and num_nonnulls(
           l.longest_window_days, l.horizon_days, l.shortest_claim_minutes, l.longest_claim_minutes,
           l.claim_notice_minutes, l.cancellation_cutoff_minutes, l.most_active_claims
         ) > 0;

comment on view parking.sections is
  E'@absent Section not found\n@primaryKey building_section\nA part of the building: its number of spots, and the limits that are not those of the building.';
comment on column parking.sections.building_section is
  'The section, as its spots name it.';
comment on column parking.sections.total_spots is
  'How many spots are in it.';
grant select on parking.sections to parking_api;
--! EndIncluded limits/view.sql
--! Included limits/limits_of.sql
/* What the rules of windows and claims read: the one definition of each limit. */
create or replace function private.limits_of(spot_id uuid)
  returns parking.limits
  language plpgsql
  stable
  security definer -- rules bind people who may not read the building
  set search_path = ''
as $$
declare
  v_limits parking.limits;
begin
  -- Asked several times for each claim, and most buildings limit nothing.
  if not exists (
    select
      from parking.limits l
     where num_nonnulls(
             l.longest_window_days, l.horizon_days, l.shortest_claim_minutes, l.longest_claim_minutes,
             l.claim_notice_minutes, l.cancellation_cutoff_minutes, l.most_active_claims
           ) > 0
  ) then
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
    from parking.limits b
    left join (
      parking.spots s join parking.limits l on l.building_section = s.building_section
    ) on s.id = limits_of.spot_id
   where b.building_section is null;

  return v_limits;
end;
$$;

comment on function private.limits_of is
  'The limits that hold for this spot: each as its section has it, else as the building has it. Null where nothing is limited.';
grant execute on function private.limits_of to parking_api;
--! EndIncluded limits/limits_of.sql
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

  insert into parking.limits (building_section)
  values (update_section.building_section)
  on conflict on constraint limits_building_section_key do nothing;

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
  'Account not approved';
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
  'A limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded limits/rules/limits_are_in_range.sql
--! Included limits/rules/limits_building_section_is_one_line.sql
alter table parking.limits
  drop constraint if exists limits_building_section_is_one_line,
  add constraint limits_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint limits_building_section_is_one_line on parking.limits is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
--! EndIncluded limits/rules/limits_building_section_is_one_line.sql
--! Included limits/rules/limits_shortest_claim_within_longest.sql
alter table parking.limits
  drop constraint if exists limits_shortest_claim_within_longest,
  add constraint limits_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint limits_shortest_claim_within_longest on parking.limits is
  'shortest_claim_minutes must not be more than longest_claim_minutes';
--! EndIncluded limits/rules/limits_shortest_claim_within_longest.sql
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
    if v_before.pattern_id is not null
      and not exists (
        select
          from parking.availabilities a
         where a.id = v_before.id
           and a.during = v_before.during
      )
    then
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

  return v_availability;
end;
$$;

comment on function api.update_availability is
  'Move a window of your spot that nobody has claimed';
grant execute on function api.update_availability to parking_api;
--! EndIncluded availabilities/update_availability.sql
--! Included claims/claims_counted_with.sql
/* A section with its own most_active_claims counts by itself; all others count together. */
create or replace function private.claims_counted_with(spot_id uuid, claimer_id uuid)
  returns bigint
  language sql
  stable
  security invoker -- for private.enforce_most_claims: no grant to the API role
  set search_path = ''
begin atomic
  with counted_alone as materialized (
    select s.id, s.building_section
      from parking.limits l
      join parking.spots s on s.building_section = l.building_section
     where l.most_active_claims is not null
  )
  select count(*)
    from parking.claims c
    left join counted_alone a on a.id = c.spot_id
   where c.claimer_id = claims_counted_with.claimer_id
     and c.status <> 'cancelled'
     and c.end_time > clock_timestamp()
     and a.building_section is not distinct from (
       select o.building_section from counted_alone o where o.id = claims_counted_with.spot_id
     );
end;

comment on function private.claims_counted_with is
  'How many claims of this resident that have not ended count against the same most_active_claims as one of this spot.';
--! EndIncluded claims/claims_counted_with.sql
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

  delete from parking.claims c
   where c.id = delete_claim.id;

  if not found then
    perform private.refuse_unchanged('claims', 'claims_deleted_by_claimer', private.claim_exists(delete_claim.id));
  end if;

  message := 'Claim cancelled successfully';
  deleted_claim_id := delete_claim.id;
end;
$$;

comment on function api.delete_claim is
  'Remove your claim, which frees its window';
grant execute on function api.delete_claim to parking_api;
--! EndIncluded claims/delete_claim.sql
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
  v_limits parking.limits;
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
--! Included claims/update_claim.sql
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
--! EndIncluded claims/update_claim.sql
--! Included locks/lock_person.sql
/* What the erasure of a person, and new flags, lock first, in the order of private.lock_spot. */
create or replace function private.lock_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  update private.administrators_lock set only_row = true; -- written, as in private.lock_administrators
  perform from private.users u where u.id = lock_person.id for update;
  -- Claims by the person or of their windows wait here, and spots that they register. Notifications
  -- to them do not: who writes one may have a claim that the erasure waits for.
  perform from parking.profiles p where p.id = lock_person.id for no key update;
end;
$$;

comment on function private.lock_person is
  'Locks the sign-in data and the profile of the person with this id.';
--! EndIncluded locks/lock_person.sql
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
  perform from private.publish_pattern(v_pattern.id);
  select p.* into v_pattern from parking.patterns p where p.id = v_pattern.id;
  return v_pattern;
end;
$$;

comment on function api.create_pattern is
  'Share your spot in the same hours every week; the windows of the next weeks are published at once';
grant execute on function api.create_pattern to parking_api;
--! EndIncluded patterns/create_pattern.sql
--! Included patterns/insert_pattern.sql
create or replace function private.insert_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date
)
  returns parking.patterns
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  perform private.require_approved();

  insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
  select s.id, s.owner_id, insert_pattern.weekdays, insert_pattern.starts_at, insert_pattern.ends_at,
         insert_pattern.first_day, nullif(insert_pattern.last_day, 'infinity')
    from parking.spots s
   where s.id = insert_pattern.spot_id
  returning * into v_pattern;

  if v_pattern.id is null then
    perform private.refuse('patterns_of_a_spot', '23503');
  end if;

  return v_pattern;
end;
$$;

comment on function private.insert_pattern is
  'Writes a pattern of the caller''s spot, without its windows.';
grant execute on function private.insert_pattern to parking_api;
--! EndIncluded patterns/insert_pattern.sql
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
        if rule is null or rule = 'approved_account_required' then
          raise; -- no rule about windows
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
  perform private.lock_spot_of_pattern(update_pattern.id);
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

  if v_after is distinct from v_before then
    update parking.patterns p
       set weekdays = v_after.weekdays,
           starts_at = v_after.starts_at,
           ends_at = v_after.ends_at,
           first_day = v_after.first_day,
           last_day = v_after.last_day
     where p.id = v_before.id;
    perform from private.renew_pattern(v_before.id);
    select p.* into v_after from parking.patterns p where p.id = v_before.id;
  end if;

  return v_after;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
--! EndIncluded patterns/update_pattern.sql
--! Included patterns/rules/patterns_no_more_than_200.sql
create or replace trigger patterns_no_more_than_200
  after insert on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few('200', 'owner_id');

comment on trigger patterns_no_more_than_200 on parking.patterns is
  E'@status 409\nYou have 200 patterns, as many as a resident may have';
--! EndIncluded patterns/rules/patterns_no_more_than_200.sql
--! Included exceptions/rules/exceptions_fifty_at_most.sql
-- Each may change a thousand windows, and every window that a plan publishes looks at all of them.
create or replace trigger exceptions_fifty_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few('50', 'owner_id', 'end_time > clock_timestamp()', 'profile');

comment on trigger exceptions_fifty_at_most on parking.exceptions is
  E'@status 409\nYou have 50 exceptions that have not ended: delete one first';
--! EndIncluded exceptions/rules/exceptions_fifty_at_most.sql
--! Included notifications/mark_notifications.sql
create or replace function api.mark_notifications(is_read boolean)
  returns table (marked integer)
  language plpgsql
  volatile
  security invoker -- the policies leave each person their own
  set search_path = ''
as $$
begin
  update parking.notifications n
     set is_read = mark_notifications.is_read
   where n.recipient_id = (select private.caller_id())
     and n.is_read <> mark_notifications.is_read;
  get diagnostics marked = row_count;

  return next;
end;
$$;

comment on function api.mark_notifications is
  'Mark all your notifications read or unread';
grant execute on function api.mark_notifications to parking_api;
--! EndIncluded notifications/mark_notifications.sql
--! Included wishes/create_wish.sql
create or replace function api.create_wish(
    start_time timestamptz,
    end_time timestamptz,
    building_section text default null,
    spot_id uuid default null
)
  returns parking.wishes
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_wish parking.wishes;
begin
  perform private.require_approved();

  insert into parking.wishes (start_time, end_time, building_section, spot_id)
  values (
    create_wish.start_time, create_wish.end_time, create_wish.building_section, create_wish.spot_id
  )
  returning * into v_wish;

  return v_wish;
end;
$$;

comment on function api.create_wish is
  'Wait for a spot: you are told when a window becomes free that has all of this time';
grant execute on function api.create_wish to parking_api;
--! EndIncluded wishes/create_wish.sql
--! Included wishes/delete_wish.sql
create or replace function api.delete_wish(
    id uuid,
    out message text,
    out deleted_wish_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  delete from parking.wishes w
   where w.id = delete_wish.id;

  if not found then
    perform private.refuse_absent('wishes');
  end if;

  message := 'Wish withdrawn successfully';
  deleted_wish_id := delete_wish.id;
end;
$$;

comment on function api.delete_wish is
  'Withdraw your wish';
grant execute on function api.delete_wish to parking_api;
--! EndIncluded wishes/delete_wish.sql
--! Included wishes/offer_to_waiting.sql
/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the
 * building says how many minutes each has, one after the other. Nobody is woken when their turn comes:
 * from and until when it is stands in the wish and in the notification from the beginning, and the
 * rule claims_wait_for_offers reads the clock. A wish has one offer at a time and one notification, of
 * its own id: however many windows fit, and however often they come and go, it is one message to read.
 * A wish that needs nothing of the time that became free had its time on offer before: it keeps its turn,
 * and gets an offer only where it has none, as when its window is cut or claimed by now.
 * Who may claim nothing of their time any more, for the notice that its section asks for, is not told; nor,
 * where it would be their turn, who could not claim its beginning: they would only keep it from others. How
 * many claims they have, and how far ahead they may claim, is not asked: that changes by the hour.
 */
create or replace function private.offer_to_waiting(
    offered parking.availabilities,
    freed tstzmultirange
)
  returns void
  language plpgsql
  volatile
  security invoker -- for a trigger that may: no grant to the API role
  set search_path = ''
as $$
declare
  -- More would keep a window from everybody for hours while nobody answers.
  c_longest_line constant integer := 10;
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_spot parking.spots;
begin
  -- Nobody could claim it.
  if offered.end_time - offered.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;

  select s.* into v_spot from parking.spots s where s.id = offered.spot_id;

  with waiting as materialized (
    select w.id, w.wisher_id, w.start_time, w.created_at
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     where w.claim_id is null
       and w.start_time >= offered.start_time
       and w.start_time < offered.end_time
       and w.end_time <= offered.end_time
       -- As private.enforce_claim_limit has it.
       and w.start_time > v_now + case when v_each is null then interval '0' else v_notice end
       and w.end_time > v_now + v_notice
       and coalesce(w.spot_id, v_spot.id) = v_spot.id
       and coalesce(w.building_section, v_spot.building_section) = v_spot.building_section
       and w.wisher_id <> v_spot.owner_id
       -- Who gave it back does not want it.
       and (isempty(freed) or w.wisher_id is distinct from (select private.caller_id()))
       -- Not those who have an offer that they can take now, or a message that they have not read; nor
       -- those whose turn at this window is still to come, so that nobody who asked later is before them.
       and not exists (
         select from parking.availabilities a
          where a.id = w.availability_id
            and not a.is_claimed
            and a.start_time <= w.start_time
            and a.end_time >= w.end_time
            and case
              when not tstzrange(w.start_time, w.end_time) && freed
                then true
              when w.offered_until is not null
                then w.offered_until > v_now and (w.offered_from <= v_now or a.id = offered.id)
              else exists (select from parking.notifications n where n.id = w.id and not n.is_read)
            end
       )
       for no key update of w skip locked -- one that is being fulfilled or withdrawn
  ),
  -- After the turns of those to whom it was offered before.
  promised as (
    select greatest(v_now, max(w.offered_until)) as until
      from parking.wishes w
     where w.availability_id = offered.id
       and w.claim_id is null
       and w.offered_until > v_now
       and w.start_time >= offered.start_time
       and w.end_time <= offered.end_time
  ),
  line as (
    select f.id,
           f.start_time,
           p.until + (row_number() over by_asking - 1) * v_each as offered_from,
           p.until + row_number() over by_asking * v_each as offered_until,
           row_number() over by_asking as place
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
     cross join promised p
    window by_asking as (order by f.created_at, f.id)
  ),
  told as (
    update parking.wishes w
       set availability_id = offered.id,
           offered_from = l.offered_from,
           offered_until =
             least(l.offered_until, case when v_each is not null then l.start_time - v_notice end)
      from line l
     where w.id = l.id
       and (v_each is null or (l.place <= c_longest_line and l.offered_from < l.start_time - v_notice))
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
end;
$$;

comment on function private.offer_to_waiting is
  'Offers a free window to those whose wish it fits and who need of it what became free, or have no offer, and notifies them.';
--! EndIncluded wishes/offer_to_waiting.sql
--! Included wishes/rules/wishes_ten_open_at_most.sql
-- Somebody with a wish for every hour would be told of every window, and keep it from all others.
create or replace trigger wishes_ten_open_at_most
  before insert on parking.wishes
  for each row
  execute function private.enforce_few('10', 'wisher_id', 'claim_id is null and start_time > clock_timestamp()', 'profile');

comment on trigger wishes_ten_open_at_most on parking.wishes is
  E'@status 409\nYou wait for ten times already; withdraw one of these wishes first';
--! EndIncluded wishes/rules/wishes_ten_open_at_most.sql
--! Included spot_reports/notify_of_report.sql
/* Notifies those who can do something about a stranger's car: who shares the spot, and the administrators. */
create or replace function private.notify_of_report()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the reporter
  set search_path = ''
as $$
declare
  v_spot parking.spots;
  v_claim parking.claims;
begin
  select s.* into v_spot
    from parking.spots s
   where s.id = new.spot_id;
  select c.* into v_claim
    from parking.claims c
   where c.spot_id = new.spot_id
     and c.claimer_id = new.holder_id
     and c.start_time <= clock_timestamp()
     and c.end_time > clock_timestamp()
     and c.status = 'active'
   limit 1;

  perform private.notify(
    r.id,
    'report.submitted',
    v_spot,
    claim_id => case when r.id = v_claim.claimer_id then v_claim.id end,
    more => jsonb_strip_nulls(jsonb_build_object('vehicle', new.vehicle))
  )
     from (
       select p.id
         from parking.profiles p
        where p.is_approved
          and (p.is_admin or p.id = new.holder_id)
        order by p.id
     ) r;
  return null;
end;
$$;

comment on function private.notify_of_report is
  'Trigger function: notifies the other of owner and claimer, and the administrators, that a stranger''s car was reported.';

create or replace trigger notify_of_report
  after insert on parking.spot_reports
  for each row
  execute function private.notify_of_report();
--! EndIncluded spot_reports/notify_of_report.sql
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
  E'@status 409\nYou have reported five cars in 24 hours: ask an administrator';
--! EndIncluded spot_reports/rules/spot_reports_five_a_day_at_most.sql
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
  delete from parking.webhooks w
   where w.id = delete_webhook.id;

  if not found then
    perform private.refuse_unchanged('webhooks');
  end if;

  message := 'Webhook deleted successfully';
  deleted_webhook_id := delete_webhook.id;
end;
$$;

comment on function api.delete_webhook is
  'Delete a webhook, and its deliveries: nothing more is sent to it';
grant execute on function api.delete_webhook to parking_api;
--! EndIncluded webhooks/delete_webhook.sql
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

  return v_webhook;
end;
$$;

comment on function api.update_webhook is
  'Change a webhook, or turn it off or on. What waits goes to the new address';
grant execute on function api.update_webhook to parking_api;
--! EndIncluded webhooks/update_webhook.sql
--! Included webhooks/rules/webhooks_twenty_at_most.sql
-- Each event is sent to each of them.
create or replace trigger webhooks_twenty_at_most
  before insert on parking.webhooks
  for each row
  execute function private.enforce_few('20');

comment on trigger webhooks_twenty_at_most on parking.webhooks is
  E'@status 409\nA building has twenty webhooks at most; delete one first';
--! EndIncluded webhooks/rules/webhooks_twenty_at_most.sql
--! Included events/record_limits.sql
/* Open pages hear that the limits changed, and read them again. */
create or replace function private.record_limits()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if new is distinct from old then
    insert into private.new_events (type, subject_id, data)
    select 'building.updated', b.id, jsonb_build_object('id', b.id)
      from parking.building b;
  end if;
  return null;
end;
$$;

comment on function private.record_limits is
  'Trigger function: logs that the building, its limits or those of a section have changed.';

create or replace trigger record_limits
  after update on parking.building
  for each row
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.limits
  for each row
  execute function private.record_limits();
--! EndIncluded events/record_limits.sql
--! Included calendar_feeds/create_calendar_feed.sql
create or replace function api.create_calendar_feed(
    address text,
    inout language text default 'en',
    out url text,
    out created_at timestamptz
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  -- 244 random bits, in 43 characters that an address may have.
  v_secret constant text := translate(
    encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'),
    '+/=',
    '-_'
  );
  v_hash constant bytea := sha256(convert_to(v_secret, 'UTF8'));
begin
  perform private.require_approved();

  insert into parking.calendar_feeds as f (secret_hash, language)
  values (v_hash, create_calendar_feed.language)
  on conflict on constraint calendar_feeds_pkey do update
    set secret_hash = v_hash,
        language = create_calendar_feed.language
  returning f.created_at into created_at;

  url := create_calendar_feed.address || '/calendar-feed.ics?sig=' || v_secret;
end;
$$;

comment on function api.create_calendar_feed is
  'Make a secret address at which calendar apps read your calendar; the one before ends';
grant execute on function api.create_calendar_feed to parking_api;
--! EndIncluded calendar_feeds/create_calendar_feed.sql
--! Included invitations/create_invitations.sql
create or replace function api.create_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_given record;
  v_ids uuid[] := '{}';
  v_id uuid;
  v_rule text;
  v_code text;
  v_refused_by text;
  v_refused_with text;
  v_places text[] := '{}';
begin
  perform private.require_administrator();

  for v_given in
    select e.value, e.ordinality - 1 as index
      from jsonb_array_elements(create_invitations.invitations) with ordinality e
  loop
    begin
      insert into parking.invitations (email, full_name, apartment_number, spots)
      values (
        v_given.value ->> 'email',
        v_given.value ->> 'full_name',
        v_given.value ->> 'apartment_number',
        coalesce(v_given.value -> 'spots', '[]')
      )
      returning id into v_id;
      v_ids := v_ids || v_id;
    exception when integrity_constraint_violation then
      get stacked diagnostics v_rule = constraint_name, v_code = returned_sqlstate;
      v_refused_by := coalesce(v_refused_by, v_rule);
      v_refused_with := coalesce(v_refused_with, v_code);
      if v_rule = v_refused_by and cardinality(v_places) < 20 then
        v_places := v_places || format('invitations/%s', v_given.index);
      end if;
    end;
  end loop;

  -- All or none. The place of each, for the details of the refusal.
  if v_refused_by is not null then
    raise exception using
      errcode = v_refused_with,
      message = format('refused by rule "%s"', v_refused_by),
      constraint = v_refused_by,
      column = array_to_string(v_places, ' ');
  end if;

  set constraints parking.welcome_registered immediate;
  invited := cardinality(v_ids);
  accepted := (
    select count(*) from parking.invitations i where i.id = any (v_ids) and i.status = 'accepted'
  );
end;
$$;

comment on function api.create_invitations is
  'Invite people: who registers with the confirmed address is approved at once. All are invited, or none';
grant execute on function api.create_invitations to parking_api;
--! EndIncluded invitations/create_invitations.sql
--! Included invitations/delete_invitation.sql
create or replace function api.delete_invitation(
    id uuid,
    out message text,
    out deleted_invitation_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  delete from parking.invitations i
   where i.id = delete_invitation.id;

  if not found then
    perform private.refuse_unchanged('invitations');
  end if;

  message := 'Invitation deleted successfully';
  deleted_invitation_id := delete_invitation.id;
end;
$$;

comment on function api.delete_invitation is
  'Take an invitation back that nobody has accepted';
grant execute on function api.delete_invitation to parking_api;
--! EndIncluded invitations/delete_invitation.sql
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
  after insert or delete or update of start_time, end_time, pattern_id on parking.availabilities
  for each statement
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
