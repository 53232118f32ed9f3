--! Previous: sha1:d37969936b2390425061719fdd4f06d9a48e4799
--! Hash: sha1:dd852945c85c02716ed4f24fbd033c544b704443
--! Message: 1.1.0

-- From 1.0.0 to 1.1.0, with the processes of 1.0.0 stopped. It can run again.
--! Included limits/table.sql
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
--! Included profiles/table.sql
create table if not exists parking.profiles (
  id uuid,
  email text not null,
  full_name text,
  apartment_number text not null,
  phone_number text,
  shares_phone_number boolean not null default false,
  is_approved boolean not null default false,
  is_admin boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint profiles_one_per_user primary key (id)
);

alter table parking.profiles
  add column if not exists vehicle text,
  add column if not exists is_approved_by_groups boolean not null default false,
  add column if not exists is_admin_by_groups boolean not null default false,
  add column if not exists is_suspended boolean not null default false,
  add column if not exists rejection_reason text;

comment on table parking.profiles is
  E'@absent User profile not found\nA resident''s account in the building.';
comment on column parking.profiles.id is
  'The id of the user at the identity provider.';
comment on column parking.profiles.email is
  'Follows the identity provider; cannot be edited here.';
comment on column parking.profiles.full_name is
  'The resident''s name.';
comment on column parking.profiles.apartment_number is
  'The resident''s apartment.';
comment on column parking.profiles.phone_number is
  'Digits, spaces and +().-/';
comment on column parking.profiles.shares_phone_number is
  'Whether those with whom the resident shares a claim may see the phone number.';
comment on column parking.profiles.vehicle is
  'The plate of the vehicle that the resident usually comes with.';
comment on column parking.profiles.is_approved is
  'Whether the account is approved, by an administrator or by the groups of the identity provider; until then the resident sees only their own profile.';
comment on column parking.profiles.is_admin is
  'Whether the account has administrator privileges; they apply only while it is approved.';
comment on column parking.profiles.is_approved_by_groups is
  'Whether the groups of the identity provider decided is_approved when the person last came.';
comment on column parking.profiles.is_admin_by_groups is
  'Whether the groups of the identity provider decided is_admin when the person last came.';
comment on column parking.profiles.rejection_reason is
  'Why an administrator did not approve the account. Approval clears it, and so does the person by changing their details: they ask again.';
comment on column parking.profiles.is_suspended is
  'Whether the account was approved before, and the approval was taken back.';
comment on column parking.profiles.created_at is
  'When the account was registered.';
comment on column parking.profiles.updated_at is
  'When the row last changed.';

create index if not exists profiles_created_at_id_idx
  on parking.profiles (created_at desc, id);

-- The few who are not approved: each read of windows asks who of them has spots.
create index if not exists profiles_not_approved_idx
  on parking.profiles (id)
  where not is_approved;

create or replace trigger touch
  before update on parking.profiles
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded profiles/table.sql
--! Included spots/table.sql
create table if not exists parking.spots (
  id uuid default uuidv7(),
  spot_number text not null,
  owner_id uuid not null default private.caller_id(),
  building_section text not null,
  is_verified boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint spots_pkey primary key (id),
  -- Availabilities and claims carry the owner down by foreign key, and so need no join to know it.
  constraint spots_id_owner_id_key unique (id, owner_id)
);

alter table parking.spots
  add column if not exists notes text,
  add column if not exists retired_at timestamptz(3);

comment on table parking.spots is
  E'@absent Parking spot not found\nA parking spot and the resident it belongs to.';
comment on column parking.spots.id is
  'Identifies the spot.';
comment on column parking.spots.spot_number is
  'The number on the ground; unique in the building, ignoring case, compatibility forms (NFKC) and kinds of hyphens.';
comment on column parking.spots.owner_id is
  'The resident who registered the spot.';
comment on column parking.spots.building_section is
  'Section or location description.';
comment on column parking.spots.is_verified is
  'Whether an administrator confirmed number, section and owner.';
comment on column parking.spots.notes is
  'What people should know before they claim the spot, such as its width, its height or a charger. All residents read it.';
comment on column parking.spots.retired_at is
  'When the spot was removed that has a past: since then it is there only for what refers to it. Null: it is in use.';
comment on column parking.spots.created_at is
  'When the spot was registered.';
comment on column parking.spots.updated_at is
  'When the row last changed.';

create index if not exists spots_spot_number_id_idx on parking.spots (spot_number, id);
create index if not exists spots_owner_id_spot_number_idx on parking.spots (owner_id, spot_number, id);
create index if not exists spots_building_section_spot_number_idx
  on parking.spots (building_section, spot_number, id);

create or replace trigger touch
  before update on parking.spots
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded spots/table.sql
alter table parking.claims
  drop constraint if exists claims_of_an_availability, -- cancelled claims would go with their windows
  drop constraint if exists claims_one_per_availability,
  add column if not exists guest text,
  add column if not exists vehicle text,
  add column if not exists cancelled_by uuid,
  add column if not exists takes tstzrange;
drop index if exists parking.claims_one_per_availability;

create or replace function private.canceller_of(claim_id uuid)
  returns uuid
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    select e.actor_id
      from private.events e
     where e.subject_id = canceller_of.claim_id
       and e.type = 'claim.cancelled'
     limit 1
  );
end;
$$;

create or replace function private.times_of(window_id uuid)
  returns tstzrange
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (select a.during from parking.availabilities a where a.id = times_of.window_id);
end;
$$;

do $$
begin
  if to_regclass('private.claimers') is null then
    return; -- this was done before
  end if;

  -- The limits of the building are a row of parking.limits now.
  update parking.limits l
     set longest_window_days = b.longest_window_days,
         horizon_days = b.horizon_days,
         shortest_claim_minutes = b.shortest_claim_minutes,
         longest_claim_minutes = b.longest_claim_minutes,
         claim_notice_minutes = b.claim_notice_minutes,
         cancellation_cutoff_minutes = b.cancellation_cutoff_minutes,
         most_active_claims = b.most_active_claims
    from parking.building b
   where l.building_section is null;

  -- A person who was erased offers nothing from then on, and is not told. What is claimed stays.
  alter table parking.availabilities disable trigger notify_of_deletion;
  delete from parking.availabilities a
   using private.users u
   where u.id = a.owner_id
     and u.erased_at <= a.start_time
     and not a.is_claimed;
  update parking.availabilities a
     set end_time = u.erased_at
    from private.users u
   where u.id = a.owner_id
     and u.erased_at < a.end_time
     and not a.is_claimed;
  alter table parking.availabilities enable trigger notify_of_deletion;

  -- Nobody changed these rows: they keep their updated_at, and there are no events.
  alter table parking.spots disable trigger user;
  update parking.spots s
     set retired_at = u.erased_at
    from private.users u
   where u.id = s.owner_id
     and u.erased_at is not null;
  alter table parking.spots enable trigger user;

  alter table parking.profiles disable trigger user;
  update parking.profiles p
     set is_suspended = true
   where not p.is_approved
     and exists (
       select
         from private.events e
        where e.subject_id = p.id
          and e.type = 'profile.approved'
     );
  alter table parking.profiles enable trigger user;

  -- The log says who cancelled a claim. Every other claim takes its whole window. This is one statement,
  -- because each of its parts writes the whole table anew.
  alter table parking.claims
    alter column cancelled_by type uuid
      using case when status = 'cancelled' then private.canceller_of(id) end,
    alter column takes type tstzrange
      using case when status <> 'cancelled' then private.times_of(availability_id) end,
    add column holds uuid generated always as (
      case when status <> 'cancelled' then availability_id end
    ) stored;

  drop table private.claimers;
end $$;

drop function private.canceller_of(uuid);
drop function private.times_of(uuid);

-- These triggers read columns of the building or write the log. Their files make most of them again.
drop trigger if exists availabilities_no_longer_than_allowed on parking.availabilities;
drop trigger if exists availabilities_within_horizon on parking.availabilities;
drop trigger if exists keep_counts_of_claimed on parking.availabilities;
drop trigger if exists keep_counts_of_moved on parking.availabilities;
drop trigger if exists record_creation on parking.availabilities;
drop trigger if exists record_deletions on parking.availabilities;
drop trigger if exists record_update on parking.availabilities;
drop trigger if exists claims_kept_after_cutoff on parking.claims;
drop trigger if exists claims_no_longer_than_allowed on parking.claims;
drop trigger if exists claims_no_more_active_than_allowed on parking.claims;
drop trigger if exists claims_no_shorter_than_allowed on parking.claims;
drop trigger if exists claims_with_notice on parking.claims;
drop trigger if exists claims_within_horizon on parking.claims;
drop trigger if exists keep_counts_of_changed on parking.claims;
drop trigger if exists keep_counts_of_deleted on parking.claims;
drop trigger if exists keep_counts_of_made on parking.claims;
drop trigger if exists record_deletions on parking.claims;
drop trigger if exists record_submission on parking.claims;
drop trigger if exists record_update on parking.claims;
drop trigger if exists record_registration on parking.profiles;
drop trigger if exists record_update on parking.profiles;
drop trigger if exists "A_delete_claims" on parking.spots;
drop trigger if exists record_registration_or_deletion on parking.spots;
drop trigger if exists record_update on parking.spots;

alter table parking.building
  drop column if exists longest_window_days,
  drop column if exists horizon_days,
  drop column if exists shortest_claim_minutes,
  drop column if exists longest_claim_minutes,
  drop column if exists claim_notice_minutes,
  drop column if exists cancellation_cutoff_minutes,
  drop column if exists most_active_claims;

-- These functions are gone, or have other arguments now. With triggers that called them.
drop function if exists api.get_building();
drop function if exists api.create_claim(uuid, timestamptz, timestamptz);
drop function if exists api.create_profile(text, text, text, boolean);
drop function if exists api.create_spot(text, text);
drop function if exists api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer);
drop function if exists api.update_claim(uuid, text, timestamptz, timestamptz);
drop function if exists api.update_profile(text, text, text, boolean);
drop function if exists api.update_profile_flags(uuid, boolean, boolean);
drop function if exists api.update_spot(uuid, text, text);
drop function if exists private.add_day_counts(date, date, bigint, bigint, bigint, bigint, bigint);
drop function if exists private.availability_json(parking.availabilities);
drop function if exists private.charge_rate_limit(text, integer, integer, integer);
drop function if exists private.claim_json(parking.claims);
drop function if exists private.clear_verification() cascade;
drop function if exists private.delete_claims_of_spot() cascade;
drop function if exists private.drop_claim_counts() cascade;
drop function if exists private.enforce_most_active_claims() cascade;
drop function if exists private.keep_claim_counts() cascade;
drop function if exists private.keep_claimed_counts() cascade;
drop function if exists private.limit_report(bigint);
drop function if exists private.notify(uuid, text, text, uuid, uuid, uuid);
drop function if exists private.notify_of_approval() cascade;
drop function if exists private.notify_of_spot_deletion(parking.spots);
drop function if exists private.notify_of_verification() cascade;
drop function if exists private.pattern_of_names(uuid);
drop function if exists private.profile_json(parking.profiles);
drop function if exists private.record_availability_deletions() cascade;
drop function if exists private.record_availability_event() cascade;
drop function if exists private.record_claim_deletions() cascade;
drop function if exists private.record_claim_event() cascade;
drop function if exists private.record_profile_event() cascade;
drop function if exists private.record_spot_event() cascade;
drop function if exists private.spot_json(parking.spots);
drop function if exists private.total_hidden_availabilities(timestamptz, timestamptz);

-- Trigger functions have no comment any more.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid
      from pg_catalog.pg_proc p
     where p.prorettype = 'trigger'::regtype
       and p.pronamespace = 'private'::regnamespace
  loop
    execute format('comment on function %s is null', v_function);
  end loop;
end $$;

-- These indexes include or compare something else now. Their files make them again.
drop index if exists parking.availabilities_end_time_idx;
drop index if exists parking.availabilities_free_owner_id_start_time_idx;
drop index if exists parking.availabilities_free_start_time_idx;
drop index if exists parking.availabilities_owner_id_start_time_idx;
drop index if exists parking.availabilities_spot_id_start_time_idx;
drop index if exists parking.availabilities_start_time_id_idx;
drop index if exists parking.spots_spot_number_is_unique;

-- A foreign key acts after those that were made before it.
--! Included schemas.sql
/* The schemas: tables in parking, operations in api, and in private what clients must not call. */
create schema if not exists parking;
create schema if not exists api;
create schema if not exists private;
create schema if not exists reporting;

comment on schema parking is
  'Tables, their rules and their policies.';
comment on schema api is
  'One function per operation of the service; REST and GraphQL call the same ones.';
comment on schema private is
  'Helpers, trigger functions, sign-in data and the event log. Not for clients.';
comment on schema reporting is
  'Read-only views for reporting tools, without e-mail addresses, phone numbers or names.';

-- PostgreSQL lets everyone execute a new function; here each grant is written down.
alter default privileges revoke execute on functions from public;

-- An exclusion constraint needs it to compare uuids.
create extension if not exists btree_gist with schema private;

grant usage on schema parking, api, private to parking_api;
grant usage on schema reporting to parking_reporter, parking_analyst;
--! EndIncluded schemas.sql
--! Included support/enforce.sql
/* The function of those rules whose trigger's WHEN clause is the whole condition. */
create or replace function private.enforce_rule()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.refuse(tg_name, coalesce(tg_argv[0], '23514'));
  return null;
end;
$$;

/* Refuses a start in the past. A start that has passed since it was written may stay as it is. */
create or replace function private.enforce_start_in_future()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, not now(): the start may have passed while the transaction waited.
  if new.start_time <= clock_timestamp()
    and (tg_op = 'INSERT' or new.start_time is distinct from old.start_time)
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

/* Keeps updated_at. */
create or replace function private.touch()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, so that a later write never shows an earlier time than the one it waited for, nor the
  -- same: calendars tell by it that something changed.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end;
$$;

/* Sets the columns of a row that its argument names, before it is written. */
create or replace function private.set_columns()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  return jsonb_populate_record(new, tg_argv[0]::jsonb);
end;
$$;
--! EndIncluded support/enforce.sql
--! Included support/kinds.sql
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
        or k.kind in ('claim.starts', 'claim.ends')
  );
end;
$$;

comment on function private.are_mail_kinds is
  'Whether these are different kinds of mail: those of notifications, and reminders.';
grant execute on function private.are_mail_kinds to parking_api;

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
          or split_part(t.type, '.', 1) not in ('profile', 'spot', 'availability', 'claim', 'report')
    );
end;
$$;

comment on function private.are_webhook_types is
  'Whether these are different types of events that go to webhooks, one at least.';
grant execute on function private.are_webhook_types to parking_api;
--! EndIncluded support/kinds.sql
--! Included support/reads.sql
/* Characters that no text may have, because it would look like another text. */
-- Regular expressions of PostgreSQL do not know Unicode's categories. These are, of Unicode 17.0, Cc,
-- Cf, Zl, Zp and Default_Ignorable_Code_Point, and two blanks that NFKC does not make a space: U+1680
-- and U+2800; without U+200C, U+200D, U+FE0E and U+FE0F, which emoji and scripts need (is_one_line). A
-- test compares them with every code point. The service reads them at its start.
create or replace function private.invisible_characters()
  returns text
  language sql
  immutable
  parallel safe
  set search_path = ''
return
  '\u0001-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f'
  '\u0890-\u0891\u08e2\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f'
  '\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb'
  '\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
  '\U0001d173-\U0001d17a\U000e0000-\U000e0fff';

comment on function private.invisible_characters is
  'The characters that nobody sees, as ranges of a regular expression.';
grant execute on function private.invisible_characters to parking_api;

/* The form of every text that people type: some characters on one line, and no invisible ones. */
create or replace function private.is_one_line(value text, shortest integer, longest integer)
  returns boolean
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
declare
  v_edge constant text := '[ \u00a0\u2000-\u200a\u202f\u205f\u3000]';
begin
  return char_length(value) >= shortest
    and char_length(value) <= longest
    and value !~ ('[' || private.invisible_characters() || ']')
    and value !~ ('^' || v_edge || '|' || v_edge || '$')
    -- U+FE0E and U+FE0F choose the look of the character before them. U+200C and U+200D come after one,
    -- in old Malayalam texts as the last of a word, but not of a text.
    and (
      value !~ '[\u200c\u200d\ufe0e\ufe0f]'
      or value !~ (
        '(^|' || v_edge || '|[\u200c\u200d\ufe0e\ufe0f])[\ufe0e\ufe0f]'
        '|(^|' || v_edge || '|[\u200c\u200d])[\u200c\u200d]'
        '|[\u200c\u200d]$'
      )
    );
end;
$$;

comment on function private.is_one_line is
  'Whether a text has shortest to longest characters, none of them invisible, and no white space around it. Null gives null.';
grant execute on function private.is_one_line to parking_api;

/*
 * "at time zone" also takes abbreviations and POSIX rules, of which a misspelt name is one: UTC for all. CET
 * and its like are names too, but abbreviations first: without summer time here, and with it elsewhere.
 */
create or replace function private.is_time_zone(name text)
  returns boolean
  language sql
  stable
return exists (
  select
    from pg_catalog.pg_timezone_names z
   where z.name = is_time_zone.name
     -- Files of some systems that are no time zones, or the same ones once more; EST5EDT and its like.
     and z.name !~ '^(posix|right)/|^(Factory|localtime|posixrules)$|^[A-Z]+[0-9]'
) and (
  is_time_zone.name in ('UTC', 'GMT')
  or not exists (
    select
      from pg_catalog.pg_timezone_abbrevs a
     where a.abbrev = upper(is_time_zone.name)
  )
);

comment on function private.is_time_zone is
  'Whether this is the name of a time zone, such as Europe/Berlin, and no abbreviation.';
grant execute on function private.is_time_zone to parking_api;

create or replace function private.iso8601(moment timestamptz)
  returns text
  language sql
  stable
  parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

comment on function private.iso8601 is
  'A time in UTC with milliseconds, as JavaScript''s toISOString() writes it.';

/* People write one plate in many ways. */
create or replace function private.plate(value text)
  returns text
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
declare
  v_plate constant text := upper(normalize(value, nfkc));
begin
  return coalesce(
    nullif(regexp_replace(v_plate collate pg_unicode_fast, '[^[:alnum:]]', '', 'g'), ''),
    regexp_replace(v_plate, '[ \u2010-\u2015\u2212-]', '', 'g') -- a picture of a car
  );
end;
$$;

comment on function private.plate is
  'A plate as it is compared: its letters and digits alone, without case and forms such as full-width ones.';
grant execute on function private.plate to parking_api;

/* Raises a rule that no constraint can raise: one that is a trigger, or a policy that hides rows. */
create or replace function private.refuse(rule text, code text default '42501')
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  raise exception using
    errcode = refuse.code,
    message = format('refused by rule "%s"', refuse.rule),
    constraint = refuse.rule;
end;
$$;

comment on function private.refuse is
  'Fails as a constraint with the rule''s name would: with 42501 (who may act) or the code given. The message for people is the comment of the rule.';
grant execute on function private.refuse to parking_api;

/*
 * Which addresses are the same. No provider tells Maria@ from maria@. Beyond ASCII a letter may be the
 * small form of another that only looks alike, such as the Kelvin sign, and be somebody else's address.
 */
create or replace function private.address_key(email text)
  returns text
  language sql
  immutable
  strict
  parallel safe
return lower(address_key.email collate "C");

comment on function private.address_key is
  'What an address is compared by: its ASCII letters in lower case.';
grant execute on function private.address_key to parking_api;

/*
 * Which numbers are the same: those that differ in case or in form only (full-width, superscript,
 * composed accent), those with another hyphen or dash, which editors put in by themselves, and those
 * with a joiner or a variation selector, which nobody sees.
 */
create or replace function private.number_key(spot_number text)
  returns text
  language sql
  immutable
  strict
  parallel safe
return regexp_replace(
  regexp_replace(
    normalize(casefold(normalize(number_key.spot_number, nfkc) collate pg_unicode_fast), nfkc),
    '[\u2010-\u2015\u2212]', '-', 'g'
  ),
  '[\u200c\u200d\ufe0e\ufe0f]', '', 'g'
);

comment on function private.number_key is
  'What the number of a spot is compared by: without case, compatibility forms (NFKC), kinds of hyphens, joiners and variation selectors.';
grant execute on function private.number_key to parking_api;
--! EndIncluded support/reads.sql
--! Included support/rule_catalogue.sql
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
           w.description,
           -- Tags are the first lines. A status that is no refusal's is no status.
           substring(w.description from '^(?:@\w+ [^\n]*\n)*@status (4\d\d)(?:\n|$)')::integer as tagged
      from objects o
      join tables t on t.oid = o.table_id and t.is_domain = (o.kind = 'domain')
      join pg_catalog.pg_description d
        on d.classoid = o.catalogue and d.objoid = o.oid and d.objsubid = 0
     cross join lateral (select replace(d.description, E'\r', '') as description) w -- of a file from Windows
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
           -- For a generated column, the columns that it is made from.
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
               substring(c.description from '^(?:@\w+ [^\n]*\n)*'), '^@([a-z]{2}) ([^\n]*)\n', 'gn'
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
--! Included turns/table.sql
/*
 * Somebody who inserts two rows that a rule counts at one moment: the second waits for the first, and counts
 * its row. Nobody else locks these rows. Two residents who claim each other's spots lock each other's profiles
 * (enforce_approved_owner), so the lock of a profile would make them wait for each other.
 */
create table if not exists private.turns (
  key bigint,
  constraint turns_pkey primary key (key)
);

comment on table private.turns is
  'A row for each rule and each person whose rows it has counted, to be locked.';
comment on column private.turns.key is
  'A hash of the name of the rule and the id of the person, as private.take_turn makes it.';

alter table private.turns enable row level security;
-- No policy and no grant: only trigger functions write it.
--! EndIncluded turns/table.sql
--! Included turns/enforce_few.sql
/*
 * Limits the rows of a person, or of the building. The arguments: how many, the column that names the person,
 * which of the rows count, and "profile" where the erasure of the person has to wait.
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

create or replace function private.take_turn(rule text, person_id uuid default null)
  returns void
  language sql
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  -- Written, not only locked: a transaction with a snapshot from before the other rows fails here.
  insert into private.turns (key)
  values (hashtextextended(concat_ws(' ', take_turn.rule, take_turn.person_id), 0))
  on conflict on constraint turns_pkey do update
     set key = excluded.key
$$;

comment on function private.take_turn is
  'Makes those who insert rows that this rule counts, of this person or of the building, wait for each other, and fail where they do not see each other.';
--! EndIncluded turns/enforce_few.sql
--! Included totals/table.sql
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

create table if not exists private.person_counts (
  id bigint generated always as identity,
  person_id uuid not null,
  counted text not null,
  number integer not null,
  constraint person_counts_pkey primary key (id)
)
-- Room on each page for the next version of its rows, which then needs no new entry in the index.
with (fillfactor = 50);

alter table private.person_counts enable row level security;
-- No policy and no grant: functions that know what the caller may see read it.

comment on table private.person_counts is
  'How many claims of each status each claimer has. The count is the sum of the rows: there are several where several transactions wrote at the same time.';
comment on column private.person_counts.id is
  'The row.';
comment on column private.person_counts.person_id is
  'The claimer.';
comment on column private.person_counts.counted is
  'The status of the claims.';
comment on column private.person_counts.number is
  'What this row adds to the count.';

create index if not exists person_counts_person_id_counted_idx
  on private.person_counts (person_id, counted);
--! EndIncluded totals/table.sql
--! Included identity/token.sql
create or replace function private.token_claims()
  returns jsonb
  language sql
  stable
  parallel safe
return case
  -- Unset at first, '' after the first transaction that set it; neither is an error.
  when pg_input_is_valid(current_setting('request.jwt.claims', true), 'jsonb')
    then current_setting('request.jwt.claims', true)::jsonb
end;

comment on function private.token_claims is
  'The claims of the caller''s token (setting request.jwt.claims); null where there is no caller.';
grant execute on function private.token_claims to parking_api;

create or replace function private.caller_id()
  returns uuid
  language sql
  stable
  parallel safe
-- Null where there is no sub, or one that is no uuid.
return json_value(private.token_claims(), 'strict $.sub' returning uuid);

comment on function private.caller_id is
  'The id of the caller, from the claims of the token (setting request.jwt.claims). Null where nobody is signed in; null matches no row.';
grant execute on function private.caller_id to parking_api;

/* The service believes the later of two tokens of a person. */
create or replace function private.token_issued_at()
  returns timestamptz
  language sql
  stable
  parallel safe
return to_timestamp(
  json_value(private.token_claims(), 'strict $.iat' returning double precision)
)::timestamptz(3);

comment on function private.token_issued_at is
  'When the caller''s token was issued, as far as it says so (iat).';
--! EndIncluded identity/token.sql
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
--! Included users/reads.sql
create or replace function private.own_user()
  returns setof private.users
  language sql
  stable
  security definer -- the API role has no access to private.users; this shows the caller's own row
  set search_path = ''
  rows 1
as $$
  select u.*
    from private.users u
   where u.id = (select private.caller_id())
$$;

comment on function private.own_user is
  'The sign-in data of the caller; no row before registration.';
grant execute on function private.own_user to parking_api;

create or replace function private.said_by_token(known_email text, known_confirmed_at timestamptz)
  returns table (email text, email_confirmed_at timestamptz)
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- A claim that the token does not have leaves the stored value.
  select
      coalesce(said.email, said_by_token.known_email),
      coalesce(
        -- A token confirms its own address. One without an address, or with one that the service does not
        -- take, is about another than the stored one.
        case when said.email is not null then (t.claims ->> 'email_confirmed_at')::timestamptz(3) end,
        case
          when coalesce(said.email, said_by_token.known_email) = said_by_token.known_email
            then said_by_token.known_confirmed_at
        end,
        case when said.email is not null and t.claims -> 'email_verified' = 'true'::jsonb then now() end
      )
    from (select private.token_claims() as claims offset 0) t -- parsed once
   cross join lateral (
     select t.claims ->> 'email' as email
   ) said;
end;

comment on function private.said_by_token is
  'The address and when it was confirmed: what the claims email, and with it email_confirmed_at and email_verified, say, else what is stored.';
--! EndIncluded users/reads.sql
--! Included users/remember_user.sql
/* Stores what a token says where that is new. Its time is always stored, because it outdates older tokens. */
create or replace function private.note_token()
  returns void
  language plpgsql
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

create or replace function private.remember_user()
  returns private.users
  language plpgsql
  security definer -- the API role has no access to private.users, the sign-in data of everybody
  set search_path = ''
as $$
declare
  v_known private.users;
  v_email text;
  v_confirmed_at timestamptz(3);
begin
  select u.* into v_known
    from private.users u
   where u.id = (select private.caller_id());

  if v_known.erased_at is not null or private.is_outdated(v_known.token_issued_at) then
    return v_known;
  end if;

  select said.email, said.email_confirmed_at into v_email, v_confirmed_at
    from private.said_by_token(v_known.email, v_known.email_confirmed_at) said;

  if v_email is null then
    perform private.refuse('users_email_is_given', '23502');
  end if;

  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if (v_known.email, v_known.email_confirmed_at) is not distinct from (v_email, v_confirmed_at) then
    perform private.note_token();
    return v_known;
  end if;

  if v_known.id is null then
    -- "on conflict" covers only the id. A second request of this person could break the other key.
    perform pg_advisory_xact_lock(hashtextextended(private.caller_id()::text, 0));
    insert into private.users (id, email, email_confirmed_at, token_issued_at)
    values (private.caller_id(), v_email, v_confirmed_at, private.token_issued_at())
    on conflict (id) do nothing;
  else
    update private.users u
       set email = v_email,
           email_confirmed_at = v_confirmed_at,
           token_issued_at = coalesce(private.token_issued_at(), u.token_issued_at)
     where u.id = v_known.id
       and not private.is_outdated(u.token_issued_at)
       and (u.email, u.email_confirmed_at) is distinct from (v_email, v_confirmed_at);
  end if;

  select u.* into v_known
    from private.users u
   where u.id = (select private.caller_id());
  return v_known;
end;
$$;

comment on function private.remember_user is
  'Records or refreshes the sign-in data of the caller from the claims email, email_confirmed_at and email_verified, and returns it.';
grant execute on function private.remember_user to parking_api;
--! EndIncluded users/remember_user.sql
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
--! Included identity/reads.sql
/* The service sets these members where its settings name a group (AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP). */
create or replace function private.claimed_by_groups(flag text)
  returns boolean
  language plpgsql
  stable
  parallel safe
  security definer -- the API role has no access to private.users
  set search_path = ''
as $$
declare
  v_claimed constant jsonb := private.token_claims() -> claimed_by_groups.flag;
  v_user private.users;
begin
  if jsonb_typeof(v_claimed) is distinct from 'boolean' then
    return null;
  end if;

  select u.* into v_user
    from private.users u
   where u.id = (select private.caller_id());

  if v_user.erased_at is not null then
    return null; -- whatever the groups say, the account stays closed
  elsif private.is_outdated(v_user.token_issued_at) then
    return (
      select case claimed_by_groups.flag when 'is_admin' then p.is_admin else p.is_approved end
        from parking.profiles p
       where p.id = v_user.id
    );
  end if;
  return v_claimed;
end;
$$;

comment on function private.claimed_by_groups is
  'For private.decided_by_groups: reads the flag from the claims of the token, or from the profile where a later token has come.';
grant execute on function private.claimed_by_groups to parking_api;

/* Each policy asks, so this is an expression that the planner puts in its place. Mostly nothing is parsed. */
create or replace function private.decided_by_groups(flag text)
  returns boolean
  language sql
  stable
  parallel safe
return case
  when strpos(current_setting('request.jwt.claims', true), '"is_a') > 0
    then private.claimed_by_groups(flag)
end;

comment on function private.decided_by_groups is
  'What the groups in the caller''s token say of is_approved or is_admin; null where the identity provider does not decide it, and for an account that was erased.';
grant execute on function private.decided_by_groups to parking_api;

/* The one definition of who is approved and who administers, now that the caller's token has come. */
create or replace function private.flags_by_groups(profile parking.profiles)
  returns table (
    is_approved boolean,
    is_admin boolean,
    is_approved_by_groups boolean,
    is_admin_by_groups boolean
  )
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- No subquery, so that the planner puts the one expression that a caller reads in its place.
  select
      coalesce(private.decided_by_groups('is_approved'), profile.is_approved),
      coalesce(private.decided_by_groups('is_admin'), profile.is_admin),
      private.decided_by_groups('is_approved') is not null,
      private.decided_by_groups('is_admin') is not null;
end;

comment on function private.flags_by_groups is
  'The flags of the caller''s profile: as the groups in the token decide them, else as they are stored.';

create or replace function private.is_administrator()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- the policies of profiles call it; otherwise they would call themselves
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
     and flags.is_admin
);

comment on function private.is_administrator is
  'Whether the caller is an approved administrator.';
grant execute on function private.is_administrator to parking_api;

/* For policies. Write (select private.is_approved()) there, so that it runs once per statement. */
create or replace function private.is_approved()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- the policies of profiles call it; otherwise they would call themselves
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
);

comment on function private.is_approved is
  'Whether the caller has a profile that is approved: by the groups in the token where these decide, else by an administrator.';
grant execute on function private.is_approved to parking_api;

/* A time that only a clock can have made that ran ahead would outdate all tokens until then. */
create or replace function private.is_outdated(known_issued_at timestamptz)
  returns boolean
  language sql
  stable
  parallel safe
return coalesce(
  private.token_issued_at() < is_outdated.known_issued_at
    and is_outdated.known_issued_at < now() + interval '1 minute',
  false
);

comment on function private.is_outdated is
  'Whether a token of the caller''s came before that was issued later: what this one says is out of date. A token without iat is not.';

/* Why an administrator acts on what belongs to another resident. Policies let them only with a reason. */
create or replace function private.reason()
  returns text
  language sql
  stable
  parallel safe
return case
  -- Not null, so that nobody without a reason is looked up: "and" goes on after null.
  when coalesce(current_setting('request.reason', true), '') <> '' and private.is_administrator()
    then current_setting('request.reason', true)
end;

comment on function private.reason is
  'The reason that an administrator gave in this transaction (setting request.reason); null for everybody else.';
grant execute on function private.reason to parking_api;
--! EndIncluded identity/reads.sql
--! Included identity/require.sql
create or replace function private.give_reason(reason text)
  returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- A rule of the event log checks the rest when the act is recorded.
  if coalesce(give_reason.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;
  perform set_config('request.reason', give_reason.reason, true);
end;
$$;

comment on function private.give_reason is
  'Sets the reason of an administrator for the rest of the transaction. The event log and the notifications repeat it.';
grant execute on function private.give_reason to parking_api;

/* No such row is there for the caller, or the caller lost the right to see it while the statement waited. */
create or replace function private.refuse_absent("table" text, requires_approval boolean default true)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_absent.requires_approval then
    perform private.require_approved();
  end if;

  raise sqlstate 'PT404' using
    message = coalesce(
      (select a.message from private.absences a where a."table" = refuse_absent."table"),
      'Not found'
    ),
    table = refuse_absent."table";
end;
$$;

comment on function private.refuse_absent is
  'Fails with status 404 and the message that the comment of the table gives (@absent), or under the rule approved_account_required.';
grant execute on function private.refuse_absent to parking_api;

/*
 * The end of each function of api that found no row to change or delete. The caller may have lost the
 * right while the statement waited: that is what they read then.
 */
create or replace function private.refuse_unchanged(
    "table" text,
    rule text default null,
    is_there boolean default false
)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_unchanged.rule is null or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  end if;
  perform private.require_approved();

  if refuse_unchanged.is_there then
    perform private.refuse(refuse_unchanged.rule);
  end if;
  perform private.refuse_absent(refuse_unchanged."table");
end;
$$;

comment on function private.refuse_unchanged is
  'Fails under the rule, which lets only some change the row, where the row is there, and else as private.refuse_absent does. Without a rule, and with a reason, only administrators may change it.';
grant execute on function private.refuse_unchanged to parking_api;

/* Gives the caller an error where the policies would only show no rows. */
create or replace function private.require_administrator()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  if not private.is_administrator() then
    perform private.refuse('administrator_required');
  end if;
end;
$$;

comment on function private.require_administrator is
  'Fails under the rule administrator_required unless the caller is an approved administrator.';
grant execute on function private.require_administrator to parking_api;

create or replace function private.require_approved()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
end;
$$;

comment on function private.require_approved is
  'Fails under the rule approved_account_required unless the caller''s account is approved.';
grant execute on function private.require_approved to parking_api;
--! EndIncluded identity/require.sql
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
--! EndIncluded events/table.sql
--! Included last_position/table.sql
/* The position of the last event. Not the greatest of the table: events are pruned. */
create table if not exists private.last_position (
  position bigint not null default 0,
  kept_after bigint not null default 0
);

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

-- See private.new_events.
alter table private.last_position replica identity full;
--! EndIncluded last_position/table.sql
--! Included invitations/table.sql
create or replace function private.spot_keys(spots jsonb)
  returns text[]
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return array(
    select private.number_key(s.spot_number)
      from json_table(spot_keys.spots, '$[*]' columns (spot_number text)) s
     where s.spot_number is not null
  );
end;
$$;

comment on function private.spot_keys is
  'What the numbers of invited spots are compared by.';
grant execute on function private.spot_keys to parking_api;

create table if not exists parking.invitations (
  id uuid default uuidv7(),
  email text not null,
  address text not null generated always as (private.address_key(email)) stored,
  full_name text,
  apartment_number text not null,
  spots jsonb not null default '[]',
  spot_keys text[] not null generated always as (private.spot_keys(spots)) stored,
  status text not null default 'open',
  inviter_id uuid not null default private.caller_id(),
  profile_id uuid,
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint invitations_pkey primary key (id)
);

comment on table parking.invitations is
  E'@absent Invitation not found\nA person whom an administrator expects: who registers with this confirmed address is approved at once, and their spots are registered and verified.';
comment on column parking.invitations.id is
  'Identifies the invitation.';
comment on column parking.invitations.email is
  'The address. It counts only where the identity provider confirmed it.';
comment on column parking.invitations.address is
  'What the address is compared by.';
comment on column parking.invitations.full_name is
  'The name on the administrator''s list. The profile has the name that the person gives.';
comment on column parking.invitations.apartment_number is
  'The apartment on the administrator''s list. The profile has the one that the person gives.';
comment on column parking.invitations.spots is
  'The spots that are registered for the person. Of an accepted invitation, each has the spot_id that it got, or refused_by: the rule that refused it.';
comment on column parking.invitations.spot_keys is
  'What the numbers of the spots are compared by.';
comment on column parking.invitations.status is
  'open; accepted, once the person was approved; lapsed, when the administrator who invited is one no longer.';
comment on column parking.invitations.inviter_id is
  'The administrator who invited. The approval of the person is their act.';
comment on column parking.invitations.profile_id is
  'Who accepted it.';
comment on column parking.invitations.accepted_at is
  'When it was accepted.';
comment on column parking.invitations.created_at is
  'When it was made.';
comment on column parking.invitations.updated_at is
  'When the row last changed.';

create index if not exists invitations_created_at_id_idx
  on parking.invitations (created_at desc, id);
create index if not exists invitations_inviter_id_idx
  on parking.invitations (inviter_id);
create index if not exists invitations_profile_id_idx
  on parking.invitations (profile_id);
create index if not exists invitations_spot_keys_idx
  on parking.invitations using gin (spot_keys)
  with (fastupdate = off)
  where status = 'open';

create or replace trigger touch
  before update on parking.invitations
  for each row
  execute function private.touch();
--! EndIncluded invitations/table.sql
--! Included invitations/accept_invitation.sql
/*
 * The person has registered, and the address is confirmed: the caller has made sure of both. A rule that
 * refuses a spot, or the approval, must not refuse the registration, or nobody could sign in.
 */
create or replace function private.accept_invitation(id uuid, profile_id uuid)
  returns void
  language plpgsql
  security invoker -- for triggers, which act as the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
  -- The groups of the caller's token decide for everybody: nobody is approved against their own.
  v_by_groups constant boolean := private.decided_by_groups('is_approved') is not null;
  v_invitation parking.invitations;
  v_spot jsonb;
  v_id uuid;
  v_rule text;
  v_registered jsonb := '[]'; -- each with its spot_id, or the rule that refused it
begin
  select i.* into v_invitation
    from parking.invitations i
   where i.id = accept_invitation.id
     and i.status = 'open'
     for update; -- it may be deleted at this moment

  if not found then
    return;
  end if;

  -- From here on, the log and the notifications name the administrator who invited.
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', v_invitation.inviter_id)::text, true
  );
  update parking.profiles p
     set is_approved = true
   where p.id = accept_invitation.profile_id
     and not p.is_approved
     and not v_by_groups;

  for v_spot in select s.value from jsonb_array_elements(v_invitation.spots) s loop
    begin
      -- The person may have registered it already.
      select s.id into v_id
        from parking.spots s
       where s.owner_id = accept_invitation.profile_id
         and s.retired_at is null
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots as n (owner_id, spot_number, building_section)
        values (
          accept_invitation.profile_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning n.id into v_id;
      end if;

      -- First, because a change of the section ends a verification. The administrator knows the spot.
      update parking.spots s
         set building_section = v_spot ->> 'building_section'
       where s.id = v_id
         and s.building_section <> v_spot ->> 'building_section';
      update parking.spots s
         set is_verified = true
       where s.id = v_id
         and not s.is_verified;
      v_registered := v_registered || (v_spot || jsonb_build_object('spot_id', v_id));
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics v_rule = constraint_name;
        v_registered := v_registered || (v_spot || jsonb_build_object('refused_by', v_rule));
    end;
  end loop;

  update parking.invitations i
     set status = 'accepted',
         accepted_at = clock_timestamp(),
         profile_id = accept_invitation.profile_id,
         spots = v_registered
   where i.id = v_invitation.id;
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
exception
  -- The invitation stays open. The claims are again what they were when this block began.
  when integrity_constraint_violation or insufficient_privilege then
    return;
end;
$$;

comment on function private.accept_invitation is
  'Approves the person with this profile, unless groups of the identity provider decide that, and registers and verifies the spots of the invitation for them, in the name of the administrator who invited.';
--! EndIncluded invitations/accept_invitation.sql
--! Included invitations/create_invitations.sql
create or replace function api.create_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
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
--! Included invitations/effects.sql
/* The invitations of a former administrator let nobody in. Another administrator may invite the person. */
create or replace function private.lapse_invitations()
  returns trigger
  language plpgsql
  security definer -- nobody else may change an invitation
  set search_path = ''
as $$
begin
  update parking.invitations i
     set status = 'lapsed'
   where i.inviter_id = new.id
     and i.status = 'open';
  return null;
end;
$$;

create or replace trigger lapse_invitations
  after update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved and not (new.is_admin and new.is_approved))
  execute function private.lapse_invitations();

/* A person who registers, or whose address is confirmed later, may have been invited. */
create or replace function private.use_invitation()
  returns trigger
  language plpgsql
  security definer -- approves in the name of the administrator who invited
  set search_path = ''
as $$
begin
  perform private.accept_invitation(i.id, p.id)
     from private.users u
     join parking.profiles p on p.id = u.id
     join parking.invitations i on i.address = private.address_key(u.email) and i.status = 'open'
    where u.id = new.id
      and u.email_confirmed_at is not null -- somebody else may only claim the address
      -- Whose approval an administrator took back, an older invitation does not bring in again.
      and (
        p.is_approved
        or not exists (
          select from private.events e where e.subject_id = p.id and e.type = 'profile.approved'
        )
      );
  return null;
end;
$$;

-- After record_registration, for the log: triggers run in the order of their names.
create or replace trigger use_invitation
  after insert on parking.profiles
  for each row
  execute function private.use_invitation();

create or replace trigger use_invitation
  after update of email, email_confirmed_at on private.users
  for each row
  when (new.email_confirmed_at is not null)
  execute function private.use_invitation();

/* An invited person may have registered already. The invitation approves them now. */
create or replace function private.welcome_registered()
  returns trigger
  language plpgsql
  security definer -- reads the sign-in data of everybody
  set search_path = ''
as $$
declare
  -- The newest, where several accounts have one address.
  v_id constant uuid := (
    select p.id
      from private.users u
      join parking.profiles p on p.id = u.id
     where private.address_key(u.email) = new.address
       and u.email_confirmed_at is not null
     order by p.created_at desc, p.id
     limit 1
  );
begin
  perform private.accept_invitation(new.id, v_id) where v_id is not null;
  return null;
end;
$$;

-- Deferred, so that all invitations of a list are open while the rules look for duplicates.
drop trigger if exists welcome_registered on parking.invitations;
create constraint trigger welcome_registered
  after insert on parking.invitations
  deferrable initially deferred
  for each row
  execute function private.welcome_registered();
--! EndIncluded invitations/effects.sql
--! Included invitations/preview_invitations.sql
/* It does what POST does, and takes it back: so the same rules judge. */
create or replace function api.preview_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
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
--! Included invitations/reads.sql
create or replace function private.are_invited_spots(spots jsonb)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  if jsonb_typeof(are_invited_spots.spots) is distinct from 'array' then
    return false;
  end if;

  return jsonb_array_length(are_invited_spots.spots) <= 20
    and not exists (
      select
        from jsonb_array_elements(are_invited_spots.spots) s
       where jsonb_typeof(s -> 'spot_number') is distinct from 'string'
          or jsonb_typeof(s -> 'building_section') is distinct from 'string'
          or not private.is_one_line(s ->> 'spot_number', 1, 32)
          or not private.is_one_line(s ->> 'building_section', 1, 100)
    );
end;
$$;

comment on function private.are_invited_spots is
  'Whether this is a list of at most 20 spots that could be registered.';
grant execute on function private.are_invited_spots to parking_api;

/* Whom an administrator expects, so that they need not type it once more. */
create or replace function private.caller_invitation()
  returns setof parking.invitations
  language sql
  stable
  security definer -- invitations are for administrators; this shows the one to the caller's confirmed address
  set search_path = ''
  rows 1
as $$
  select i.*
    from private.said_by_token(null, null) said
    join parking.invitations i on i.address = private.address_key(said.email)
   where said.email_confirmed_at is not null
     and i.status = 'open'
$$;

comment on function private.caller_invitation is
  'The open invitation to the address that the caller''s token confirms.';
grant execute on function private.caller_invitation to parking_api;

create or replace function api.get_invitation(id uuid)
  returns setof parking.invitations
  language sql
  stable
  rows 1
as $$
  select i.*
    from parking.invitations i
   where i.id = get_invitation.id
$$;

comment on function api.get_invitation is
  'One invitation';
grant execute on function api.get_invitation to parking_api;

create or replace function api.get_own_invitation()
  returns setof parking.invitations
  language sql
  stable
  rows 1
as $$
  select i.*
    from private.caller_invitation() i
$$;

comment on function api.get_own_invitation is
  'What an administrator wrote in the open invitation to your confirmed address, to register with it; null where there is none';
grant execute on function api.get_own_invitation to parking_api;

/* The pattern of <input type="email">, as HTML has it. Of an invitation that is over, it does not matter any more. */
create or replace function private.is_invited_email(email text, status text)
  returns boolean
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return status <> 'open'
    or email ~ (
      '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+'
      '@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'
    );
end;
$$;

comment on function private.is_invited_email is
  'Whether this is one e-mail address and nothing else, as a field of type email takes it, or the invitation is over.';
grant execute on function private.is_invited_email to parking_api;

create or replace function api.list_invitations()
  returns setof parking.invitations
  language sql
  stable
as $$
  select i.*
    from parking.invitations i
$$;

comment on function api.list_invitations is
  'Whom administrators invited, newest first';
grant execute on function api.list_invitations to parking_api;
--! EndIncluded invitations/reads.sql
--! Included invitations/rules/invitations_spot_is_invited_once.sql
/* The numbers of a list are no key that an index could keep. Those who invite wait for each other (private.lock_administrators). */
create or replace function private.enforce_spot_is_invited_once()
  returns trigger
  language plpgsql
  security definer -- the policies would keep the index from being used
  set search_path = ''
  set enable_seqscan = off -- the plan is made while the table is small, and kept for a list of 500
as $$
begin
  if cardinality(new.spot_keys) > (select count(distinct k.key) from unnest(new.spot_keys) k (key))
    or exists (
      select from parking.invitations i
       where i.status = 'open'
         and i.spot_keys && new.spot_keys
         and i.id <> new.id
    )
  then
    perform private.refuse(tg_name, '23505');
  end if;
  return null;
end;
$$;

create or replace trigger invitations_spot_is_invited_once
  after insert on parking.invitations
  for each row
  when (new.spot_keys <> '{}')
  execute function private.enforce_spot_is_invited_once();

comment on trigger invitations_spot_is_invited_once on parking.invitations is
  E'@status 409\n@field spots\n@de Ein Stellplatz dieser Liste steht schon in einer Einladung.\nA parking spot can be in one open invitation, and once';
--! EndIncluded invitations/rules/invitations_spot_is_invited_once.sql
--! Included invitations/policies.sql
/* Only administrators see, make and delete invitations. Nobody changes one. */
alter table parking.invitations enable row level security;

drop policy if exists select_all on parking.invitations;
create policy select_all on parking.invitations
  for select to parking_api
  using (true);

drop policy if exists insert_own on parking.invitations;
create policy insert_own on parking.invitations
  for insert to parking_api
  with check (inviter_id = (select private.caller_id()));

drop policy if exists delete_all on parking.invitations;
create policy delete_all on parking.invitations
  for delete to parking_api
  using (true);

grant select, delete on parking.invitations to parking_api;
-- No insert of inviter_id: it is the caller by default. No insert of status: an invitation begins open.
grant insert (email, full_name, apartment_number, spots) on parking.invitations to parking_api;
--! EndIncluded invitations/policies.sql
--! Included invitations/rules/administrator_required.sql
drop policy if exists administrator_required on parking.invitations;
create policy administrator_required on parking.invitations
  as restrictive to parking_api
  using ((select private.is_administrator()));

comment on policy administrator_required on parking.invitations is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded invitations/rules/administrator_required.sql
--! Included invitations/rules/invitations_accepted_by_a_resident.sql
alter table parking.invitations
  drop constraint if exists invitations_accepted_by_a_resident,
  add constraint invitations_accepted_by_a_resident
    foreign key (profile_id)
    references parking.profiles (id);

comment on constraint invitations_accepted_by_a_resident on parking.invitations is
  E'@status 403\nWho accepts an invitation must have registered';
--! EndIncluded invitations/rules/invitations_accepted_by_a_resident.sql
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
--! Included invitations/rules/invitations_by_a_resident.sql
alter table parking.invitations
  drop constraint if exists invitations_by_a_resident,
  add constraint invitations_by_a_resident
    foreign key (inviter_id)
    references parking.profiles (id);

comment on constraint invitations_by_a_resident on parking.invitations is
  E'@status 403\nWho invites must be a resident';
--! EndIncluded invitations/rules/invitations_by_a_resident.sql
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
--! Included invitations/rules/invitations_spots_can_be_registered.sql
alter table parking.invitations
  drop constraint if exists invitations_spots_can_be_registered,
  add constraint invitations_spots_can_be_registered
    check (private.are_invited_spots(spots));

comment on constraint invitations_spots_can_be_registered on parking.invitations is
  E'@field spots\n@de Höchstens 20 Stellplätze, jeder mit einer Nummer von 1 bis 32 und einem Bereich von 1 bis 100 Zeichen.\nspots must be at most 20, each with a spot_number of 1 to 32 and a building_section of 1 to 100 characters on one line';
--! EndIncluded invitations/rules/invitations_spots_can_be_registered.sql
--! Included invitations/rules/invitations_status_is_known.sql
alter table parking.invitations
  drop constraint if exists invitations_status_is_known,
  add constraint invitations_status_is_known
    check (
      status in ('open', 'accepted', 'lapsed')
      and (status = 'accepted') = (profile_id is not null and accepted_at is not null)
    );

comment on constraint invitations_status_is_known on parking.invitations is
  E'@field status\nstatus must be open, accepted or lapsed, and accepted where somebody accepted';
--! EndIncluded invitations/rules/invitations_status_is_known.sql
--! Included building/table.sql
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
  add column if not exists mail text[] not null default array[
    'claim.submitted', 'claim.cancelled', 'claim.deleted', 'claim.starts', 'claim.ends',
    'profile.approved', 'profile.rejected', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'wish.fits', 'profiles.waiting'
  ],
  add column if not exists language text not null default 'en',
  add column if not exists remind_minutes integer not null default 60,
  add column if not exists grace_minutes integer default 5,
  add column if not exists mark text,
  add column if not exists colour text;

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
  'The kinds of mail for people who have not chosen themselves.';
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

-- The columns that administrators may change.
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
--! Included building/view.sql
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
--! Included building/enforce_limit.sql
/* Limits bind what a statement writes. What was there before a limit was set stays valid. */
create or replace function private.enforce_limit()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_is_written constant boolean := tg_op = 'INSERT' or case tg_argv[0]
    when 'end' then new.end_time <> old.end_time
    when 'length' then new.end_time - new.start_time <> old.end_time - old.start_time
  end;
begin
  if v_is_written then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;
--! EndIncluded building/enforce_limit.sql
--! Included building/reads.sql
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

/* Looked for by days, and on a day whose end has another offset, by quarters of an hour. */
create or replace function private.clock_offsets(zone text, first timestamptz, last timestamptz)
  returns table (since timestamptz, minutes integer)
  language sql
  stable
  set search_path = ''
begin atomic
  with days as (
    select d.moment,
           extract(epoch from (d.moment at time zone zone) - (d.moment at time zone 'UTC')) as seconds
      from generate_series(first, last, interval '24 hours') d (moment)
  ),
  moments as (
    select first as moment
     union
    select q.moment
      from (
        select d.moment, d.seconds, lead(d.seconds) over (order by d.moment) as next
          from days d
      ) d
     cross join generate_series(
       date_trunc('hour', d.moment), d.moment + interval '24 hours', interval '15 minutes'
     ) q (moment)
     where d.seconds <> d.next
  ),
  offsets as (
    select m.moment,
           extract(epoch from (m.moment at time zone zone) - (m.moment at time zone 'UTC')) as seconds
      from moments m
     where m.moment >= first
  )
  select o.moment, (o.seconds / 60)::integer
    from (
      select o.moment, o.seconds, lag(o.seconds) over (order by o.moment) as before
        from offsets o
    ) o
   where o.before is distinct from o.seconds
   order by o.moment;
end;

comment on function private.clock_offsets is
  'From when on the clocks of a zone are how many minutes ahead of UTC, from first until last.';
grant execute on function private.clock_offsets to parking_api;

/* Limits in days: a day of the building's calendar may have 23 or 25 hours. */
create or replace function private.days_after(moment timestamptz, days integer)
  returns timestamptz
  language sql
  stable
  strict
return date_add(moment, make_interval(days => days), (private.building()).time_zone);

comment on function private.days_after is
  'The same time of day so many days later, in the time zone of the building; null for null.';
grant execute on function private.days_after to parking_api;

create or replace function api.get_building()
  returns setof parking.buildings
  language sql
  stable
  rows 1
as $$
  select b.*
    from parking.buildings b
$$;

comment on function api.get_building is
  'The building: its name, its time zone and its limits';
grant execute on function api.get_building to parking_api;

/* A browser may be older than the zone of the building. */
create or replace function api.list_offsets()
  returns table (since timestamptz, minutes integer)
  language sql
  stable
as $$
  select o.since, o.minutes
    from parking.building b
   cross join lateral private.clock_offsets(
     b.time_zone, date_trunc('hour', now() - interval '2 years'), now() + interval '2 years'
   ) o
   order by o.since
$$;

comment on function api.list_offsets is
  'How far the clocks of the building are ahead of UTC, of two years back and ahead: for clients that do not know its time zone';
grant execute on function api.list_offsets to parking_api;
--! EndIncluded building/reads.sql
--! Included building/rules/building_time_zone_is_known.sql
create or replace function private.enforce_time_zone()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = '23514',
    message = format('refused by rule "%s"', tg_name),
    constraint = tg_name,
    hint = case -- {until} in the message of the rule
      when new.time_zone in ('CET', 'MET') then 'Europe/Berlin, Europe/Paris or Europe/Rome'
      when new.time_zone = 'EET' then 'Europe/Athens, Europe/Helsinki or Europe/Kyiv'
      when new.time_zone = 'WET' then 'Europe/Lisbon or Atlantic/Canary'
      when new.time_zone in ('EST', 'EST5EDT') then 'America/New_York or America/Toronto'
      when new.time_zone = 'CST6CDT' then 'America/Chicago'
      when new.time_zone in ('MST', 'MST7MDT') then 'America/Denver or America/Phoenix'
      when new.time_zone = 'PST8PDT' then 'America/Los_Angeles'
      when new.time_zone = 'HST' then 'Pacific/Honolulu'
      else 'Europe/Berlin'
    end;
end;
$$;

-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_time_zone();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\n@de Das ist nicht der Name einer Zeitzone, wie Europe/Berlin.\ntime_zone must be the name of a time zone, such as {until}';
--! EndIncluded building/rules/building_time_zone_is_known.sql
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
--! Included building/policies.sql
/* Approved residents read the building; administrators change it. */
alter table parking.building enable row level security;

drop policy if exists select_all on parking.building;
create policy select_all on parking.building
  for select to parking_api
  using (true);

drop policy if exists update_as_administrator on parking.building;
create policy update_as_administrator on parking.building
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.building to parking_api;
-- No insert and no delete: there is one building.
--! EndIncluded building/policies.sql
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
--! Included spots/create_spot.sql
create or replace function api.create_spot(
    spot_number text,
    building_section text,
    notes text default null
)
  returns parking.spots
  language plpgsql
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
--! Included spots/effects.sql
-- The administrator verified the old number and section.
-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_verification
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section) is distinct from (old.spot_number, old.building_section)
  )
  execute function private.set_columns('{"is_verified": false}');

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
  perform private.notify(old.owner_id, 'spot.deleted', old);
  -- One for each resident, however many claims they had. Past claims stay, and need no notification.
  perform private.notify(c.claimer_id, 'spot.deleted', old)
     from (
       select distinct l.claimer_id
         from parking.claims l
        where l.spot_id = old.id
          and l.status <> 'cancelled'
          and l.end_time > clock_timestamp()
     ) c;
  perform private.notify(
    w.wisher_id, 'spot.deleted', old, start_time => w.start_time, end_time => w.end_time
  )
     from parking.wishes w
    where w.spot_id = old.id
      and w.claim_id is null
      and w.start_time > clock_timestamp();

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
  -- The past does not change: until now, the time was offered.
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

-- The last of them, so that every rule about the deletion of a spot has been asked: triggers run in the
-- order of their names.
create or replace trigger z_retire_spot
  before delete on parking.spots
  for each row
  execute function private.retire_spot();
--! EndIncluded spots/effects.sql
--! Included spots/reads.sql
create or replace function api.get_spot(id uuid)
  returns setof parking.spots
  language sql
  stable
  rows 1
as $$
  select s.*
    from parking.spots s
   where s.id = get_spot.id
     and s.retired_at is null
$$;

comment on function api.get_spot is
  'One spot';
grant execute on function api.get_spot to parking_api;

create or replace function api.list_spots()
  returns setof parking.spots
  language sql
  stable
as $$
  select s.*
    from parking.spots s
   where s.retired_at is null
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;

/* A foreign key finds a spot that is retired too: what locks the spot of a new row refuses that in its name. */
create or replace function private.require_spot(is_found boolean, rule text)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not require_spot.is_found then
    if private.caller_id() is not null then -- not where the owner of the database writes
      perform private.require_approved(); -- still, after all the waiting
    end if;
    perform private.refuse(require_spot.rule, '23503');
  end if;
end;
$$;

comment on function private.require_spot is
  'Fails under this rule, a foreign key, where there is no such spot or it is retired.';

create or replace function private.spots_of_section(building_section text)
  returns uuid[]
  language sql
  stable
return array(
  select s.id
    from parking.spots s
   where s.building_section = spots_of_section.building_section
);

comment on function private.spots_of_section is
  'The spots of a section that the caller sees.';
grant execute on function private.spots_of_section to parking_api;

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
--! EndIncluded spots/reads.sql
--! Included spots/remove_spot.sql
create or replace function api.remove_spot(
    id uuid,
    reason text,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform private.give_reason(remove_spot.reason);

  select d.message, d.deleted_spot_id
    into remove_spot.message, remove_spot.deleted_spot_id
    from api.delete_spot(remove_spot.id) d;
end;
$$;

comment on function api.remove_spot is
  'Remove a resident''s spot, with a reason that they read; what is over stays with those who claimed it';
grant execute on function api.remove_spot to parking_api;
--! EndIncluded spots/remove_spot.sql
--! Included spots/rules/spots_with_active_claims_stay.sql
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

create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\n@de Dieser Stellplatz ist reserviert. Er lässt sich entfernen, sobald diese Reservierungen vorbei sind.\nCannot delete a parking spot with active claims';
--! EndIncluded spots/rules/spots_with_active_claims_stay.sql
--! Included spots/update_spot.sql
create or replace function api.update_spot(
    id uuid,
    spot_number text default null,
    building_section text default null,
    notes text default null
)
  returns parking.spots
  language plpgsql
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
--! Included spots/verify_spot.sql
create or replace function api.verify_spot(id uuid, is_verified boolean default null)
  returns parking.spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_administrator();

  update parking.spots s
     set is_verified = coalesce(verify_spot.is_verified, s.is_verified)
   where s.id = verify_spot.id
  returning * into v_spot;

  if not found then
    perform private.refuse_unchanged('spots');
  end if;

  return v_spot;
end;
$$;

comment on function api.verify_spot is
  'Verify a spot, or take that back';
grant execute on function api.verify_spot to parking_api;
--! EndIncluded spots/verify_spot.sql
--! Included spots/policies.sql
/*
 * Approved residents see every spot and write their own; administrators verify and delete. Retired ones they
 * see too, for the claims and windows of the past name them; nobody changes these.
 */
alter table parking.spots enable row level security;

drop policy if exists select_all on parking.spots;
create policy select_all on parking.spots
  for select to parking_api
  using (true);

drop policy if exists insert_own on parking.spots;
create policy insert_own on parking.spots
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

drop policy if exists update_own on parking.spots;
create policy update_own on parking.spots
  for update to parking_api
  using (owner_id = (select private.caller_id()) and retired_at is null);

drop policy if exists update_as_administrator on parking.spots;
create policy update_as_administrator on parking.spots
  for update to parking_api
  using ((select private.is_administrator()) and retired_at is null);

drop policy if exists delete_as_administrator on parking.spots;
create policy delete_as_administrator on parking.spots
  for delete to parking_api
  using ((select private.reason()) is not null and retired_at is null);

grant select, delete on parking.spots to parking_api;
-- No insert of owner_id: it is the caller by default. No update of it: spots do not change hands.
grant insert (spot_number, building_section, notes) on parking.spots to parking_api;
grant update (spot_number, building_section, is_verified, notes) on parking.spots to parking_api;
--! EndIncluded spots/policies.sql
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
--! Included spot_access/table.sql
/*
 * How to get to a spot: a code, where the key is. Everybody reads the row of a spot, and so its events
 * and what webhooks send of it; this stands in a row of its own, which has no events.
 */
create table if not exists parking.spot_access (
  spot_id uuid,
  owner_id uuid not null default private.caller_id(),
  access_notes text,
  constraint spot_access_pkey primary key (spot_id)
);

comment on table parking.spot_access is
  E'@absent Access notes not found\nWhat the owner of a spot tells only those who have claimed it.';
comment on column parking.spot_access.spot_id is
  'The spot.';
comment on column parking.spot_access.owner_id is
  'The owner of the spot.';
comment on column parking.spot_access.access_notes is
  'How to get in, such as the code of the gate. The owner and administrators read it, and who has claimed the spot, until the claim ends.';

create index if not exists spot_access_spot_id_owner_id_idx on parking.spot_access (spot_id, owner_id);
create index if not exists spot_access_owner_id_idx on parking.spot_access (owner_id);
--! EndIncluded spot_access/table.sql
--! Included spot_access/reads.sql
create or replace function api.get_spot_access(id uuid)
  returns setof parking.spot_access
  language sql
  stable
  rows 1
as $$
  -- A person who may write notes finds an empty row where there are none.
  select s.id, s.owner_id, a.access_notes
    from parking.spots s
    left join parking.spot_access a on a.spot_id = s.id
   where s.id = get_spot_access.id
     and s.retired_at is null
     and (s.owner_id = (select private.caller_id()) or (select private.is_administrator()))
$$;

comment on function api.get_spot_access is
  'The access notes of your spot, or as an administrator of any; claimers find them among the contacts of their claim';
grant execute on function api.get_spot_access to parking_api;
--! EndIncluded spot_access/reads.sql
--! Included spot_access/update_spot_access.sql
create or replace function api.update_spot_access(id uuid, access_notes text default null)
  returns parking.spot_access
  language plpgsql
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
--! Included spot_access/policies.sql
/*
 * The owner and administrators read it here; the claimer reads it in parking.contacts, whose
 * conditions say for how long.
 */
alter table parking.spot_access enable row level security;

drop policy if exists select_own on parking.spot_access;
create policy select_own on parking.spot_access
  for select to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists select_as_administrator on parking.spot_access;
create policy select_as_administrator on parking.spot_access
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists insert_any on parking.spot_access;
create policy insert_any on parking.spot_access
  for insert to parking_api
  with check (true);

drop policy if exists update_own on parking.spot_access;
create policy update_own on parking.spot_access
  for update to parking_api
  using (owner_id = (select private.caller_id()));

grant select on parking.spot_access to parking_api;
grant insert (spot_id, owner_id, access_notes) on parking.spot_access to parking_api;
-- No update of spot_id and owner_id: spots do not change hands. No delete: null is as good.
grant update (access_notes) on parking.spot_access to parking_api;
--! EndIncluded spot_access/policies.sql
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
--! Included limits/view.sql
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
--! Included limits/reads.sql
create or replace function api.get_section(building_section text)
  returns setof parking.sections
  language sql
  stable
  rows 1
as $$
  select s.*
    from parking.sections s
   where s.building_section = get_section.building_section
$$;

comment on function api.get_section is
  'One section';
grant execute on function api.get_section to parking_api;

/* The one definition of each limit, for the rules of windows and claims. */
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

create or replace function api.list_sections()
  returns setof parking.sections
  language sql
  stable
as $$
  select s.*
    from parking.sections s
$$;

comment on function api.list_sections is
  'The sections of the building, each with its number of spots and its own limits';
grant execute on function api.list_sections to parking_api;
--! EndIncluded limits/reads.sql
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
/* Copies the comment of each column of a table, and whether it can be null, to the view: from the building before the limits. */
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
  E'@de Die kürzeste Reservierung darf nicht länger als die längste sein.\nshortest_claim_minutes must not be more than longest_claim_minutes';
--! EndIncluded limits/rules/limits_shortest_claim_within_longest.sql
--! Included patterns/table.sql
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
  withdrawn tstzmultirange not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint patterns_pkey primary key (id),
  -- Windows refer to it: same spot. It begins with the spot, whose deletion looks here.
  constraint patterns_spot_id_id_key unique (spot_id, id)
);

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
-- Functions note what is published and withdrawn.
--! EndIncluded patterns/table.sql
--! Included availabilities/table.sql
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
--! EndIncluded availabilities/table.sql
--! Included claims/table.sql
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
  ) stored;

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

-- For the search at the gate. Most claims name no vehicle.
create index if not exists claims_plate_idx
  on parking.claims (private.plate(vehicle))
  where vehicle is not null;

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
--! EndIncluded claims/table.sql
--! Included claims/cancel_claim.sql
create or replace function api.cancel_claim(id uuid, status text, reason text)
  returns parking.claims
  language plpgsql
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
    perform private.refuse_unchanged('claims');
  end if;

  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read';
grant execute on function api.cancel_claim to parking_api;
--! EndIncluded claims/cancel_claim.sql
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
--! Included claims/delete_claim.sql
create or replace function api.delete_claim(
    id uuid,
    out message text,
    out deleted_claim_id uuid
)
  language plpgsql
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
--! Included claims/effects.sql
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
    if tg_op <> 'INSERT' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    if tg_op <> 'DELETE' then
      perform private.add_person_count(new.claimer_id, new.status, 1);
    end if;
  end if;

  -- Mostly a claim takes a whole window, or gives it back: then nothing of it was, or is, another's.
  if new.holds is null or old.holds is null then
    update parking.availabilities a
       set is_claimed = new.holds is not null,
           free_since = case when new.holds is null then clock_timestamp() else a.free_since end
     where a.id = coalesce(new.holds, old.holds)
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
                where a.id in (new.holds, old.holds) -- the owner of the database may move it
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
  -- For a new claim, old is null; for a deleted one, new.
  perform private.add_day_counts(
    v_change.start_time,
    v_change.end_time,
    windows => coalesce(v_change.windows_more, 0),
    claimed => coalesce(v_change.claimed_more, 0),
    claim_start => coalesce(new.start_time, old.start_time),
    claim_end => coalesce(new.end_time, old.end_time),
    active => coalesce((new.status = 'active')::integer, 0) - coalesce((old.status = 'active')::integer, 0),
    completed => coalesce((new.status = 'completed')::integer, 0) - coalesce((old.status = 'completed')::integer, 0),
    cancelled => coalesce((new.status = 'cancelled')::integer, 0) - coalesce((old.status = 'cancelled')::integer, 0)
  );

  return null;
end;
$$;

create or replace trigger mark_availability
  after insert or update or delete on parking.claims
  for each row
  execute function private.mark_availability();

/*
 * Sets what a claim takes of its window: the time of the claim where the rest stays on offer, and otherwise all
 * free time that is connected with it. A claim that keeps its time or gives some back may always do so.
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
    if old.status <> 'cancelled' then
      new.cancelled_by := private.caller_id(); -- the event log is pruned, and reports ask years later
    end if;
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
  -- If it is not free, claims_one_per_availability refuses it.
  new.takes := coalesce((select f from unnest(v_free) f where f @> v_span), v_span);
  return new;
end;
$$;

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger take_time
  before insert or delete or update of availability_id, status, start_time, end_time on parking.claims
  for each row
  execute function private.take_time();
--! EndIncluded claims/effects.sql
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
--! EndIncluded claims/enforce_claim_limit.sql
--! Included claims/reads.sql
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

/* For the dashboard, which would otherwise count ten years of claims. */
create or replace function private.claims_made(status text default null)
  returns bigint
  language sql
  stable
  security definer -- reads counts past the policies, only those of the caller
  set search_path = ''
return (
  select coalesce(sum(c.number), 0)
    from private.person_counts c
   where c.person_id = (select private.caller_id())
     and c.counted = coalesce(claims_made.status, c.counted)
     and (select private.is_approved())
);

comment on function private.claims_made is
  'How many claims the caller has made, all or those of one status. From counts; exact.';
grant execute on function private.claims_made to parking_api;

/* For the list of claims: under row-level security no index finds what a function makes of a column. */
create or replace function private.claims_of_vehicle(vehicle text)
  returns uuid[]
  language sql
  stable
  security definer -- reads past the policies what they show: own claims, those on own spots, all for administrators
  set search_path = ''
return array(
  select c.id
    from parking.claims c
   where c.vehicle is not null
     and private.plate(c.vehicle) = private.plate(claims_of_vehicle.vehicle)
     and (select private.is_approved())
     and (
       c.claimer_id = (select private.caller_id())
       or c.owner_id = (select private.caller_id())
       or (select private.is_administrator())
     )
);

comment on function private.claims_of_vehicle is
  'The claims for a vehicle that the caller sees, however its plate is written.';
grant execute on function private.claims_of_vehicle to parking_api;

/*
 * The same as private.open_since, for administrators, who see all claims. Other residents have few claims and an
 * index of their own, and must not learn about the claims of neighbours.
 */
create or replace function private.claims_open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return case
  when private.is_administrator() then least(
    claims_open_since.moment - interval '24 hours',
    (
      select min(o.start_time)
        from (
          select c.start_time
            from parking.claims c
           where tstzrange(c.start_time, c.end_time) @> claims_open_since.moment
             and c.end_time - c.start_time >= interval '1 day' -- as in the index
          offset 0 -- else PostgreSQL reads all claims by start until it finds one that is open
        ) o
    )
  )
  else '-infinity'
end;

comment on function private.claims_open_since is
  'For administrators: no claim that ends after the moment and has begun starts before this. For others it says nothing.';
grant execute on function private.claims_open_since to parking_api;

/* Administrators see every claim: theirs are summed from counts of days. Others have few, which an index alone answers. */
create or replace function private.total_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- counts past the policies what they show: they would be asked again for each of the two counts
  set search_path = ''
as $$
declare
  v_active constant integer := (coalesce(total_claims.status, 'active') = 'active')::integer;
  v_completed constant integer := (coalesce(total_claims.status, 'completed') = 'completed')::integer;
  v_cancelled constant integer := (coalesce(total_claims.status, 'cancelled') = 'cancelled')::integer;
  v_start_midnight constant timestamptz := date_trunc('day', total_claims.start_date, 'UTC');
  v_end_midnight constant timestamptz := date_trunc('day', total_claims.end_date, 'UTC');
  v_caller_id constant uuid := private.caller_id();
  v_total bigint;
begin
  if not private.is_approved() or total_claims.start_date >= total_claims.end_date then
    return 0;
  end if;

  -- Nobody claims their own spot, so each claim is in one of the two: an index has all of each.
  if not private.is_administrator() then
    return (
      select count(*)
        from parking.claims c
       where c.claimer_id = v_caller_id
         and c.status = coalesce(total_claims.status, c.status)
         and c.start_time >= coalesce(total_claims.start_date, '-infinity')
         and c.start_time < coalesce(total_claims.end_date, 'infinity')
         and c.end_time < coalesce(total_claims.end_date, 'infinity')
    ) + (
      select count(*)
        from parking.claims c
       where c.owner_id = v_caller_id
         and c.status = coalesce(total_claims.status, c.status)
         and c.start_time >= coalesce(total_claims.start_date, '-infinity')
         and c.start_time < coalesce(total_claims.end_date, 'infinity')
         and c.end_time < coalesce(total_claims.end_date, 'infinity')
    );
  end if;

  if total_claims.end_date - total_claims.start_date < interval '1 day' then
    return (
      select count(*)
        from parking.claims c
       where c.start_time >= total_claims.start_date
         and c.start_time < total_claims.end_date
         and c.end_time < total_claims.end_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  -- See private.total_availabilities.
  select coalesce(sum(
           v_active * c.active_ended + v_completed * c.completed_ended + v_cancelled * c.cancelled_ended
         ) filter (where v_end_midnight is null or c.day < private.utc_day(v_end_midnight)), 0)
       - coalesce(sum(
           v_active * c.active_started + v_completed * c.completed_started + v_cancelled * c.cancelled_started
         ) filter (where c.day < private.utc_day(v_start_midnight)), 0)
    into v_total
    from private.day_counts c;

  if v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.claims c
       where c.end_time >= v_end_midnight
         and c.end_time < total_claims.end_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  if v_start_midnight is not null then
    v_total := v_total - (
      select count(*)
        from parking.claims c
       where c.start_time >= v_start_midnight
         and c.start_time < total_claims.start_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  if v_start_midnight is not null and v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.claims c
       where tstzrange(c.start_time, c.end_time)
               @> tstzrange(total_claims.start_date, total_claims.end_date)
         and c.end_time - c.start_time >= interval '1 day' -- as in the index
         and c.start_time < total_claims.start_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_claims is
  'How many claims the caller sees, with these filters of GET /claims; exact.';
grant execute on function private.total_claims to parking_api;

create or replace function api.count_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
return private.total_claims(count_claims.status, count_claims.start_date, count_claims.end_date);

comment on function api.count_claims is
  'How many claims you made and how many are on your spots (administrators: all); exact, and as fast with millions of them';
grant execute on function api.count_claims to parking_api;

create or replace function api.get_claim(id uuid)
  returns setof parking.claims
  language sql
  stable
  rows 1
as $$
  select c.*
    from parking.claims c
   where c.id = get_claim.id
$$;

comment on function api.get_claim is
  'One claim, for its parties and administrators';
grant execute on function api.get_claim to parking_api;

/*
 * A claim is in one of three parts: an index has each of them in the order of the list, and none has
 * all, because the policy has a branch for administrators, which says nothing about the row. With
 * 200,000 claims a page takes a resident 50 ms from all, and 1 ms from the parts.
 */
create or replace function api.list_claims(part text default null)
  returns setof parking.claims
  language sql
  stable
as $$
  select c.*
    from parking.claims c
   where case list_claims.part
           when 'made' then
             c.claimer_id = (select private.caller_id())
           when 'received' then
             c.owner_id = (select private.caller_id())
             and c.claimer_id <> (select private.caller_id())
           when 'of others' then
             (select private.is_administrator())
             and c.owner_id <> (select private.caller_id())
             and c.claimer_id <> (select private.caller_id())
           else list_claims.part is null
         end
$$;

comment on function api.list_claims is
  'The claims you made and those on your spots (administrators: all), latest start first';
grant execute on function api.list_claims to parking_api;
--! EndIncluded claims/reads.sql
--! Included claims/rules/claims_closed_stay_closed.sql
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
    and exists (select from api.get_spot(old.spot_id)) -- nobody can claim the window of a retired one
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

create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_closed();

comment on trigger claims_closed_stay_closed on parking.claims is
  E'@de Diese Reservierung ist schon beendet oder storniert.\nCannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
--! Included claims/rules/claims_described_by_claimer.sql
/* Not in the trigger's condition, which each statement would plan anew. */
create or replace function private.enforce_own_description()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.claimer_id is distinct from private.caller_id() then
    perform private.refuse(tg_name, '42501');
  end if;
  return new;
end;
$$;

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
--! Included claims/rules/claims_kept_after_cutoff.sql
/*
 * The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. Until then,
 * and for some minutes after it was made, it can be taken back, also when it has begun: who claims by
 * mistake a time that begins now would have no other moment for it.
 */
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
    -- A claim that was moved is as old as it was: moving it again and again would never bind.
    or clock_timestamp() <= old.created_at + make_interval(mins => (private.building()).grace_minutes)
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

create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (old.status = 'active')
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\n@de Es ist zu spät, diese Reservierung zu stornieren oder zu verschieben.\nIt is too late to cancel or move this claim';
--! EndIncluded claims/rules/claims_kept_after_cutoff.sql
--! Included claims/rules/claims_no_more_than_allowed.sql
/* A section with its own most_active_claims counts by itself; all others count together. */
create or replace function private.enforce_most_claims()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
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

  perform private.take_turn(tg_name, new.claimer_id);

  -- First all of them, by an index alone.
  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > v_most
    and (
      with counted_alone as materialized (
        select s.id, s.building_section
          from parking.limits l
          join parking.spots s on s.building_section = l.building_section
         where l.most_active_claims is not null
      )
      select count(*)
        from parking.claims c
        left join counted_alone a on a.id = c.spot_id
       where c.claimer_id = new.claimer_id
         and c.status <> 'cancelled'
         and c.end_time > clock_timestamp()
         and a.building_section is not distinct from (
           select o.building_section from counted_alone o where o.id = new.spot_id
         )
    ) > v_most
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\n@de Sie haben so viele Reservierungen, wie eine Person haben darf. Erst muss eine enden oder storniert werden.\nYou have as many claims that have not ended as the building allows';
--! EndIncluded claims/rules/claims_no_more_than_allowed.sql
--! Included claims/rules/claims_of_an_approved_owner.sql
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

create or replace trigger claims_of_an_approved_owner
  before insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  E'@de Das Konto der Person, der der Stellplatz gehört, ist zurzeit nicht freigegeben. Darum lässt er sich nicht reservieren.\nThe owner of this parking spot is not approved';
--! EndIncluded claims/rules/claims_of_an_approved_owner.sql
--! Included claims/rules/claims_wait_for_offers.sql
/*
 * The turn belongs to the first person in line who can still take the time. A time that became free just now is kept
 * for the first who will be told of it (private.tell_waiting), for as long as one turn.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
  set plan_cache_mode = force_generic_plan -- to plan these small queries for each claim would double its cost
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
  if v_each is null or not exists (
    select
      from parking.wishes w
     where w.claim_id is null
       and w.start_time > v_now
       and w.start_time < upper(new.takes)
  ) then
    return null;
  end if;

  v_taken := tstzmultirange(new.takes);
  if tg_op = 'UPDATE' then
    v_taken := v_taken - tstzmultirange(old.takes); -- what it has already, it takes from nobody
  end if;
  select a.* into v_window from parking.availabilities a where a.id = new.availability_id;

  -- One statement, because two would both miss a person who is notified between them.
  select h.wisher_id, h.until
    into v_holder_id, v_until
    from (
      select w.wisher_id, w.offered_until as until, false as is_next, w.created_at, w.id
        from private.fitting_wishes(v_window) w
        join parking.profiles p on p.id = w.wisher_id and p.is_approved
       where w.availability_id = v_window.id
         and w.offered_until > v_now
         and v_taken && tstzrange(w.start_time, w.end_time)
      union all
      select w.wisher_id, v_window.free_since + v_each, true, w.created_at, w.id
        from private.waiting_for(v_window) w
       where v_window.free_since + v_each > v_now
         and v_taken && tstzrange(w.start_time, w.end_time)
    ) h
   order by h.is_next, h.until, h.created_at, h.id
   limit 1;

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

-- After the claim, not before: it may have waited for the transaction that offers its window.
create or replace trigger claims_wait_for_offers
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_offers();

comment on trigger claims_wait_for_offers on parking.claims is
  E'@status 409\n@de Bis {until} ist der Stellplatz jemandem vorbehalten, der darauf gewartet hat.\nUntil {until} this is offered to somebody who waited for it';
--! EndIncluded claims/rules/claims_wait_for_offers.sql
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
--! Included claims/policies.sql
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
-- No insert of claimer_id: it is the caller by default. No insert of status: a claim begins active.
grant insert (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle)
  on parking.claims to parking_api;
grant update (status, start_time, end_time, guest, vehicle) on parking.claims to parking_api;
--! EndIncluded claims/policies.sql
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
--! Included claims/rules/claims_guest_is_one_line.sql
alter table parking.claims
  drop constraint if exists claims_guest_is_one_line,
  add constraint claims_guest_is_one_line
    check (private.is_one_line(guest, 1, 200));

comment on constraint claims_guest_is_one_line on parking.claims is
  E'@field guest\n@de Der Name des Gastes hat 1 bis 200 Zeichen in einer Zeile.\nguest must be 1 to 200 characters on one line';
--! EndIncluded claims/rules/claims_guest_is_one_line.sql
--! Included claims/rules/claims_no_longer_than_allowed.sql
create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('longest_claim_minutes');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist länger, als hier erlaubt ist.\nThe claim is longer than the building allows';
--! EndIncluded claims/rules/claims_no_longer_than_allowed.sql
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
--! Included claims/rules/claims_one_per_availability.sql
-- The times that two claims take of a window never overlap: the whole window, or only their own times where the rest stays on offer.
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
--! Included claims/rules/claims_with_notice.sql
create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('claim_notice_minutes');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\n@de Die Reservierung beginnt früher, als hier erlaubt ist.\nThe claim starts sooner than the building allows';
--! EndIncluded claims/rules/claims_with_notice.sql
--! Included claims/rules/claims_within_availability.sql
alter table parking.claims
  drop constraint if exists claims_within_availability,
  add constraint claims_within_availability
    foreign key (availability_id, period held)
    references parking.availabilities (id, period during);

comment on constraint claims_within_availability on parking.claims is
  E'@status 400\n@de Der Stellplatz ist nicht die ganze Zeit geteilt.\nClaim times must be within the availability window';
--! EndIncluded claims/rules/claims_within_availability.sql
--! Included claims/rules/claims_within_horizon.sql
create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('horizon_days');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\n@de So weit im Voraus darf nicht reserviert werden.\nThe claim ends further ahead than the building allows';
--! EndIncluded claims/rules/claims_within_horizon.sql
--! Included exceptions/table.sql
create table if not exists parking.exceptions (
  id uuid default uuidv7(),
  owner_id uuid not null default private.caller_id(),
  spot_id uuid,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  kind text not null,
  withdrawn tstzmultirange not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint exceptions_pkey primary key (id)
);

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
  'For the kind share: times that were withdrawn or moved by hand, and are not published again.';
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
--! Included free_time/effects.sql
/* It changes only plans of the same owner, because an inserted window may name any source. */
create or replace function private.leave_out("window" parking.availabilities)
  returns void
  language plpgsql
  security definer -- an administrator may not write the plans of others
  set search_path = ''
as $$
begin
  perform private.require_trigger();
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
  perform private.take_turn('plans', new.owner_id); -- see private.lock_own_spots
  v_offered := v_window - private.kept_times(new.spot_id, new.end_time);
  if v_offered <> v_window then
    new.offered := v_offered;
    new.free := private.spans(v_offered);
  end if;
  return new;
end;
$$;

-- After private.lock_spot: triggers run in the order of their names.
create or replace trigger offer_unkept
  before insert on parking.availabilities
  for each row
  when (new.start_time < new.end_time and pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.offer_unkept();

/* What a claim frees may no longer be on offer, or in another window. */
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
    v_windows := array[old.holds];
  end if;
  perform private.reconcile(f.spot_id)
     from private.freed_by_claims(v_windows) f (spot_id);
  return null;
end;
$$;

-- Triggers run in the order of their names: these after those that set what is free.
create or replace trigger reconcile_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (old.held is not null and (new.held @> old.held) is not true)
  execute function private.reconcile_freed();

create or replace trigger reconcile_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement -- once for each spot, however many of its claims are deleted
  execute function private.reconcile_freed();

/* Every change of a pattern or an exception sets anew what is on offer, also a change by direct SQL. */
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

/* A window that is moved by hand is one by hand from then on. */
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

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger take_over
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.take_over();

/*
 * A source does not publish a time again after its owner, or an administrator with a reason, has withdrawn or moved
 * the window. Another source may still share that time.
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
--! EndIncluded free_time/effects.sql
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
--! EndIncluded free_time/enforce_few_changed_windows.sql
--! Included free_time/reads.sql
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

/* Windows start in the future, and on full minutes. */
create or replace function private.next_minute()
  returns timestamptz
  language sql
return date_trunc('minute', clock_timestamp() + interval '90 seconds');

comment on function private.next_minute is
  'The first full minute that is at least half a minute away.';
grant execute on function private.next_minute to parking_api;

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

/*
 * The times that the owner wants to offer: absences come first, then patterns. Each day of a pattern is a span of
 * its own, even if the next day begins at its end.
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
--! EndIncluded free_time/reads.sql
--! Included free_time/reconcile.sql
/* A caller whose snapshot is older than another change of the plans fails, and tries again: see private.take_turn. */
create or replace function private.lock_spot_to_reconcile(spot_id uuid)
  returns parking.spots
  language plpgsql
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

/*
 * Windows by hand, with a live claim, or that have begun stay. The rest of what the sources share is published
 * in windows of its own. It writes only the difference: run twice, it changes nothing.
 *
 * It acts as the owner of the spot. What a rule refuses is not published, and what was on offer stays.
 */
create or replace function private.reconcile(spot_id uuid)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot constant parking.spots := private.lock_spot_to_reconcile(reconcile.spot_id);
  v_caller constant text := current_setting('request.jwt.claims', true);
  v_reason constant text := current_setting('request.reason', true);
  v_begun constant timestamptz := private.next_minute();
  v_building constant parking.building := private.building();
  v_limits constant parking.limits := private.limits_of(reconcile.spot_id);
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
    perform private.note_published(v_spot.id, v_building, v_limits);
  end if;

  perform private.set_offered(v_spot.id);
  perform set_config('request.jwt.claims', v_caller, true),
          set_config('request.reason', v_reason, true);
end;
$$;

comment on function private.reconcile is
  'Makes the windows of a spot what its owner''s patterns and exceptions say, beside those by hand and those that are claimed.';
grant execute on function private.reconcile to parking_api;

/* Only a trigger knows what a person did by hand and what follows from it. */
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

/*
 * The one place that computes the free part of a window. It reads the rows, so it needs no record of earlier
 * changes. The caller has locked the window, or its spot.
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

/*
 * A window that its owner published by hand is offered but for the times that the owner keeps. A window of a
 * source is offered as far as the sources still share its time. The past does not change, and what is claimed
 * counts as offered.
 */
create or replace function private.set_offered(spot_id uuid)
  returns void
  language plpgsql
  security definer -- people do not write what follows from the rows; it sets the same for every caller
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
--! EndIncluded free_time/reconcile.sql
--! Included contacts/view.sql
/* The owner of a claimed spot and its claimer see whom they share it with. Nobody else does. */
-- The view reads profiles as its owner, because the policies show residents only their own: its
-- conditions are the policy. With security_barrier no function of a query sees a row before them.
create or replace view parking.contacts
  with (security_barrier)
as
  select c.id as claim_id,
         case p.id when c.owner_id then 'owner' else 'claimer' end as role,
         p.full_name,
         p.apartment_number,
         case when p.shares_phone_number then p.phone_number end as phone_number,
         a.access_notes
    from parking.claims c
    join parking.profiles p on p.id in (c.owner_id, c.claimer_id)
    -- For the claimer, whom the owner lets in until the claim ends.
    left join parking.spot_access a
      on a.spot_id = c.spot_id
     and p.id = c.owner_id
     and c.status = 'active'
     and c.end_time > now()
   where (select private.caller_id()) in (c.owner_id, c.claimer_id)
     and p.id <> (select private.caller_id())
     and c.status <> 'cancelled' -- there is nothing to agree on any more
     and (select private.is_approved());

comment on view parking.contacts is
  E'@absent Contact not found\nThe other person of a claim that is not cancelled: on a spot of the caller, or by the caller.';
comment on column parking.contacts.claim_id is
  'The claim.';
comment on column parking.contacts.role is
  'What the person is to the claim: the owner of the spot, or the claimer.';
comment on column parking.contacts.full_name is
  'The person''s name, if they gave it.';
comment on column parking.contacts.apartment_number is
  'The person''s apartment.';
comment on column parking.contacts.phone_number is
  'The person''s phone number, if they gave one and share it.';
comment on column parking.contacts.access_notes is
  'How to get to the spot, for the claimer until the claim ends, if the owner said it.';
grant select on parking.contacts to parking_api;
--! EndIncluded contacts/view.sql
--! Included contacts/reads.sql
create or replace function api.get_claim_contacts(id uuid)
  returns setof parking.contacts
  language sql
  stable
  rows 1
as $$
  select c.*
    from parking.contacts c
   where c.claim_id = get_claim_contacts.id
$$;

comment on function api.get_claim_contacts is
  'The other person of a claim that is not cancelled: the owner for the claimer, the claimer for the owner';
grant execute on function api.get_claim_contacts to parking_api;
--! EndIncluded contacts/reads.sql
--! Included notifications/table.sql
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
-- For private.erase_person: few notifications repeat what somebody wrote, or say that a spot is free. Those of the
-- first release, without data, may do so.
create index if not exists notifications_of_texts_idx
  on parking.notifications (spot_id)
  where data is null or data ?| '{reason, vehicle}' or kind = 'wish.fits';

create or replace trigger touch
  before update on parking.notifications
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded notifications/table.sql
--! Included notifications/effects.sql
/* Every notification is written here. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    spot parking.spots default null,
    availability_id uuid default null,
    claim_id uuid default null,
    start_time timestamptz default null,
    end_time timestamptz default null,
    more jsonb default '{}'
)
  returns void
  language plpgsql
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
    ) || notify.more,
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

/* Notifies a person of what an administrator decided about their account, or about their spot. */
create or replace function private.notify_of_decision()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of another on behalf of the administrator
  set search_path = ''
as $$
begin
  if tg_table_name = 'spots' then
    perform private.notify(new.owner_id, tg_argv[0], new);
  else
    perform private.notify(new.id, tg_argv[0]);
  end if;
  return null;
end;
$$;

create or replace trigger notify_of_approval
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.notify_of_decision('profile.approved');

-- They get it by mail: notifications are for who is approved.
create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.notify_of_decision('profile.rejected');

create or replace trigger notify_of_verification
  after update of is_verified on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.notify_of_decision('spot.verified');

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

create or replace trigger notify_of_deletion
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.notify_of_availability_deletion();

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

/*
 * Notifies the administrators that somebody waits for approval. However many register, an administrator has
 * one such notification to read: while it is unread it counts, and is no event and no mail again.
 */
create or replace function private.notify_of_waiting()
  returns trigger
  language plpgsql
  security definer -- writes to the administrators' notifications on behalf of who registers
  set search_path = ''
as $$
declare
  v_count bigint;
  v_administrator_id uuid;
begin
  -- Whom groups or an invitation approved wait for nothing.
  if not exists (select from private.waiting_people w where w.id = new.id) then
    return null;
  end if;

  -- One after the other, each with the notification of the one before. Not by administrators_lock: who
  -- approves this person has it, and waits for the profile.
  perform private.take_turn('profiles.waiting');
  v_count := (select count(*) from private.waiting_people);

  for v_administrator_id in
    select p.id
      from parking.profiles p
     where p.is_admin
       and p.is_approved
     order by p.id
  loop
    update parking.notifications n
       set data = jsonb_build_object('count', v_count)
     where n.recipient_id = v_administrator_id
       and n.kind = 'profiles.waiting'
       and not n.is_read;

    if not found then
      perform private.notify(
        v_administrator_id, 'profiles.waiting', more => jsonb_build_object('count', v_count)
      );
    end if;
  end loop;
  return null;
end;
$$;

-- Deferred, so that groups and invitations have approved by then.
drop trigger if exists notify_of_waiting on parking.profiles;
create constraint trigger notify_of_waiting
  after insert on parking.profiles
  deferrable initially deferred
  for each row
  when (not new.is_approved)
  execute function private.notify_of_waiting();

-- A person who was rejected and asks again.
drop trigger if exists notify_of_waiting_again on parking.profiles;
create constraint trigger notify_of_waiting_again
  after update on parking.profiles
  deferrable initially deferred
  for each row
  when (old.rejection_reason is not null and new.rejection_reason is null and not new.is_approved)
  execute function private.notify_of_waiting();
--! EndIncluded notifications/effects.sql
--! Included notifications/mark_notifications.sql
create or replace function api.mark_notifications(is_read boolean)
  returns table (marked integer)
  language plpgsql
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
--! Included notifications/reads.sql
create or replace function api.get_notification(id uuid)
  returns setof parking.notifications
  language sql
  stable
  rows 1
as $$
  select n.*
    from parking.notifications n
   where n.id = get_notification.id
$$;

comment on function api.get_notification is
  'One of your notifications';
grant execute on function api.get_notification to parking_api;

create or replace function api.list_notifications()
  returns setof parking.notifications
  language sql
  stable
as $$
  select n.*
    from parking.notifications n
$$;

comment on function api.list_notifications is
  'Messages to you, newest first';
grant execute on function api.list_notifications to parking_api;

/* The facts in the sentences of private.notification_message, for clients with sentences of their own. */
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

/* Times as people read them in a notification. */
create or replace function private.readable_span(start_time timestamptz, end_time timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_time_zone constant text := (private.building()).time_zone;
begin
  return format(
    'from %s to %s %s',
    to_char(start_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    to_char(end_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    v_time_zone
  );
end;
$$;

comment on function private.readable_span is
  'From when to when, to the minute, in the time zone of the building, which it names.';
--! EndIncluded notifications/reads.sql
--! Included notifications/update_notification.sql
create or replace function api.update_notification(id uuid, is_read boolean default null)
  returns parking.notifications
  language plpgsql
  set search_path = ''
as $$
declare
  v_notification parking.notifications;
begin
  perform private.require_approved();

  if update_notification.is_read is not null then
    update parking.notifications n
       set is_read = update_notification.is_read
     where n.id = update_notification.id
    returning * into v_notification;
  else
    select n.* into v_notification
      from parking.notifications n
     where n.id = update_notification.id;
  end if;

  if not found then
    perform private.refuse_absent('notifications');
  end if;

  return v_notification;
end;
$$;

comment on function api.update_notification is
  'Mark one of your notifications read or unread';
grant execute on function api.update_notification to parking_api;
--! EndIncluded notifications/update_notification.sql
--! Included notifications/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.notifications;
create policy approved_account_required on parking.notifications
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.notifications is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded notifications/rules/approved_account_required.sql
--! Included notifications/rules/notifications_kind_is_known.sql
alter table parking.notifications
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (private.is_notification_kind(kind));

comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
--! EndIncluded notifications/rules/notifications_kind_is_known.sql
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
comment on column private.jobs.pause is
  'How long before run_at that was set. A job that is further ahead than this was put off by a clock that ran ahead, and is due.';
comment on index private.jobs_given_up_idx is
  'Counts what was given up.';
comment on index private.jobs_open_idx is
  'Finds what is due in a lane.';
comment on index private.jobs_ended_at_idx is
  'Finds what ended long ago, to delete it.';
comment on index private.jobs_of_recipient_idx is
  'Counts the mails to a person.';

alter table private.jobs enable row level security;
-- No policy and no grant: the service reaches it through functions, as nobody in particular.
--! EndIncluded jobs/table.sql
--! Included jobs/prune.sql
/*
 * Forgets what the building keeps no longer, at most so many rows of each table, so that nobody waits for
 * it. What happened to people and spots stays: it is little, and reports and erasures read it.
 */
create or replace function private.prune(most integer default 10000)
  returns integer
  language plpgsql
  security definer -- the API role deletes none of it
  set search_path = ''
as $$
declare
  c_far constant interval := interval '7 days';
  v_building constant parking.building := private.building();
  v_table text;
  v_column text;
  v_days integer;
  v_rows integer;
  v_pruned integer := 0; -- of the table with the most
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

  -- Without a process that sends mails nothing is kept for it. Three days are more than an outage lasts.
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

  for v_table, v_column, v_days in
    values ('private.jobs', 'ended_at', v_building.job_days),
           ('parking.notifications', 'created_at', v_building.notification_days),
           ('parking.spot_reports', 'created_at', v_building.notification_days),
           -- api.unmet_wishes reports as far back as the log goes.
           ('parking.wishes', 'end_time', v_building.event_days)
  loop
    execute format(
      $query$
        delete from %1$s t
         where t.id = any (array(
           select o.id
             from %1$s o
            where o.%2$I < now() - make_interval(days => $1)
            limit $2
              for update skip locked
         ))
      $query$,
      v_table, v_column
    ) using v_days, prune.most;
    get diagnostics v_rows = row_count;
    v_pruned := greatest(v_pruned, v_rows);
  end loop;

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
  select count(*), max(p.position) into v_rows, v_kept_after
    from pruned p;
  perform set_config('parking.pruning', 'off', true);

  update private.last_position l
     set kept_after = v_kept_after
   where l.kept_after < v_kept_after;

  return greatest(v_pruned, v_rows);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, notifications, reports of cars, wishes and events, and returns how many of the table with the most: as many as asked for where there may be more. Deletes nothing, and returns null, where nothing happened in the week before: the clock may run ahead.';
grant execute on function private.prune to parking_api;

/*
 * The planner's statistics hold values of the tables, also of what was erased since. Table by table, each in
 * a statement of its own, so that none takes long.
 */
create or replace function private.renew_statistics(number integer)
  returns boolean
  language plpgsql
  security definer -- only the owner of a table may
  set search_path = ''
as $$
declare
  v_table regclass;
begin
  perform private.require_service();

  select c.oid into v_table
    from pg_catalog.pg_class c
   where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
     and c.relkind = 'r'
   order by c.oid
  offset renew_statistics.number - 1
   limit 1;

  if v_table is null then
    return false;
  end if;

  execute format('analyze %s', v_table);
  return true;
end;
$$;

comment on function private.renew_statistics is
  'Makes the statistics of one table anew, the first, the second and so on; false where there are no more. They keep nothing of what was erased then.';
grant execute on function private.renew_statistics to parking_api;
--! EndIncluded jobs/prune.sql
--! Included jobs/queue.sql
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
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  insert into private.jobs (kind, lane, key, event_id, data, run_at, pause)
  values (
    add_job.kind, coalesce(add_job.lane, add_job.kind), add_job.key, add_job.event_id,
    add_job.data, add_job.run_at, add_job.run_at - clock_timestamp()
  )
  on conflict on constraint jobs_kind_key_key do nothing;
end;

comment on function private.add_job is
  'Adds a job, unless there is or was one of this kind with this key.';

/* It looks at each lane by the index, and in it at jobs until one is due. */
create or replace function private.due_lanes()
  returns text[]
  language plpgsql
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
          and private.is_due(j.run_at, j.pause)
     )
  );
end;
$$;

comment on function private.due_lanes is
  'The lanes in which a job is due.';
grant execute on function private.due_lanes to parking_api;

/* A process that took too long ends nothing: another process has taken the job meanwhile. */
create or replace function private.end_job(
    id uuid,
    attempts integer,
    failure text default null,
    run_at timestamptz default null
)
  returns void
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  update private.jobs j
     set failure = left(end_job.failure, 500),
         taken_until = null,
         run_at = coalesce(end_job.run_at, j.run_at),
         pause = end_job.run_at - clock_timestamp(),
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

/* A process that stops gives back what it has not ended: that is no failure. */
create or replace function private.give_back_job(id uuid, attempts integer)
  returns void
  language plpgsql
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

/*
 * A clock is set back by a moment all the time, and a job must not be taken twice for that. The time of a job was
 * rounded to milliseconds when it was stored, and so is now: a new job is due at once.
 */
create or replace function private.is_due(run_at timestamptz, pause interval)
  returns boolean
  language sql
return is_due.run_at <= clock_timestamp()::timestamptz(3)
  or coalesce(is_due.run_at > clock_timestamp() + is_due.pause + interval '1 minute', false);

comment on function private.is_due is
  'Whether a job is due: at its time, or where it is further ahead than it was put off, by a clock that ran ahead.';

/* For the metrics, at each scrape. */
create or replace function private.job_counts()
  returns table (kind text, waiting integer, failing integer, given_up integer, oldest_seconds float8)
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  -- One look at the index for each kind, however many jobs have ended.
  with recursive kinds (kind) as (
    select min(j.kind)
      from private.jobs j
    union all
    select (select min(j.kind) from private.jobs j where j.kind > k.kind)
      from kinds k
     where k.kind is not null
  ),
  open as (
    select j.kind,
           count(*) filter (where private.is_due(j.run_at, j.pause)) as waiting,
           count(*) filter (where j.failures > 0) as failing,
           greatest(extract(epoch from clock_timestamp() - min(j.run_at)), 0) as oldest_seconds
      from private.jobs j
     where j.ended_at is null
     group by j.kind
  )
  select k.kind,
         coalesce(o.waiting, 0)::integer,
         coalesce(o.failing, 0)::integer,
         (
           select count(*)
             from private.jobs j
            where j.kind = k.kind
              and j.ended_at is not null
              and j.failure is not null
         )::integer,
         coalesce(o.oldest_seconds, 0)::float8
    from kinds k
    left join open o on o.kind = k.kind
   where k.kind is not null
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

/* The service does some work for nobody in particular. Only then does the API role ask without a caller. */
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

/* A job that is taken is due again when its time is over, for the process that took it may be gone. */
create or replace function private.take_jobs(lane text, most integer, lease interval)
  returns table (
    id uuid,
    kind text,
    key text,
    event_id uuid,
    data jsonb,
    attempts integer,
    failures integer,
    overdue_seconds float8
  )
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  update private.jobs j
     set attempts = j.attempts + 1,
         run_at = clock_timestamp() + take_jobs.lease,
         pause = take_jobs.lease,
         taken_until = clock_timestamp() + take_jobs.lease
   where j.id = any (array(
     select d.id
       from private.jobs d
      where d.lane = take_jobs.lane
        and d.ended_at is null
        and private.is_due(d.run_at, d.pause)
      order by d.run_at
      limit take_jobs.most
        for update skip locked
   ))
  returning j.id, j.kind, j.key, j.event_id, j.data, j.attempts, j.failures,
            extract(epoch from clock_timestamp() - old.run_at)::float8;
end;
$$;

comment on function private.take_jobs is
  'Takes the jobs of a lane that have been due longest: nobody else gets them before the lease ends.';
grant execute on function private.take_jobs to parking_api;

-- Jobs that are due by the clock. The code says when they run again; these rows never end.
insert into private.jobs (kind, lane, key)
select t.kind, t.kind, 'timed'
  from unnest(array['patterns', 'pruning']) t (kind)
 where not exists (
   select from private.jobs j where j.kind = t.kind and j.key = 'timed'
 );
--! EndIncluded jobs/queue.sql
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
--! Included wishes/table.sql
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
  asked_in text not null default pg_current_snapshot()::text, -- PostGraphile does not know its type
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
comment on column parking.wishes.asked_in is
  'Which transactions had ended when the resident asked: they saw what these freed.';

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
-- No update: a resident who wants another time asks again, and waits behind those who asked before.
--! EndIncluded wishes/table.sql
--! Included wishes/create_wish.sql
create or replace function api.create_wish(
    start_time timestamptz,
    end_time timestamptz,
    building_section text default null,
    spot_id uuid default null
)
  returns parking.wishes
  language plpgsql
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
--! Included wishes/effects.sql
/*
 * A claim fulfils a wish when it is made, or moved to fit. A resident who has a claim may wish for its time: for one
 * more spot, such as for a guest.
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

-- After the rule claims_wait_for_offers: triggers run in the order of their names.
create or replace trigger fulfil_wishes
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.fulfil_wishes();

/* Whatever frees a time adds a row, and waits for nobody. */
create or replace function private.note_freed()
  returns trigger
  language plpgsql
  security definer -- nobody writes what became free
  set search_path = ''
as $$
declare
  v_before tstzmultirange := '{}';
  v_freed_by uuid;
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;
  if tg_table_name = 'availabilities' and tg_op = 'UPDATE' then
    v_before := private.free_times(old);
    v_freed_by := private.caller_id();
    if exists (
      select
        from parking.claims c
       where c.availability_id = new.id
         and c.cancelled_by = v_freed_by
         and c.claimer_id <> v_freed_by
    ) then
      v_freed_by := null; -- an administrator: it was not theirs
    end if;
  end if;

  insert into private.freed_times (availability_id, during, freed_by)
  select a.id, f.during, v_freed_by
    from parking.availabilities a
   cross join lateral (select private.free_times(a) - v_before) f (during)
   where new.id in (a.id, a.owner_id, a.spot_id)
     and a.end_time > now()
     and not isempty(f.during);
  return null;
end;
$$;

create or replace trigger note_freed
  after insert or update of is_claimed, start_time, end_time on parking.availabilities
  for each row
  when (not new.is_claimed)
  execute function private.note_freed();

create or replace trigger note_freed
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.note_freed();

create or replace trigger note_freed
  after update of building_section on parking.spots
  for each row
  when (new.building_section <> old.building_section)
  execute function private.note_freed();

/* Nobody needs the notification about a wish that is fulfilled or withdrawn, or whose window is gone. */
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
     and n.resolved_at is null
     and not exists (
       select from parking.wishes w where w.id = old.id and w.claim_id is null and w.availability_id is not null
     );
  return null;
end;
$$;

-- Only before it begins: what prunes wishes then waits for no notification.
create or replace trigger resolve_wish
  after delete or update of claim_id, availability_id on parking.wishes
  for each row
  when (old.availability_id is not null and old.start_time > now())
  execute function private.resolve_wish();
--! EndIncluded wishes/effects.sql
--! Included wishes/reads.sql
/* The one place that says which wishes a window fits. */
create or replace function private.fitting_wishes(availability parking.availabilities)
  returns setof parking.wishes
  language sql
  stable
as $$
  select w.*
    from (select (fitting_wishes.availability).*) a
    join parking.profiles p on p.id = a.owner_id and p.is_approved
    join parking.spots s on s.id = a.spot_id
    join parking.wishes w
      on w.start_time >= a.start_time
     and w.start_time < a.end_time
     and w.end_time <= a.end_time
     and w.wisher_id <> a.owner_id
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
   where w.claim_id is null
     and w.start_time > now()
     and not a.is_claimed
     and not a.is_hidden
     and (a.free is null or private.has_free(a.free, w.start_time, w.end_time))
$$;

comment on function private.fitting_wishes is
  'The open wishes whose whole time is free in a window, of an approved owner.';

create or replace function api.get_wish(id uuid)
  returns setof parking.wishes
  language sql
  stable
  rows 1
as $$
  select w.*
    from parking.wishes w
   where w.id = get_wish.id
$$;

comment on function api.get_wish is
  'One of your wishes';
grant execute on function api.get_wish to parking_api;

create or replace function api.list_wishes()
  returns setof parking.wishes
  language sql
  stable
as $$
  select w.*
    from parking.wishes w
$$;

comment on function api.list_wishes is
  'What you wait for, and what became of it, latest start first';
grant execute on function api.list_wishes to parking_api;

create or replace function private.offered_window(wish parking.wishes)
  returns setof parking.availabilities
  language sql
  stable
as $$
  select a.*
    from parking.availabilities a
   cross join lateral private.fitting_wishes(a) f
   where a.id = (offered_window.wish).availability_id
     and f.id = (offered_window.wish).id
$$;

comment on function private.offered_window is
  'The window that a resident was told of, while it fits their wish.';

/*
 * Skips people who have a turn or an unread message, unless their window is gone or their turn is yet to come. If their
 * window is gone, they also wait for windows that became free before. Skips people who cannot claim in time for the
 * notice of the section. Limits that change by the hour are not asked.
 */
create or replace function private.waiting_for(availability parking.availabilities, gone uuid[] default null)
  returns setof parking.wishes
  language plpgsql
  stable
  security invoker -- for functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_limits constant parking.limits := private.limits_of(availability.spot_id);
  v_first constant timestamptz := v_now + make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_has_turns constant boolean := (private.building()).offer_minutes is not null;
begin
  if availability.end_time - availability.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;
  return query
    select w.*
      from private.fitting_wishes(waiting_for.availability) w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     cross join lateral (
       select case
         when waiting_for.gone is not null then w.id = any (waiting_for.gone)
         else w.availability_id is not null and not exists (select from private.offered_window(w))
       end as is_gone
       offset 0 -- once for each
     ) o
     where case when v_has_turns then w.start_time else w.end_time end > v_first
       and (
         w.availability_id is null
         or o.is_gone
         or w.offered_from > v_now
         or coalesce(
           w.offered_until <= v_now,
           not exists (select from parking.notifications n where n.id = w.id and not n.is_read)
         )
       )
       and (
         o.is_gone
           and coalesce(w.offered_until > v_now, true)
           and availability.free_since > w.created_at
         or exists (
           select
             from private.freed_times f
            where f.availability_id = availability.id
              and f.during && tstzrange(w.start_time, w.end_time)
              and f.freed_by is distinct from w.wisher_id
              -- Not what they saw when they asked. Another cluster counts transactions anew, so hours tell, too.
              and f.freed_at > w.created_at - interval '1 hour'
              and (
                not pg_visible_in_snapshot(f.freed_in, w.asked_in::pg_snapshot)
                or f.freed_at > w.created_at + interval '1 hour'
              )
              -- A person with several wishes is notified once.
              and not exists (
                select
                  from parking.wishes t
                 where t.wisher_id = w.wisher_id
                   and t.availability_id = availability.id
                   and t.claim_id is null
                   and t.updated_at >= f.freed_at
              )
         )
       );
end;
$$;

comment on function private.waiting_for is
  'The open wishes whose residents are to be told of a free window. "gone" are the wishes whose window is gone, where the caller knows.';
--! EndIncluded wishes/reads.sql
--! Included wishes/tell_waiting.sql
/*
 * The job calls it until nothing is left to do, so that publications and cancellations wait for nobody. A call
 * changes one wish, so that it cannot deadlock with what the person does.
 *
 * The turn is written with the notification; claims_wait_for_offers reads the clock. A wish has one offer at a time.
 */
create or replace function private.tell_waiting()
  returns integer
  language plpgsql
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  c_most constant integer := 200; -- the others at the next call
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_gone uuid[];
  v_windows uuid[];
  v_next record;
  v_window parking.availabilities;
  v_notice interval;
  v_told uuid[];
  v_line uuid[];
  v_skipped uuid[] := '{}';
  v_all_told uuid[] := '{}';
  v_done integer := 0;
begin
  perform private.require_service();
  if pg_relation_size('parking.wishes', 'main') = 0
    or not pg_try_advisory_xact_lock(hashtextextended('parking.wishes', 0)) -- another process is at it
  then
    return 0;
  end if;

  v_gone := array(
    select g.id
      from (
        select distinct on (w.wisher_id) w.id, w.created_at
          from parking.wishes w
         where w.claim_id is null
           and w.start_time > now()
           and w.availability_id is not null
           and not exists (select from private.offered_window(w))
         order by w.wisher_id, w.created_at, w.id
      ) g
     order by g.created_at, g.id
     limit c_most
  );
  v_windows := array(
    select a.id
      from parking.availabilities a
     where a.id = any (array(select f.availability_id from private.freed_times f))
       and a.end_time > now()
       and exists (select from private.waiting_for(a, v_gone))
    union
    select a.id
      from parking.availabilities a
     where a.end_time > now()
       and cardinality(v_gone) > 0
       and exists (
         select from private.fitting_wishes(a) w where w.id = any (v_gone) and w.created_at < a.free_since
       )
  );
  -- Not at once: a wish that is being written is not seen yet, and its resident may not have seen the window.
  delete from private.freed_times f
   where f.availability_id <> all (v_windows)
     and f.freed_at < v_now - interval '10 seconds';

  loop
    -- The one that somebody can have first, after the turns of those to whom it was offered before.
    select a as availability, greatest(v_now, t.until) as turn
      into v_next
      from parking.availabilities a
     cross join lateral (
       select max(w.offered_until) as until
         from parking.wishes w
        where w.availability_id = a.id
          and w.claim_id is null
     ) t
     where a.id = any (v_windows)
     order by turn, a.free_since, a.id
     limit 1;
    exit when not found;
    v_window := v_next.availability;
    v_notice := make_interval(mins => coalesce((private.limits_of(v_window.spot_id)).claim_notice_minutes, 0));

    with waiting as materialized (
      select w.*
        from private.waiting_for(v_window, v_gone) w
    ),
    line as materialized (
      select f.id
        from (select distinct on (w.wisher_id) w.* from waiting w order by w.wisher_id, w.created_at, w.id) f
       where f.wisher_id <> all (v_all_told)
         and (
           v_each is null
           or v_next.turn < f.start_time - v_notice
             and (f.offered_until <= v_now or v_next.turn < f.offered_from or f.id = any (v_gone)) is not false
         )
    ),
    -- Skips a wish that is being fulfilled or withdrawn, and a person who is being erased.
    reached as materialized (
      select w.id
        from line l
        join parking.wishes w on w.id = l.id
        join parking.profiles p on p.id = w.wisher_id
       where w.claim_id is null
       order by w.created_at, w.id
       limit case when v_each is null then c_most else 1 end
         for no key update of w skip locked
         for key share of p skip locked
    ),
    told as (
      update parking.wishes w
         set availability_id = v_window.id,
             offered_from = case when v_each is not null then v_next.turn end,
             offered_until = case when v_each is not null then least(v_next.turn + v_each, w.start_time - v_notice) end
        from reached r
       where w.id = r.id
      returning w.*
    ),
    notified as (
      insert into parking.notifications (id, recipient_id, kind, message, data, availability_id, spot_id)
      select t.id,
             t.wisher_id,
             'wish.fits',
             concat_ws('. Only you can claim it ', m.message, case
               when v_each is not null then private.readable_span(t.offered_from, t.offered_until)
             end),
             private.notification_data(
               null, m.spot, v_window.start_time, v_window.end_time, null, t.offered_from, t.offered_until
             ),
             v_window.id,
             v_window.spot_id
        from told t
       cross join (
         select s as spot,
                private.notification_message(
                  null, 'wish.fits', s, v_window.start_time, v_window.end_time, null
                ) as message
           from parking.spots s
          where s.id = v_window.spot_id
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
    ),
    noted as (
      insert into private.new_events (type, subject_id, actor_id, reason, data)
      select 'notification.created', n.id, null, null, jsonb_build_object('recipient_id', n.recipient_id)
        from notified n
    )
    select array(select n.recipient_id from notified n),
           v_skipped || array(select l.id from line l)
      into v_told, v_line;
    v_all_told := v_all_told || v_told;
    if cardinality(v_told) = 0 then
      v_skipped := v_line;
      v_windows := array_remove(v_windows, v_window.id);
    end if;
    v_done := v_done + cardinality(v_told);
    exit when v_done > 0 and clock_timestamp() > v_now + interval '100 milliseconds';
  end loop;
  if v_done > 0 then
    return v_done;
  end if;

  update parking.wishes w
     set availability_id = null,
         offered_from = null,
         offered_until = null
   where w.id = any (array(
     select o.id
       from parking.wishes o
      where o.id = any (v_gone)
        and o.id <> all (v_skipped)
        and not exists (select from private.offered_window(o))
        for no key update skip locked -- not one that is being fulfilled or withdrawn
   ));
  get diagnostics v_done = row_count;
  return v_done;
end;
$$;

comment on function private.tell_waiting is
  'Tells those who wait of what became free, or ends offers of what is not free any more. Returns how much it did; called until it returns 0.';
grant execute on function private.tell_waiting to parking_api;
--! EndIncluded wishes/tell_waiting.sql
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
--! Included wishes/rules/wishes_made_by_a_resident.sql
alter table parking.wishes
  drop constraint if exists wishes_made_by_a_resident,
  add constraint wishes_made_by_a_resident
    foreign key (wisher_id)
    references parking.profiles (id);

comment on constraint wishes_made_by_a_resident on parking.wishes is
  E'@status 403\nWho waits for a parking spot must be a resident';
--! EndIncluded wishes/rules/wishes_made_by_a_resident.sql
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
--! Included spot_reports/table.sql
create table if not exists parking.spot_reports (
  id uuid default uuidv7(),
  spot_id uuid not null,
  reporter_id uuid not null default private.caller_id(),
  holder_id uuid,
  vehicle text,
  note text,
  is_resolved boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint spot_reports_pkey primary key (id)
);

comment on table parking.spot_reports is
  E'@absent Report not found\nA stranger''s car on a spot, as its owner or its claimer reported it.';
comment on column parking.spot_reports.id is
  'Identifies the report.';
comment on column parking.spot_reports.spot_id is
  'The spot on which the car stands.';
comment on column parking.spot_reports.reporter_id is
  'Who reported it: the owner of the spot, or who had claimed it.';
comment on column parking.spot_reports.holder_id is
  'The other of these two, who was told; null: nobody but the administrators.';
comment on column parking.spot_reports.vehicle is
  'The plate of the car.';
comment on column parking.spot_reports.note is
  'What else there is to say.';
comment on column parking.spot_reports.is_resolved is
  'Whether an administrator has dealt with it.';
comment on column parking.spot_reports.created_at is
  'When it was reported.';
comment on column parking.spot_reports.updated_at is
  'When the row last changed.';

create index if not exists spot_reports_created_at_id_idx
  on parking.spot_reports (created_at desc, id);
create index if not exists spot_reports_reporter_id_created_at_idx
  on parking.spot_reports (reporter_id, created_at);
create index if not exists spot_reports_holder_id_idx
  on parking.spot_reports (holder_id);
create index if not exists spot_reports_spot_id_idx
  on parking.spot_reports (spot_id);

create or replace trigger touch
  before update on parking.spot_reports
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();

alter table parking.spot_reports enable row level security;

drop policy if exists select_as_party_or_administrator on parking.spot_reports;
create policy select_as_party_or_administrator on parking.spot_reports
  for select to parking_api
  using (
    reporter_id = (select private.caller_id())
    or holder_id = (select private.caller_id())
    or (select private.is_administrator())
  );

drop policy if exists insert_own on parking.spot_reports;
create policy insert_own on parking.spot_reports
  for insert to parking_api
  with check (reporter_id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.spot_reports;
create policy update_as_administrator on parking.spot_reports
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.spot_reports to parking_api;
-- No insert of reporter_id: it is the caller by default; holder_id is found out. No delete: what was told stays told.
grant insert (spot_id, vehicle, note) on parking.spot_reports to parking_api;
grant update (is_resolved) on parking.spot_reports to parking_api;
--! EndIncluded spot_reports/table.sql
--! Included spot_reports/create_spot_report.sql
create or replace function api.create_spot_report(
    spot_id uuid,
    vehicle text default null,
    note text default null
)
  returns parking.spot_reports
  language plpgsql
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_approved();

  insert into parking.spot_reports (spot_id, vehicle, note)
  select s.id, create_spot_report.vehicle, create_spot_report.note
    from parking.spots s
   where s.id = create_spot_report.spot_id
  returning * into v_report;

  if not found then
    perform private.refuse('spot_reports_of_a_spot', '23503');
  end if;

  return v_report;
end;
$$;

comment on function api.create_spot_report is
  'Report that a stranger''s car stands on your spot, or on one that you have claimed now: the other of you and the administrators are told';
grant execute on function api.create_spot_report to parking_api;
--! EndIncluded spot_reports/create_spot_report.sql
--! Included spot_reports/effects.sql
/* The reporter is the owner or the claimer of this moment. The other of the two may know whose car it is. */
create or replace function private.find_holder()
  returns trigger
  language plpgsql
  security definer -- an owner reads who claimed, and the row says it to the other only
  set search_path = ''
as $$
declare
  v_owner_id constant uuid := (select s.owner_id from parking.spots s where s.id = new.spot_id);
begin
  new.holder_id := case
    when v_owner_id <> new.reporter_id then v_owner_id
    else (
      select c.claimer_id
        from parking.claims c
       where c.spot_id = new.spot_id
         and c.start_time <= clock_timestamp()
         and c.end_time > clock_timestamp()
         and c.status = 'active'
       limit 1
    )
  end;
  return new;
end;
$$;

create or replace trigger find_holder
  before insert on parking.spot_reports
  for each row
  execute function private.find_holder();

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

create or replace trigger notify_of_report
  after insert on parking.spot_reports
  for each row
  execute function private.notify_of_report();

/* A report that was dealt with needs nobody any more. */
create or replace function private.read_of_report()
  returns trigger
  language plpgsql
  security definer -- notifications of others, on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Written in one transaction, so made at one time. By recipients, as the index of unread ones has them.
  update parking.notifications n
     set is_read = true,
         resolved_at = now()
   where n.recipient_id in (
           select p.id from parking.profiles p where p.is_admin or p.id = new.holder_id
         )
     and n.created_at = new.created_at
     and n.kind = 'report.submitted'
     and n.spot_id = new.spot_id
     and not n.is_read;
  return null;
end;
$$;

create or replace trigger read_of_report
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.read_of_report();
--! EndIncluded spot_reports/effects.sql
--! Included spot_reports/reads.sql
create or replace function api.get_spot_report(id uuid)
  returns setof parking.spot_reports
  language sql
  stable
  rows 1
as $$
  select r.*
    from parking.spot_reports r
   where r.id = get_spot_report.id
$$;

comment on function api.get_spot_report is
  'One report of a stranger''s car';
grant execute on function api.get_spot_report to parking_api;

create or replace function api.list_spot_reports()
  returns setof parking.spot_reports
  language sql
  stable
as $$
  select r.*
    from parking.spot_reports r
$$;

comment on function api.list_spot_reports is
  'Strangers'' cars that you reported, or were told of; administrators: all, newest first';
grant execute on function api.list_spot_reports to parking_api;
--! EndIncluded spot_reports/reads.sql
--! Included spot_reports/resolve_spot_report.sql
create or replace function api.resolve_spot_report(id uuid, is_resolved boolean default null)
  returns parking.spot_reports
  language plpgsql
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_administrator();

  update parking.spot_reports r
     set is_resolved = coalesce(resolve_spot_report.is_resolved, r.is_resolved)
   where r.id = resolve_spot_report.id
  returning * into v_report;

  if not found then
    perform private.refuse_unchanged('spot_reports');
  end if;

  return v_report;
end;
$$;

comment on function api.resolve_spot_report is
  'Mark the report of a stranger''s car as dealt with, or take that back';
grant execute on function api.resolve_spot_report to parking_api;
--! EndIncluded spot_reports/resolve_spot_report.sql
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
--! Included webhooks/table.sql
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
--! Included deliveries/view.sql
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
--! Included calendar_feeds/table.sql
/* Calendar apps send no token: who knows the secret in its address reads a person's calendar. */
create table if not exists parking.calendar_feeds (
  person_id uuid default private.caller_id(),
  secret_hash bytea not null,
  language text not null default 'en',
  created_at timestamptz(3) not null default now(),
  constraint calendar_feeds_pkey primary key (person_id),
  constraint calendar_feeds_secret_hash_key unique (secret_hash)
);

comment on table parking.calendar_feeds is
  E'@absent Calendar feed not found\nThe secret address at which calendar apps read a resident''s calendar. Nobody has two.';
comment on column parking.calendar_feeds.person_id is
  'Whose calendar it is.';
comment on column parking.calendar_feeds.secret_hash is
  'The SHA-256 of the secret in the address. The secret itself is kept nowhere.';
comment on column parking.calendar_feeds.language is
  'The language of the calendar''s texts.';
comment on column parking.calendar_feeds.created_at is
  'When the address was made.';
--! EndIncluded calendar_feeds/table.sql
--! Included freed_times/table.sql
/*
 * A queue: private.tell_waiting deletes a row when those who wait have been told. A row names its transaction, and a
 * wish the transactions that had ended when it was made: so a resident is not told of what they saw.
 */
create table if not exists private.freed_times (
  availability_id uuid not null,
  during tstzmultirange not null,
  freed_by uuid,
  freed_at timestamptz(3) not null default clock_timestamp(),
  freed_in xid8 not null default pg_current_xact_id()
);

comment on table private.freed_times is
  'What became free, and those who wait have not been told of yet.';
comment on column private.freed_times.availability_id is
  'The window.';
comment on column private.freed_times.during is
  'What of it became free.';
comment on column private.freed_times.freed_by is
  'Who freed it, and knows.';
comment on column private.freed_times.freed_at is
  'When it became free.';
comment on column private.freed_times.freed_in is
  'The transaction that freed it.';

create index if not exists freed_times_availability_id_idx
  on private.freed_times (availability_id);

alter table private.freed_times enable row level security;
-- No policy and no grant: only functions write and read it.

alter table private.freed_times replica identity full; -- as private.new_events
--! EndIncluded freed_times/table.sql
--! Included mail_key/table.sql
/* Signs the link that ends a person's mails with one click. The reader of the mail needs no token. */
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

-- See private.new_events.
alter table private.mail_key replica identity full;
--! EndIncluded mail_key/table.sql
--! Included new_events/table.sql
/*
 * Triggers write events here. The table has no index, so that a claim pays for none. private.order_events moves
 * its rows to private.events a moment later; a query of private.events reads these rows too.
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
--! Included page_files/table.sql
/*
 * While two versions of the service run, a browser may have the index of the one and ask the other for
 * its files; and a page that stays open asks for them later.
 */
create table if not exists private.page_files (
  name text,
  content bytea not null,
  release integer not null,
  constraint page_files_pkey primary key (name)
);

alter table private.page_files enable row level security;

drop policy if exists select_any on private.page_files;
create policy select_any on private.page_files
  for select to parking_api
  using (true);

grant select on private.page_files to parking_api;
-- No grant to write: everybody's browser runs these files.

comment on table private.page_files is
  'The files of the page, of this version of the service and the two before.';
comment on column private.page_files.name is
  'It has a hash of the content in it.';
comment on column private.page_files.content is
  'What the browser gets.';
comment on column private.page_files.release is
  'The newest version that has it, as they are counted here.';
--! EndIncluded page_files/table.sql
--! Included preferences/table.sql
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
  'The kinds of mail that the resident gets; none: no mail at all. Null: those of the building.';
comment on column parking.preferences.language is
  'The language of the mails. Null: that of the building.';
comment on column parking.preferences.remind_minutes is
  'How long before a claim starts, and before it ends, the resident is reminded. Null: as the building says.';
--! EndIncluded preferences/table.sql
--! Included profiles/effects.sql
/* Numbers copied from an address book contain marks of direction, and other blanks and hyphens. */
create or replace function private.clean_phone_number()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.phone_number := btrim(
    regexp_replace(
      regexp_replace(
        regexp_replace(new.phone_number, '[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g'),
        '[\u2010-\u2015\u2212]', '-', 'g'
      ),
      '[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g'
    )
  );
  return new;
end;
$$;

create or replace trigger clean_phone_number
  before insert or update of phone_number on parking.profiles
  for each row
  execute function private.clean_phone_number();

-- The administrator refused what the person had said, and a person who is approved is not refused any more.
-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_rejection
  before update on parking.profiles
  for each row
  when (
    old.rejection_reason is not null
    and new.rejection_reason = old.rejection_reason -- a new one is refused, or meant
    and (
      new.is_approved
      or (new.full_name, new.apartment_number, new.phone_number)
        is distinct from (old.full_name, old.apartment_number, old.phone_number)
    )
  )
  execute function private.set_columns('{"rejection_reason": null}');

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

/* Statements that may remove an administrator, invite, or accept an invitation run one after the other. */
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

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  execute function private.lock_administrators();

-- An invitation and a registration at the same moment would miss each other, and the person who is expected
-- would wait for approval. The same holds for two invitations.
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

/* A suspended person does not wait for approval, and reads that. */
create or replace function private.note_suspension()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_suspended := old.is_approved;
  return new;
end;
$$;

create or replace trigger note_suspension
  before update on parking.profiles
  for each row
  when (old.is_approved <> new.is_approved)
  execute function private.note_suspension();
--! EndIncluded profiles/effects.sql
--! Included rate_limits/table.sql
/* How many requests each caller has made lately: the count that several services share (RATE_LIMIT_STORE=postgres). */
create unlogged table if not exists private.rate_limits (
  key text,
  points integer not null,
  ends_at timestamptz(3) not null,
  constraint rate_limits_pkey primary key (key)
);

create index if not exists rate_limits_ends_at_idx on private.rate_limits (ends_at);

comment on table private.rate_limits is
  'Requests made in the current windows of time, one row per caller and window. Unlogged, because no request should wait for the disk and a crash may forget the counts.';
comment on column private.rate_limits.key is
  'The window and the caller, as <window>:<sub of the token>, <window>:feed of <its owner>, or <window>:mail of <the hash of the key>.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.ends_at is
  'When the window ends. The row stays until the next charge of its key, or until other windows are opened.';
comment on index private.rate_limits_ends_at_idx is
  'Finds windows that ended, to delete them.';

alter table private.rate_limits enable row level security;
-- No policy and no grant: the API role counts through private.charge_rate_limits only.
--! EndIncluded rate_limits/table.sql
--! Included reports/domain.sql
/* The type of every report. PostgreSQL checks a value of this domain where a report begins and where it ends. */
do $$
begin
  create type private.report as ("from" date, until date, number_of_rows bigint);
  create domain private.reports as private.report;
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on domain private.reports is
  'The period of a report, from its first day until the day after its last, and how many rows it has.';
--! EndIncluded reports/domain.sql
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
--! Included availabilities/create_availability.sql
create or replace function api.create_availability(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns parking.availabilities
  language plpgsql
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
--! Included availabilities/effects.sql
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

create or replace trigger keep_counts_of_deleted
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.drop_availability_counts();

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

/*
 * The past windows of a retired spot stay: nobody moves them into the future, or deletes them with their claims.
 * It takes no lock, because the removal of the spot may wait for a window that is being moved.
 */
create or replace function private.keep_window()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id and s.retired_at is not null) then
    perform private.refuse_absent('availabilities');
  end if;
  return null;
end;
$$;

create or replace trigger keep_window
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_window();
--! EndIncluded availabilities/effects.sql
--! Included availabilities/reads.sql
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
  -- The number that each window adds to the total, and the number that a claimed one adds to that.
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

  -- Hidden windows, which only their owner sees.
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

  -- Residents do not see the free windows of suspended owners. Hardly ever is anybody suspended.
  if v_each = 1
    and cardinality(private.suspended_owners()) > 0
    and not private.is_administrator()
  then
    v_total := v_total - (
      select count(*)
        from parking.availabilities a
       where a.owner_id = any ((select private.suspended_owners())::uuid[])
         and not a.is_claimed
         and not a.is_hidden
         and a.start_time >= coalesce(total_availabilities.start_date, '-infinity')
         and a.start_time < coalesce(total_availabilities.end_date, 'infinity')
         and a.end_time < coalesce(total_availabilities.end_date, 'infinity')
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_availabilities is
  'How many windows of the building the caller sees, with these filters of GET /availabilities. From counts of days; exact.';
grant execute on function private.total_availabilities to parking_api;

create or replace function api.count_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
return private.total_availabilities(
  count_availabilities.is_claimed,
  count_availabilities.start_date,
  count_availabilities.end_date
);

comment on function api.count_availabilities is
  'How many windows of the whole building the caller sees; exact, and as fast with millions of them';
grant execute on function api.count_availabilities to parking_api;

create or replace function api.get_availability(id uuid)
  returns setof parking.availabilities
  language sql
  stable
  rows 1
as $$
  select a.*
    from parking.availabilities a
   where a.id = get_availability.id
$$;

comment on function api.get_availability is
  'One window';
grant execute on function api.get_availability to parking_api;

create or replace function api.list_availabilities()
  returns setof parking.availabilities
  language sql
  stable
as $$
  select a.*
    from parking.availabilities a
$$;

comment on function api.list_availabilities is
  'The windows of all spots, by start';
grant execute on function api.list_availabilities to parking_api;

/*
 * A list is read by the start of its windows, but a window that is open at a moment may have started long before.
 * Windows of a spot do not overlap, so few are open at one moment.
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
--! EndIncluded availabilities/reads.sql
--! Included availabilities/remove_availability.sql
create or replace function api.remove_availability(
    id uuid,
    reason text,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_spot_of_window(remove_availability.id);
  perform private.require_administrator();
  perform private.give_reason(remove_availability.reason);

  select d.message, d.deleted_availability_id
    into remove_availability.message, remove_availability.deleted_availability_id
    from api.delete_availability(remove_availability.id) d;
end;
$$;

comment on function api.remove_availability is
  'Withdraw a resident''s window that nobody has claimed, with a reason that they read';
grant execute on function api.remove_availability to parking_api;
--! EndIncluded availabilities/remove_availability.sql
--! Included availabilities/rules/availabilities_claimed_are_not_deleted.sql
/*
 * A spot that was ever claimed is not deleted (private.retire_spot). But a deletion with a snapshot from before
 * the claim does not see that: it is to fail as PostgreSQL has it, and is tried again.
 */
create or replace function private.enforce_while_spot_exists()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (private.is_held(old.id)) -- also where some of it is free
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  E'@de Diese Zeit ist reserviert, darum bleibt sie geteilt.\nCannot delete a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_deleted.sql
--! Included availabilities/update_availability.sql
create or replace function api.update_availability(
    id uuid,
    start_time timestamptz default null,
    end_time timestamptz default null
)
  returns parking.availabilities
  language plpgsql
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
--! Included board/reads.sql
create or replace function api.board_claims("from" timestamptz, until timestamptz)
  returns setof parking.claims
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  return query
    select c.*
      from unnest(array['made', 'received', 'of others']) part
     cross join lateral api.list_claims(part) c
     where c.end_time > board_claims."from"
       and c.start_time >= (select private.claims_open_since(board_claims."from"))
       and c.start_time < board_claims.until
     order by c.start_time, c.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.board_claims is
  'The claims of a period that the caller may see, by start.';
grant execute on function api.board_claims to parking_api;

/* All at once, where the list needs a page for each 200: the page shows a week of a whole building. */
create or replace function api.board_windows("from" timestamptz, until timestamptz)
  returns setof parking.availabilities
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  return query
    select a.*
      from api.list_availabilities() a
     where a.end_time > board_windows."from"
       and a.start_time >= (select private.open_since(board_windows."from"))
       and a.start_time < board_windows.until
     order by a.start_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.board_windows is
  'The windows of all spots that touch a period, and the claims on them that you may see';
grant execute on function api.board_windows to parking_api;
--! EndIncluded board/reads.sql
--! Included calendar_feeds/create_calendar_feed.sql
create or replace function api.create_calendar_feed(
    address text,
    inout language text default 'en',
    out url text,
    out created_at timestamptz
)
  language plpgsql
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
--! Included calendar_feeds/delete_calendar_feed.sql
create or replace function api.delete_calendar_feed(out message text)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.calendar_feeds f
   where f.person_id = (select private.caller_id());

  if not found then
    perform private.refuse_absent('calendar_feeds');
  end if;

  message := 'Calendar feed ended successfully';
end;
$$;

comment on function api.delete_calendar_feed is
  'End your calendar feed: nobody reads your calendar at its address any more';
grant execute on function api.delete_calendar_feed to parking_api;
--! EndIncluded calendar_feeds/delete_calendar_feed.sql
--! Included calendar_feeds/effects.sql
/* A person who makes a feed and is suspended or erased at one moment: one waits for the other. */
create or replace function private.begin_calendar_feed()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform from parking.profiles p where p.id = new.person_id for share;
  new.created_at := clock_timestamp();
  return new;
end;
$$;

create or replace trigger begin_calendar_feed
  before insert or update on parking.calendar_feeds
  for each row
  execute function private.begin_calendar_feed();
--! EndIncluded calendar_feeds/effects.sql
--! Included calendar_feeds/enter_calendar_feed.sql
/* The first step of a request to a feed: policies then hold as for its owner, who writes nothing by it. */
create or replace function private.enter_calendar_feed(secret_hash bytea, out language text)
  language plpgsql
  security definer -- finds the owner of a secret, which the API role may not read
  set search_path = ''
as $$
declare
  v_owner_id uuid;
begin
  select f.person_id, f.language
    into v_owner_id, language
    from parking.calendar_feeds f
    join parking.profiles p on p.id = f.person_id
   where f.secret_hash = enter_calendar_feed.secret_hash
     and p.is_approved;

  perform set_config('transaction_read_only', 'on', true);
  perform set_config('request.jwt.claims', jsonb_build_object('sub', v_owner_id)::text, true);
end;
$$;

comment on function private.enter_calendar_feed is
  'Makes the owner of the feed with this hash of its secret the caller of a transaction that only reads, and returns the language of the feed. Where there is none, or its owner is not approved, it returns null, and nobody is the caller.';
grant execute on function private.enter_calendar_feed to parking_api;
--! EndIncluded calendar_feeds/enter_calendar_feed.sql
--! Included calendar_feeds/get_calendar.sql
/* A calendar app reads all of it again and again, so it has an end. */
create or replace function api.get_calendar(claim_id uuid default null)
  returns table (
    id uuid,
    is_own boolean,
    start_time timestamptz,
    end_time timestamptz,
    status text,
    created_at timestamptz,
    updated_at timestamptz,
    spot_number text,
    building_section text,
    full_name text,
    apartment_number text
  )
  language sql
  stable
  rows 50
as $$
  select c.id,
         c.claimer_id = (select private.caller_id()),
         c.start_time,
         c.end_time,
         c.status,
         c.created_at,
         greatest(c.updated_at, s.updated_at),
         s.spot_number,
         s.building_section,
         k.full_name,
         k.apartment_number
    from (
      select p.*
        from (
          select m.* from api.list_claims('made') m
          union all
          select r.* from api.list_claims('received') r
        ) p
       where case
               when get_calendar.claim_id is not null then
                 p.id = get_calendar.claim_id
               else
                 p.end_time > now() - interval '90 days'
                 and p.start_time > now() - interval '1 year' -- an index has it
                 and (p.status <> 'cancelled' or p.updated_at > now() - interval '30 days')
             end
       -- If there is no room for all, claims that are over are left out first, then the furthest ones.
       order by p.end_time <= now(), abs(extract(epoch from p.start_time - now()))
       limit 1000
    ) c
    join parking.spots s on s.id = c.spot_id
    -- With the offset it is asked for each claim by itself. The planner would else join the contacts of
    -- all claims that the person has ever had.
    left join lateral (select k.* from api.get_claim_contacts(c.id) k offset 0) k on true
   order by c.start_time, c.id
$$;

comment on function api.get_calendar is
  'Your calendar: the claims you made and those on your spots, from 90 days ago on, cancelled ones for 30 days';
grant execute on function api.get_calendar to parking_api;
--! EndIncluded calendar_feeds/get_calendar.sql
--! Included calendar_feeds/reads.sql
create or replace function api.get_calendar_feed()
  returns table (language text, created_at timestamptz)
  language sql
  stable
  rows 1
as $$
  select f.language, f.created_at
    from parking.calendar_feeds f
$$;

comment on function api.get_calendar_feed is
  'Your calendar feed without its address, which only its POST shows; null where you have none';
grant execute on function api.get_calendar_feed to parking_api;
--! EndIncluded calendar_feeds/reads.sql
--! Included dashboard/reads.sql
create or replace function api.get_dashboard()
  returns table (
    total_spots bigint,
    active_spots bigint,
    total_claims bigint,
    active_claims bigint
  )
  language sql
  stable
  rows 1
as $$
  select s.total, a.total, private.claims_made(), private.claims_made('active')
    from (
      select count(*) as total
        from parking.spots own
       where own.owner_id = (select private.caller_id())
         and own.retired_at is null
    ) s,
    (
      -- Windows of one spot do not overlap: only the last that has started can still be open.
      select count(*) as total
        from parking.spots own
       cross join lateral (
         select a.end_time
           from parking.availabilities a
          where a.spot_id = own.id
            and a.start_time <= now()
          order by a.start_time desc
          limit 1
       ) latest
       where own.owner_id = (select private.caller_id())
         and own.retired_at is null
         and latest.end_time > now()
    ) a
$$;

comment on function api.get_dashboard is
  'Your statistics and your newest spots and claims';
grant execute on function api.get_dashboard to parking_api;

create or replace function api.recent_claims()
  returns setof parking.claims
  language sql
  stable
  rows 5
as $$
  select own.*
    from parking.claims own
   where own.claimer_id = (select private.caller_id())
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_claims is
  'Your newest claims, for the dashboard.';
grant execute on function api.recent_claims to parking_api;

create or replace function api.recent_spots()
  returns setof parking.spots
  language sql
  stable
  rows 5
as $$
  select own.*
    from parking.spots own
   where own.owner_id = (select private.caller_id())
     and own.retired_at is null
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_spots is
  'Your newest spots, for the dashboard.';
grant execute on function api.recent_spots to parking_api;
--! EndIncluded dashboard/reads.sql
--! Included deliveries/add_delivery.sql
/* One job for each webhook and event, by its key: nothing is sent twice. */
create or replace function private.add_delivery(webhook_id uuid, event_id uuid)
  returns void
  language sql
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
--! Included deliveries/note_delivery.sql
create or replace function private.note_delivery(webhook_id uuid, succeeded boolean, is_gone boolean)
  returns void
  language plpgsql
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
--! Included deliveries/reads.sql
create or replace function api.list_deliveries()
  returns setof parking.deliveries
  language sql
  stable
as $$
  select d.*
    from parking.deliveries d
$$;

comment on function api.list_deliveries is
  'What was sent to a webhook, or will be, newest first';
grant execute on function api.list_deliveries to parking_api;
--! EndIncluded deliveries/reads.sql
--! Included deliveries/replay_webhook.sql
/* The same job again, so that a receiver gets the same id: it knows what it has had already. */
create or replace function private.replay(
    webhook_id uuid,
    since bigint,
    event_id uuid,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
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

  -- Events that were pruned, and events that were never sent.
  perform private.add_delivery(replay.webhook_id, i.id) from unnest(v_ids) i (id);
end;
$$;

comment on function private.replay is
  'Adds the deliveries of past events to a webhook that is on, or begins them anew, for administrators.';
grant execute on function private.replay to parking_api;

create or replace function api.replay_webhook(
    id uuid,
    since bigint default null,
    event_id uuid default null,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
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
create or replace function private.add_test_delivery(webhook_id uuid)
  returns uuid
  language plpgsql
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

create or replace function api.test_webhook(id uuid)
  returns setof parking.deliveries
  language plpgsql
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
--! Included events/effects.sql
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

/* Patterns are created, changed and deleted. Their windows have events of their own. */
create or replace trigger record_creation
  after insert on parking.patterns
  for each row
  execute function private.record_event('pattern.created');

create or replace trigger record_update
  after update on parking.patterns
  for each row
  when (
    (new.weekdays, new.starts_at, new.ends_at, new.first_day, new.last_day)
      is distinct from
      (old.weekdays, old.starts_at, old.ends_at, old.first_day, old.last_day)
  )
  execute function private.record_event('pattern.updated');

create or replace trigger record_deletions
  after delete on parking.patterns
  referencing old table as deleted
  for each statement
  execute function private.record_event('pattern.deleted');

/* Profiles are registered, approved, rejected and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.record_event('profile.rejected');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (new.rejection_reason is null or new.rejection_reason = old.rejection_reason)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.vehicle, new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.rejection_reason
    )
  )
  execute function private.record_event('profile.updated');

/* Reports of strangers' cars are submitted and resolved. */
create or replace trigger record_submission
  after insert on parking.spot_reports
  for each row
  execute function private.record_event('report.submitted');

create or replace trigger record_resolution
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.record_event('report.resolved');

/* Spots are registered, verified, updated and deleted; one that is retired is gone for all who hear of it. */
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
    and new.retired_at is not distinct from old.retired_at
    and (new.spot_number, new.building_section, new.is_verified, new.notes)
      is distinct from (old.spot_number, old.building_section, old.is_verified, old.notes)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');

create or replace trigger record_retirement
  after update of retired_at on parking.spots
  for each row
  when (new.retired_at is not null and old.retired_at is null)
  execute function private.record_event('spot.deleted');

/*
 * Pages that show how to get to a spot hear that it changed, and read it again. The event does not say it: it is
 * for few people, and for each only for a while.
 */
create or replace function private.record_access()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or new.access_notes is distinct from old.access_notes then
    insert into private.new_events (type, subject_id, data)
    values ('access.updated', new.spot_id, jsonb_build_object('id', new.spot_id));
  end if;
  return null;
end;
$$;

create or replace trigger record_access
  after insert or update of access_notes on parking.spot_access
  for each row
  execute function private.record_access();

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

create or replace trigger record_limits
  after update on parking.building
  for each row
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.limits
  for each row
  execute function private.record_limits();
--! EndIncluded events/effects.sql
--! Included events/order_events.sql
/* A change of past events locks the order first. Otherwise it would miss an event that is moved meanwhile. */
create or replace function private.lock_events()
  returns void
  language sql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select from private.last_position for update;
end;

comment on function private.lock_events is
  'Keeps events where they are until the transaction ends.';

/*
 * The order of ids, or of a sequence, is not that of commits: a reader that has seen one event would pass
 * over those that are committed later with a lower number. So events get their positions when they are
 * committed, from one transaction at a time.
 */
create or replace function private.order_events(most integer default 1000)
  returns bigint
  language plpgsql
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

  perform private.add_delivery(w.id, e.id)
     from parking.webhooks w
     join private.events e on e.type = any (w.types)
    where w.enabled
      and e.position > v_before
      and e.position <= v_last
    order by e.position;
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
--! Included events/read_events.sql
/*
 * Reads what a process sends to all its listeners in one query, however many they are.
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
  'What happened after a position, in order, with the numbers of those of these people who may see it, and null for all who are approved; each sees the rows of a position that are theirs. The last row says how far it came, and who of them is approved. Where events after the position are no longer kept, or it is none of this log, the first row is a reset.';
grant execute on function private.read_events to parking_api;
--! EndIncluded events/read_events.sql
--! Included events/reads.sql
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

/*
 * The row as the interface has a Profile, Spot, Availability or Claim: without columns copied from other rows,
 * without optional columns that are null, and without a stranger's plate. Data in that form stays as it is.
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

create or replace function api.get_events()
  returns table ("position" bigint)
  language sql
  stable
  rows 1
as $$
  select private.current_position()
$$;

comment on function api.get_events is
  'What happens from now on, as server-sent events';
grant execute on function api.get_events to parking_api;

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

/*
 * Events of claims do not say whose spot it is. Where the window is gone, the log leads to the spot. A function of its
 * own, because private.views_of_event would prepare these reads for each event of any kind.
 */
create or replace function private.owner_of_window(id uuid)
  returns uuid
  language sql
  stable
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
--! EndIncluded events/reads.sql
--! Included events/views_of_event.sql
/*
 * The people who may know of an event, and what each sees of it. It says for many people at once what the
 * policies say for one caller; test/rules/events-visibility.test.ts compares the two.
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
  -- The window as it is now: a claim of it is no event of the window.
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
  -- If only its owner sees it by then, the others learn that it is gone.
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
--! Included exceptions/create_exception.sql
create or replace function api.create_exception(
    start_time timestamptz,
    end_time timestamptz,
    kind text,
    spot_id uuid default null
)
  returns parking.exceptions
  language plpgsql
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

  -- A pattern publishes what the rules allow, week by week. Who is away hears at once of a rule that is in the way.
  if v_exception.kind = 'share' then
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time, source_id)
    select s.id, s.owner_id, lower(p.piece), upper(p.piece), v_exception.id
      from parking.spots s
     cross join lateral unnest(
       tstzmultirange(
         tstzrange(v_exception.start_time, v_exception.end_time) * tstzrange(private.next_minute(), null)
       ) - coalesce(
         (
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < v_exception.end_time
              and a.end_time > v_exception.start_time
         ),
         '{}'
       )
     ) gap
     cross join lateral private.pieces_of(gap, private.limits_of(s.id)) p (piece)
     where s.owner_id = v_exception.owner_id
       and s.retired_at is null
       and s.id = coalesce(v_exception.spot_id, s.id)
     order by s.id, p.piece
     limit 1; -- the first that is missing: its rule refuses it
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
--! Included exceptions/reads.sql
create or replace function api.claims_in_exception()
  returns setof parking.claims
  language sql
  stable
  rows 10
as $$
  select c.*
    from parking.exceptions e
    join parking.claims c on c.owner_id = e.owner_id
   where e.id = nullif(current_setting('request.exception', true), '')::uuid
     and coalesce(e.spot_id, c.spot_id) = c.spot_id
     and c.status <> 'cancelled'
     and c.start_time < e.end_time
     and c.end_time > e.start_time
   order by c.start_time, c.id
   limit 200
$$;

comment on function api.claims_in_exception is
  'The claims on your spots in the exception that this transaction made or read, by start.';
grant execute on function api.claims_in_exception to parking_api;

create or replace function api.get_exception(id uuid)
  returns setof parking.exceptions
  language sql
  stable
  rows 1
as $$
  select e.*
    from parking.exceptions e
   where e.id = get_exception.id
     and set_config('request.exception', e.id::text, true) is not null -- for api.claims_in_exception
$$;

comment on function api.get_exception is
  'One of your exceptions, with the claims in it';
grant execute on function api.get_exception to parking_api;

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
     and e.end_time > clock_timestamp()
);

comment on function private.kept_times is
  'When the owner of the spot needs it, by exceptions that have not ended and start before a moment.';
grant execute on function private.kept_times to parking_api;

create or replace function api.list_exceptions()
  returns setof parking.exceptions
  language sql
  stable
as $$
  select e.*
    from parking.exceptions e
$$;

comment on function api.list_exceptions is
  'When you need your spots or are away, by start';
grant execute on function api.list_exceptions to parking_api;
--! EndIncluded exceptions/reads.sql
--! Included exceptions/rules/exceptions_change_1000_windows_at_most.sql
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

create or replace trigger exceptions_change_1000_windows_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_windows('1000');

comment on trigger exceptions_change_1000_windows_at_most on parking.exceptions is
  E'@status 409\n@de Das ändert mehr als 1000 geteilte Zeiten auf einmal. Wählen Sie einen kürzeren Zeitraum oder einen Stellplatz.\nThe exception would change more than 1000 windows: choose a shorter time or one spot';
--! EndIncluded exceptions/rules/exceptions_change_1000_windows_at_most.sql
--! Included idempotency_keys/keep_answer.sql
create or replace function private.keep_answer(
    key text,
    fingerprint text,
    body text,
    location_id uuid
)
  returns void
  language plpgsql
  security definer -- the API role may neither read nor change answers
  set search_path = ''
as $$
begin
  insert into private.idempotency_keys (person_id, key, fingerprint, body, location_id)
  values (
    private.caller_id(),
    keep_answer.key,
    keep_answer.fingerprint,
    keep_answer.body,
    keep_answer.location_id
  );

  -- Each answer deletes two that expired, so that the table needs no job and does not grow.
  delete from private.idempotency_keys k
   where (k.person_id, k.key) in (
     select e.person_id, e.key
       from private.idempotency_keys e
      where e.expires_at <= now()
      order by e.expires_at
      limit 2
        for update skip locked
   );
end;
$$;

comment on function private.keep_answer is
  'Keeps the answer to a request of the caller under its key, for 24 hours.';
grant execute on function private.keep_answer to parking_api;
--! EndIncluded idempotency_keys/keep_answer.sql
--! Included idempotency_keys/rules/idempotency_keys_few_per_person.sql
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

-- The number that the default rate limit lets a person send in an hour.
create or replace trigger idempotency_keys_few_per_person
  after insert on private.idempotency_keys
  for each row
  execute function private.enforce_few_per_person('1000');

comment on trigger idempotency_keys_few_per_person on private.idempotency_keys is
  E'@status 409\n@de Sie haben an einem Tag sehr viel getan. Versuchen Sie es in ein paar Stunden wieder.\nYou have used 1000 Idempotency-Keys within 24 hours; try again later, or without one';
--! EndIncluded idempotency_keys/rules/idempotency_keys_few_per_person.sql
--! Included idempotency_keys/take_idempotency_key.sql
/* The first step of a request with a key. Nobody waits for a request that is still running. */
create or replace function private.take_idempotency_key(key text, fingerprint text)
  returns table (body text, location_id uuid)
  language plpgsql
  security definer -- the API role may not read answers, which are other people's data too
  set search_path = ''
  rows 1
as $$
#variable_conflict use_column
declare
  v_person_id constant uuid := private.caller_id();
  v_kept private.idempotency_keys;
begin
  -- Until the end of the transaction, which a pooler does not cut in two.
  if not pg_try_advisory_xact_lock(
    hashtextextended(take_idempotency_key.key, hashtextextended(v_person_id::text, 1))
  ) then
    perform private.refuse('idempotency_key_in_use', '23505');
  end if;

  -- The erasure of the person waits for this request, and then deletes what it keeps.
  perform from private.users u where u.id = v_person_id for key share;

  delete from private.idempotency_keys k
   where k.person_id = v_person_id
     and k.key = take_idempotency_key.key
     and k.expires_at <= now();

  select k.* into v_kept
    from private.idempotency_keys k
   where k.person_id = v_person_id
     and k.key = take_idempotency_key.key;

  if not found then
    return;
  end if;

  if v_kept.fingerprint <> take_idempotency_key.fingerprint then
    perform private.refuse('idempotency_key_reused', '23514');
  end if;

  return query select v_kept.body, v_kept.location_id;
end;
$$;

comment on function private.take_idempotency_key is
  'Takes a key of the caller for the rest of the transaction, and returns the answer that is kept under it; no row where there is none. Fails under idempotency_key_in_use while another transaction has it, and under idempotency_key_reused where the answer is to another request.';
grant execute on function private.take_idempotency_key to parking_api;
--! EndIncluded idempotency_keys/take_idempotency_key.sql
--! Included locks/effects.sql
/*
 * What is about a spot and the deletion of the spot wait for each other, and nobody adds rows about a retired one,
 * although foreign keys would find it. Claims of one spot do not wait for each other: those of one window do
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
  perform private.require_spot(found or new.spot_id is null, tg_argv[0]);
  return new;
end;
$$;

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.keep_spot('claims_of_an_availability');

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_ and a
-- number. This one runs before them, so an account that is no longer approved is refused for that reason.
create or replace trigger "A_keep_spot"
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot('exceptions_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot('wishes_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_reports
  for each row
  execute function private.keep_spot('spot_reports_of_a_spot');

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

create or replace trigger lock_owner
  before insert on parking.spots
  for each row
  execute function private.lock_owner();

/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: administrators_lock, users,
 * profiles, invitations, spots, plans, patterns, claims, windows, wishes; several of a kind in the order
 * of their ids. A new claim locks its window before there is a row.
 */

/*
 * An UPDATE or a DELETE locks its row before its triggers run, so the functions of api lock the spot
 * first. A trigger for each statement can, too (private.lock_own_spots_before). A statement that ends a
 * claim whose window is offered anew (private.reconcile_freed) locks the spot last, and may have to try
 * again.
 */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for no key update;
  perform private.require_spot(found or new.spot_id is null, tg_argv[0]);
  return new;
end;
$$;

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot('availabilities_of_a_spot');

create or replace trigger lock_spot
  before insert on parking.patterns
  for each row
  execute function private.lock_spot('patterns_of_a_spot');

-- The erasure of the owner deletes what it sees, and it locks the spots: new notes and the erasure wait for each other.
create or replace trigger "A_lock_spot"
  after insert on parking.spot_access
  for each row
  execute function private.lock_spot('spot_access_of_a_spot');

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

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_windows();
--! EndIncluded locks/effects.sql
--! Included locks/locks.sql
/*
 * The first statement of what changes a claim: the spot before the claim, as its deletion locks them. What is
 * freed may be published anew, one after the other (private.reconcile).
 */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
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

/*
 * The first statement of what changes windows and plans of one owner: one such change after the other. What is
 * claimed meanwhile, private.reconcile sees: it locks the windows.
 */
create or replace function private.lock_own_spots(spot_id uuid default null)
  returns void
  language plpgsql
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
    -- Patterns and exceptions depend on each other, and after the lock of the spot an old snapshot still does not see
    -- new ones. There is one turn for each person, because an exception may be about all their spots.
    perform private.take_turn('plans', private.caller_id());
  end if;
end;
$$;

comment on function private.lock_own_spots is
  'Locks the profile of an approved caller, and their spots, or one of them.';
grant execute on function private.lock_own_spots to parking_api;

/* The first locks of an erasure, and of a change of flags, in the order of private.lock_spot. */
create or replace function private.lock_person(id uuid)
  returns void
  language plpgsql
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

create or replace function private.lock_person_as_administrator(id uuid)
  returns void
  language plpgsql
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

/*
 * The first statement of what changes a window: the spot before the window, as its deletion locks them. An owner
 * changes what they plan, too, and locks all of that in the order of private.lock_spot.
 */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
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

create or replace function private.lock_spots_of_exception(id uuid)
  returns void
  language plpgsql
  security invoker -- the policies show the caller their own exceptions
  set search_path = ''
as $$
begin
  perform private.lock_own_spots() -- all, as private.lock_own_spots_before does: one first would be out of order
     from parking.exceptions e
    where e.id = lock_spots_of_exception.id;
end;
$$;

comment on function private.lock_spots_of_exception is
  'Locks the caller''s profile and spots before an exception of theirs is undone.';
grant execute on function private.lock_spots_of_exception to parking_api;
--! EndIncluded locks/locks.sql
--! Included mail_key/reads.sql
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
--! EndIncluded mail_key/reads.sql
--! Included mail_key/unsubscribe.sql
create or replace function private.unsubscribe(key text)
  returns boolean
  language plpgsql
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

  -- Mail programs may send it again and again: only the first writes, or waits for the row.
  insert into parking.preferences as f (person_id, mail)
  select p.id, '{}'
    from parking.profiles p
   where p.id = v_id
     and not exists (
       select
         from parking.preferences e
        where e.person_id = p.id
          and e.mail = '{}'
     )
  on conflict on constraint preferences_pkey do update
    set mail = '{}';
  return true;
end;
$$;

comment on function private.unsubscribe is
  'Ends the mails of the person whom this key was made for; false where it is none.';
grant execute on function private.unsubscribe to parking_api;
--! EndIncluded mail_key/unsubscribe.sql
--! Included mails/add_due_mails.sql
/*
 * Mails that are due by the clock: reminders, and the list of those who wait for approval. It reads claims as
 * they are now, so one that was moved or cancelled needs no care. The key of a job says what it is about and
 * when, so that none is sent twice.
 */
create or replace function private.add_due_mails()
  returns void
  language plpgsql
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

  -- A claim that is made in the last minute needs no reminder.
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
--! Included mails/effects.sql
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

create or replace trigger mail_invitation
  after insert on parking.invitations
  for each row
  execute function private.mail_invitation();
--! EndIncluded mails/effects.sql
--! Included mails/get_mail.sql
/*
 * The contents are read when the mail is sent. So it does not tell of what was cancelled, read or erased
 * since, nor of a turn that is over. A person who was suspended or wants no mail any more gets none.
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
         and not n.is_read
         and coalesce((n.data ->> 'offered_until')::timestamptz > clock_timestamp(), true);
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
--! Included mails/reads.sql
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
--! EndIncluded mails/reads.sql
--! Included mails/use_mail.sql
/*
 * A process that sends mails says so at its start, and does the reminders each minute from then on. One
 * that has no mail server says nothing: started by mistake, it ends nobody's mails.
 */
create or replace function private.use_mail()
  returns void
  language plpgsql
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
--! Included page_files/keep_page_files.sql
create or replace function private.keep_page_files(names text[], contents bytea[])
  returns void
  language plpgsql
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
--! Included parked/parked.sql
/* The facts about a spot that somebody at the gate needs. A type, because the filters use the names of its members. */
do $$
begin
  create type private.parked as (
    spot_id uuid,
    spot_number text,
    building_section text,
    role text,
    claim_id uuid,
    person_id uuid,
    full_name text,
    apartment_number text,
    guest text,
    vehicle text,
    until timestamptz
  );
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on type private.parked is
  'Who may stand on a spot, with which vehicle, and until when.';

create or replace function api.parked(
    at timestamptz default now(),
    section text default null,
    vehicle text default null
)
  returns setof private.parked
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; everybody else is refused
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  perform private.require_administrator();

  return query
    select s.id, s.spot_number, s.building_section,
           case when c.id is null then 'owner' else 'claimer' end,
           c.id, p.id, p.full_name, p.apartment_number, c.guest, here.vehicle,
           coalesce(c.end_time, following.start_time)::timestamptz
      from parking.spots s
      -- Claims that hold their windows do not overlap: of a spot, only the last that has started can be open.
      left join lateral (
        select l.*
          from (
            select o.id, o.claimer_id, o.guest, o.vehicle, o.end_time, o.status, o.updated_at
              from parking.claims o
             where o.spot_id = s.id
               and o.start_time <= parked.at
               and o.status <> 'cancelled'
             order by o.start_time desc
             limit 1
          ) l
         where l.end_time > parked.at
           and (l.status = 'active' or l.updated_at > parked.at) -- nothing changes it once it is completed
      ) c on true
      left join lateral (
        select n.start_time
          from parking.claims n
         where c.id is null
           and n.spot_id = s.id
           and n.start_time > parked.at
           and n.status = 'active'
         order by n.start_time
         limit 1
      ) following on true
      join parking.profiles p on p.id = coalesce(c.claimer_id, s.owner_id)
      -- A claimer who names neither a guest nor a plate comes with the usual vehicle.
     cross join lateral (
       select coalesce(c.vehicle, case when c.guest is null then p.vehicle end) as vehicle
     ) here
     where (parked.section is null or s.building_section = parked.section)
       and (parked.vehicle is null or private.plate(here.vehicle) = private.plate(parked.vehicle))
       and (c.id is not null or (s.is_verified and p.is_approved))
       and (s.retired_at <= parked.at) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.parked is
  'Who may stand where at a moment: the claimer of each spot that is claimed then, else its owner, if the spot is verified';
grant execute on function api.parked to parking_api;
--! EndIncluded parked/parked.sql
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
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  perform private.require_approved();

  insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
  select s.id, s.owner_id, create_pattern.weekdays, create_pattern.starts_at, create_pattern.ends_at,
         create_pattern.first_day, nullif(create_pattern.last_day, 'infinity')
    from parking.spots s
   where s.id = create_pattern.spot_id
  returning * into v_pattern;

  if v_pattern.id is null then
    perform private.refuse('patterns_of_a_spot', '23503');
  end if;

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
--! Included patterns/extend_pattern.sql
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

/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
begin
  perform private.require_service();
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

/* It notes nothing if a setting has changed meanwhile. The job publishes again then. */
create or replace function private.note_published(
    spot_id uuid,
    building parking.building,
    limits parking.limits
)
  returns void
  language plpgsql
  security definer -- residents may not write what is published, and limits are read past the policies
  set search_path = ''
as $$
declare
  v_today constant date := (clock_timestamp() at time zone building.time_zone)::date;
  v_until constant date := v_today + building.pattern_days - 1;
  v_horizon constant timestamptz := private.days_after(clock_timestamp(), limits.horizon_days);
begin
  perform private.require_trigger();
  if building is distinct from private.building()
    or limits is distinct from private.limits_of(note_published.spot_id)
  then
    return;
  end if;

  update parking.patterns p
     set published_until = n.until,
         time_zone = building.time_zone
    from (
      select o.id, greatest(o.published_until, coalesce(min(t.day) - 1, v_until)) as until
        from parking.patterns o
        left join private.pattern_spans(
          o.weekdays, o.starts_at, o.ends_at,
          greatest(o.first_day, v_today), least(o.last_day, v_until), building.time_zone
        ) t on t.end_time > v_horizon
       where o.spot_id = note_published.spot_id
         and o.owner_id = (select private.caller_id())
       group by o.id
    ) n
   where p.id = n.id
     and (p.published_until, p.time_zone) is distinct from (n.until, building.time_zone);
end;
$$;

comment on function private.note_published is
  'Notes until which day the patterns of a spot of the caller are published by these settings, and in which time zone.';
grant execute on function private.note_published to parking_api;
--! EndIncluded patterns/extend_pattern.sql
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
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_begun constant timestamptz := private.next_minute();
  v_pattern parking.patterns;
  v_kept tstzmultirange;
begin
  begin
    if preview_pattern.pattern_id is null then
      v_pattern := api.create_pattern(
        preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
        preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
      );
    else
      v_pattern := api.update_pattern(
        (
          select p.id
            from parking.patterns p
           where p.id = preview_pattern.pattern_id
             and p.spot_id = preview_pattern.spot_id
        ),
        preview_pattern.weekdays, preview_pattern.starts_at, preview_pattern.ends_at,
        preview_pattern.first_day, coalesce(preview_pattern.last_day, 'infinity')
      );
    end if;

    v_kept := private.kept_times(v_pattern.spot_id, 'infinity');
    -- A window that stays because it is claimed, or has begun, is in the way of what the pattern says now. What is
    -- missing is tried once more: the rule that refuses it says why.
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
               select coalesce(r.translations ->> preview_pattern.language, r.message)
                 from private.rules r
                where r.name = p.rule
                  and r."table" in ('availabilities', 'claims')
             )
        from parts p
       order by p.day, p.span;

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
--! Included patterns/reads.sql
create or replace function private.are_weekdays(weekdays text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(weekdays) > 0 and cardinality(weekdays) = (
    select count(*)
      from unnest(array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']) d (day)
     where d.day = any (weekdays)
  );
end;
$$;

comment on function private.are_weekdays is
  'Whether these are different days of the week, one at least.';
grant execute on function private.are_weekdays to parking_api;

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

create or replace function api.get_pattern(id uuid)
  returns setof parking.patterns
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.patterns p
   where p.id = get_pattern.id
$$;

comment on function api.get_pattern is
  'One of your patterns';
grant execute on function api.get_pattern to parking_api;

/* "at time zone" takes the second of a time that the clock repeats, and reads one that it skips as later. */
create or replace function private.instant_of(wall timestamp, zone text)
  returns timestamptz
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
declare
  v_read constant timestamptz := wall at time zone zone;
  v_shown constant timestamp := v_read at time zone zone;
  v_day_before constant timestamptz := v_read - interval '1 day';
  v_first constant timestamptz :=
    v_day_before + (wall - (v_day_before at time zone zone)); -- with the offset of the day before
begin
  if v_shown = wall then
    return case when (v_first at time zone zone) = wall then least(v_first, v_read) else v_read end;
  end if;

  -- The clock skips it: the first moment that has the new offset. Clocks change at quarters of an hour.
  return (
    select min(q.moment)
      from generate_series(
        date_trunc('hour', v_read - (v_shown - wall)), v_read, interval '15 minutes'
      ) q (moment)
     where (q.moment at time zone zone) - (v_read at time zone zone) = q.moment - v_read
  );
end;
$$;

comment on function private.instant_of is
  'The moment that a time on the clock of a zone means: the first of two, where the clock repeats it; the moment of the change, where it skips it.';
grant execute on function private.instant_of to parking_api;

create or replace function api.list_patterns()
  returns setof parking.patterns
  language sql
  stable
as $$
  select p.*
    from parking.patterns p
$$;

comment on function api.list_patterns is
  'The patterns of your spots, newest first';
grant execute on function api.list_patterns to parking_api;

/*
 * The clock of the building decides, on each day anew (private.instant_of). So a window in the night of a
 * change is longer or shorter than usual. One that lies within the hour that is skipped, such as 02:30 to
 * 03:00, has no time left: its end is not after its start, and availabilities_start_before_end refuses it.
 */
create or replace function private.pattern_spans(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    time_zone text
)
  returns table (day date, start_time timestamptz, end_time timestamptz)
  language sql
  immutable
  parallel safe
begin atomic
  select d.day,
         private.instant_of(d.day + starts_at::time, time_zone),
         private.instant_of(
           d.day + (ends_at::time <= starts_at::time)::integer + ends_at::time, time_zone
         )
    from generate_series(0, last_day - first_day) n
   cross join lateral (values (first_day + n)) d (day)
   where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from d.day)]
         = any (weekdays);
end;

comment on function private.pattern_spans is
  'From when to when a pattern shares a spot on each of its days from first_day to last_day, in this time zone.';
grant execute on function private.pattern_spans to parking_api;
--! EndIncluded patterns/reads.sql
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
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  -- Null leaves a field as it is; infinity clears the last day.
  update parking.patterns p
     set weekdays = coalesce(update_pattern.weekdays, p.weekdays),
         starts_at = coalesce(update_pattern.starts_at, p.starts_at),
         ends_at = coalesce(update_pattern.ends_at, p.ends_at),
         first_day = coalesce(update_pattern.first_day, p.first_day),
         last_day = nullif(coalesce(update_pattern.last_day, p.last_day), 'infinity')
   where p.id = update_pattern.id;

  if not found then
    perform private.refuse_absent('patterns');
  end if;

  select p.* into v_pattern from parking.patterns p where p.id = update_pattern.id; -- as it is published
  return v_pattern;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
--! EndIncluded patterns/update_pattern.sql
--! Included preferences/reads.sql
create or replace function api.get_preferences()
  returns setof parking.preferences
  language sql
  stable
  rows 1
as $$
  -- Every registered person has some: at least those of the building.
  select own.id, p.mail, p.language, p.remind_minutes
    from parking.profiles own
    left join parking.preferences p on p.person_id = own.id
   where own.id = (select private.caller_id())
$$;

comment on function api.get_preferences is
  'What you want by mail; null: as the building has it. Also before approval';
grant execute on function api.get_preferences to parking_api;
--! EndIncluded preferences/reads.sql
--! Included preferences/update_preferences.sql
create or replace function api.update_preferences(
    mail text[] default null,
    language text default null,
    remind_minutes integer default null
)
  returns parking.preferences
  language plpgsql
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
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace. What they are, what they wrote, and what relates to them
 * goes; nobody searches texts of others (private.mentions lists those). Rows stay, so that counts and reports
 * stay true. The log is long, so it is read by the ids of its subjects.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
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

  -- Invitations that the person accepted or could still accept. Not by an address that the provider has not
  -- confirmed: somebody else may be invited by it.
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
   where n.recipient_id = erase_person.id
      or n.spot_id = any (v_spots) and n.kind = 'wish.fits'; -- it has the number of the spot

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

  -- private.event_data drops what a report says of a car when its event gets a position.
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

/* The log alone knows what was deleted, and an index of it, whose it was. */
create or replace function private.deleted_of(id uuid, type text)
  returns setof uuid
  language sql
  stable
  security invoker -- for private.erase_person: no grant to the API role
  set search_path = ''
begin atomic
  select e.subject_id
    from private.events e
   where e.type = deleted_of.type
     and e.type in ('spot.deleted', 'claim.deleted') -- for the index
     and coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid = deleted_of.id;
end;

comment on function private.deleted_of is
  'The spots, or the claims, of the person with this id that were deleted, by this type of event.';

/* An erasure ends the running and future claims and plans of a person. It tells only the people concerned. */
create or replace function private.end_of_person(id uuid)
  returns void
  language plpgsql
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

create or replace function private.erase_as_administrator(id uuid)
  returns void
  language plpgsql
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

/*
 * Nobody changes what others wrote: a word may be a name and also something else. A human decides where a whole
 * name still stands. It reads every table, so that none is forgotten. A long log takes a while; nothing waits.
 */
create or replace function private.mentions(texts text[])
  returns table ("table" text, id text, "column" text, value text)
  language plpgsql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_table regclass;
  v_texts constant text[] := array(
    select '%' || regexp_replace(private.folded(t.value), '([%_])', '\\\1', 'g') || '%'
      from unnest(mentions.texts) t (value)
     where private.folded(t.value) <> ''
  );
begin
  for v_table in
    select c.oid
      from pg_catalog.pg_class c
     where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
       and c.relkind = 'r'
     order by c.oid::regclass::text
  loop
    return query execute format(
      $query$
        select %L::text, coalesce(t.row ->> 'id', t.row ->> 'spot_id'), v.key, v.value
          from (
            select to_jsonb(o) as row
              from only %s o
             where private.folded(o::text) like any ($1)
          ) t
         cross join lateral jsonb_each_text(t.row) v
         where private.folded(v.value) like any ($1)
         order by 2, 3
      $query$,
      v_table, v_table
    ) using v_texts;
  end loop;
end;
$$;

comment on function private.mentions is
  'Where one of these texts stands, in any table and whatever its case and form. For the owner of the database (npm run erase).';

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

create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
return array(
  select distinct n.value
    from (
      select p.id as subject_id, to_jsonb(p) as data from parking.profiles p
      union all
      select e.subject_id, e.data from private.events e where e.type like 'profile.%'
    ) known
   cross join lateral (values (known.data ->> 'full_name'), (known.data ->> 'email')) n (value)
   where known.subject_id = names_of.id
     and n.value <> ''
     and n.value <> names_of.id || '@erased.invalid' -- by private.erase_person
);

comment on function private.names_of is
  'The whole names and the addresses that a person has or had.';
--! EndIncluded profiles/erase_person.sql
--! Included profiles/erase_profile.sql
create or replace function api.erase_profile(
    id uuid,
    reason text,
    out message text,
    out deleted_profile_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform private.give_reason(erase_profile.reason);

  if not exists (select from parking.profiles p where p.id = erase_profile.id) then
    perform private.refuse_absent('profiles');
  end if;

  perform private.erase_as_administrator(erase_profile.id);

  message := 'Personal data erased successfully';
  deleted_profile_id := erase_profile.id;
end;
$$;

comment on function api.erase_profile is
  'Erase a person''s data and what was written about them; their claims end, their spots are removed, their account is closed';
grant execute on function api.erase_profile to parking_api;
--! EndIncluded profiles/erase_profile.sql
--! Included profiles/follow_groups.sql
/*
 * Rules about other people, such as that the owner of a claimed spot is approved, read the profile:
 * it keeps what the groups in the person's latest token said. The service calls this when a token
 * comes for the first time, so they hold from that request on.
 */
create or replace function private.follow_groups()
  returns void
  language plpgsql
  security definer -- the flags are not the person's own to write
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
begin
  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if exists (
    select from parking.profiles p
      join private.users u on u.id = p.id
     cross join lateral private.flags_by_groups(p) flags
     where p.id = v_caller_id
       and not private.is_outdated(u.token_issued_at)
       and (p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups)
         is distinct from
         (flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups)
  ) then
    -- The rows as they are once they are locked: an administrator may set the other flag at this
    -- moment, and a later token may come.
    perform private.lock_person(v_caller_id);
    update parking.profiles p
       set (is_approved, is_admin, is_approved_by_groups, is_admin_by_groups) =
             (select flags.* from private.flags_by_groups(p) flags)
      from private.users u
     where p.id = v_caller_id
       and u.id = p.id
       and not private.is_outdated(u.token_issued_at);
  end if;

  perform private.note_token();
end;
$$;

comment on function private.follow_groups is
  'Keeps in the caller''s profile what the groups in the token decide.';
grant execute on function private.follow_groups to parking_api;
--! EndIncluded profiles/follow_groups.sql
--! Included profiles/get_profile.sql
create or replace function api.get_profile()
  returns parking.profiles
  language plpgsql
  volatile -- a token that says something new about the user is remembered
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  select p.* into v_profile
    from parking.profiles p
   where p.id = (select private.caller_id());

  if not found then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  perform private.follow_groups();
  perform private.remember_user();

  -- A new address changes the profile too, and one that is confirmed now may have been invited.
  select p.* into v_profile
    from parking.profiles p
   where p.id = v_profile.id;

  return v_profile;
end;
$$;

comment on function api.get_profile is
  'Your profile and sign-in data; also before approval';
grant execute on function api.get_profile to parking_api;
--! EndIncluded profiles/get_profile.sql
--! Included profiles/make_administrator.sql
/* The owner of the database makes the first administrator, because no administrator can. */
create or replace function private.make_administrator(email_or_id text)
  returns parking.profiles
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_ids constant uuid[] := array(
    select p.id
      from parking.profiles p
      join private.users u on u.id = p.id
     where p.id::text = lower(make_administrator.email_or_id)
        -- An address that is not confirmed may be somebody else's.
        or private.address_key(p.email) = private.address_key(make_administrator.email_or_id)
           and u.email_confirmed_at is not null
     order by p.id
  );
  v_unconfirmed_ids constant uuid[] := array(
    select p.id
      from parking.profiles p
     where private.address_key(p.email) = private.address_key(make_administrator.email_or_id)
     order by p.id
  );
  v_profile parking.profiles;
begin
  if cardinality(v_ids) <> 1 then
    raise exception using
      errcode = 'no_data_found',
      message = case
        when cardinality(v_ids) > 1 then
          format('Several people have registered as %s. Name one by id: %s',
            make_administrator.email_or_id, array_to_string(v_ids, ', '))
        when cardinality(v_unconfirmed_ids) > 0 then
          format('The identity provider has not confirmed %s. If you know the person, name them by id: %s',
            make_administrator.email_or_id, array_to_string(v_unconfirmed_ids, ', '))
        else format('Nobody has registered as %s', make_administrator.email_or_id)
      end;
  end if;

  update parking.profiles p
     set is_approved = true,
         is_admin = true
   where p.id = v_ids[1]
  returning * into v_profile;
  return v_profile;
end;
$$;

comment on function private.make_administrator is
  'Approves the account with this confirmed e-mail address or this id and makes it an administrator. For the owner of the database (npm run admin).';
--! EndIncluded profiles/make_administrator.sql
--! Included profiles/reads.sql
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

/*
 * GET /profile reads this first, beside other reads. Hardly any token says something new, and only
 * then api.get_profile has something to write.
 */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from private.known_profile() p
$$;

comment on function api.get_known_profile is
  'Your profile, where your token says nothing new about you; otherwise no row.';
grant execute on function api.get_known_profile to parking_api;

create or replace function api.get_profile_by_id(id uuid)
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = get_profile_by_id.id
$$;

comment on function api.get_profile_by_id is
  'One person''s profile';
grant execute on function api.get_profile_by_id to parking_api;

create or replace function api.get_user()
  returns setof private.users
  language sql
  stable
  rows 1
as $$
  select u.*
    from private.own_user() u
$$;

comment on function api.get_user is
  'Your sign-in data, which stands beside your profile.';
grant execute on function api.get_user to parking_api;

create or replace function api.list_profiles()
  returns setof parking.profiles
  language sql
  stable
as $$
  select p.*
    from parking.profiles p
$$;

comment on function api.list_profiles is
  'Everyone who registered, newest first';
grant execute on function api.list_profiles to parking_api;
--! EndIncluded profiles/reads.sql
--! Included profiles/rules/profiles_keep_an_administrator.sql
/* Only administrators approve accounts and make administrators, so one of them must remain. */
create or replace function private.enforce_an_administrator()
  returns trigger
  language plpgsql
  security definer -- reads the profiles of all administrators, which the caller may not see
  set search_path = ''
as $$
begin
  -- The identity provider can name another administrator, if it decides.
  if tg_op = 'UPDATE'
    and (new.is_admin or private.decided_by_groups('is_admin') is not null)
    and (new.is_approved or private.decided_by_groups('is_approved') is not null)
  then
    return new;
  end if;

  -- Read, not locked: private.lock_administrators lets one removal go on at a time, and an erasure holds spots by now.
  if not exists (
    select
      from parking.profiles p
     where p.is_admin
       and p.is_approved
       and p.id <> old.id
  ) then
    perform private.refuse(tg_name, '23514');
  end if;

  return case tg_op when 'DELETE' then old else new end;
end;
$$;

create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\n@de Das ist die letzte Person der Verwaltung. Nehmen Sie erst eine andere auf.\nThe last administrator cannot be removed';
--! EndIncluded profiles/rules/profiles_keep_an_administrator.sql
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
create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null,
    rejection_reason text default null,
    is_suspended boolean default null
)
  returns parking.profiles
  language plpgsql
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
  update parking.profiles p
     set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
         is_admin = coalesce(update_profile_flags.is_admin, p.is_admin),
         rejection_reason =
           nullif(coalesce(update_profile_flags.rejection_reason, p.rejection_reason), '')
   where p.id = update_profile_flags.id
  returning * into v_profile;

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
       and private.is_open(r.ends_at, charge_rate_limits.seconds[i])
       and r.points < charge_rate_limits.most[i]
       and v_points > 0
    returning r.points, r.ends_at into charged, v_ends_at;

    if not found then
      select r.points + v_points, r.ends_at into charged, v_ends_at
        from private.rate_limits r
       where r.key = v_key
         and private.is_open(r.ends_at, charge_rate_limits.seconds[i]);

      -- Nothing is written for a request that is refused anyway, nor for a look. Another request may
      -- have opened the window meanwhile.
      if v_points > 0 and coalesce(charged - v_points < charge_rate_limits.most[i], true) then
        insert into private.rate_limits as r (key, points, ends_at)
        values (v_key, v_points, v_now + make_interval(secs => charge_rate_limits.seconds[i]))
        on conflict on constraint rate_limits_pkey do update
          set (points, ends_at) = (
                select excluded.points + case when o.is_open then r.points else 0 end,
                       case when o.is_open then r.ends_at else excluded.ends_at end
                  from private.is_open(r.ends_at, charge_rate_limits.seconds[i]) o (is_open)
              )
        returning r.points, r.ends_at into charged, v_ends_at;
        v_opened := v_opened + 1;
      end if;
    end if;
    milliseconds := least(
      ceil(extract(epoch from v_ends_at - v_now) * 1000),
      charge_rate_limits.seconds[i] * 1000.0
    );
    return next;

    -- If one window refuses a request, it is not charged to the next ones.
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

/* By the clock at this moment, not at the start of the request: another may have opened the window since. */
create or replace function private.is_open(ends_at timestamptz, seconds integer)
  returns boolean
  language sql
return is_open.ends_at > clock_timestamp()
  and is_open.ends_at <= clock_timestamp()::timestamptz(3) + make_interval(secs => is_open.seconds);

comment on function private.is_open is
  'Whether a window of so many seconds is open. One that ends later than that from now was opened by a clock that ran ahead, and is over.';
--! EndIncluded rate_limits/charge_rate_limits.sql
--! Included reports/reads.sql
/* An index has all that this reads. Claims that hold their windows do not overlap either: one at most is open at the start. */
create or replace function private.claimed_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
as $$
  select s.building_section, c.start_time, least(c.end_time, claimed_spans.until)
    from parking.spots s
    join parking.claims c on c.spot_id = s.id
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and c.start_time >= claimed_spans."from"
     and c.start_time < claimed_spans.until
     and c.status <> 'cancelled'
  union all
  select s.building_section, claimed_spans."from", least(o.end_time, claimed_spans.until)
    from parking.spots s
   cross join lateral (
     select c.end_time
       from parking.claims c
      where c.spot_id = s.id
        and c.start_time < claimed_spans."from"
        and c.status <> 'cancelled'
      order by c.start_time desc
      limit 1
   ) o
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and o.end_time > claimed_spans."from"
$$;

comment on function private.claimed_spans is
  'What was claimed in a period, of one section or of all: the active and completed claims, cut at its ends.';
grant execute on function private.claimed_spans to parking_api;

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

create or replace function private.hours(span tstzrange)
  returns numeric
  language sql
  immutable
  parallel safe
return round(extract(epoch from upper(span) - lower(span)) / 3600, 3);

comment on function private.hours is
  'The length of a range in hours, to a thousandth; null for an empty one.';
grant execute on function private.hours to parking_reporter;

create or replace function private.midnight(day date)
  returns timestamptz
  language sql
  stable
return midnight.day::timestamp at time zone (private.building()).time_zone;

comment on function private.midnight is
  'The first moment of a day of the building''s calendar.';
grant execute on function private.midnight to parking_api;

/* Indexes have all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
create or replace function private.offered_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
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

/* A report of only those rows that others may see would be wrong. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform row(report_start."from", report_start.until, null)::private.reports; -- or its rules refuse
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator, and under the rules of private.reports.';
grant execute on function private.report_start to parking_api;

create or replace function private.report_steps("from" date, until date, step text)
  returns table (first_day date, start_time timestamptz)
  language sql
  stable
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

/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
begin atomic
  -- Not "from private.building()": that would write down its columns, of which a setting adds one.
  with zone as materialized (select (private.building()).time_zone as name)
  select date_trunc('day', now() at time zone z.name + interval '1 year') at time zone z.name
    from zone z;
end;

comment on function private.reported_until is
  'The midnight at which reports of days and hours end: a year from today, in the time zone of the building.';
grant execute on function private.reported_until to parking_reporter, parking_analyst;

create or replace function private.reported_period(out "from" date, out until date)
  language sql
  stable
begin atomic
  with zone as materialized (select (private.building()).time_zone as name) -- as in private.reported_until
  select (min(a.start_time) at time zone z.name)::date,
         (least(max(a.end_time) + interval '1 day', private.reported_until()) at time zone z.name)::date
    from parking.availabilities a
   cross join zone z
   group by z.name;
end;

comment on function private.reported_period is
  'The days of all windows, up to a year from today; null where there is none.';

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
grant execute on function private.reported_hour_use to parking_reporter, parking_analyst;

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
grant execute on function private.reported_section_use to parking_reporter, parking_analyst;

/* See private.hour_use. Wishes of a resident for the same time, in several sections, count once. */
create or replace function private.wished_hours("from" timestamptz, until timestamptz, section text)
  returns table (
    weekday integer,
    hour integer,
    wished numeric,
    unmet numeric
  )
  language plpgsql
  stable
  security definer -- administrators see no wish, only these numbers
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with residents as (
      select range_agg(w.during) as wished,
             coalesce(range_agg(w.during) filter (where w.claim_id is not null), '{}') as met
        from (
          select i.wisher_id,
                 i.claim_id,
                 tstzrange(i.start_time, i.end_time)
                   * tstzrange(wished_hours."from", wished_hours.until) as during
            from parking.wishes i
            left join parking.spots s on s.id = i.spot_id
           where i.start_time < wished_hours.until
             and i.end_time > wished_hours."from"
             and coalesce(i.building_section, s.building_section, '')
               = coalesce(wished_hours.section, i.building_section, s.building_section, '')
             and (select private.is_administrator())
        ) w
       group by w.wisher_id
    ),
    spans as (
      select unnest(r.wished) as during, 1 as wished, 0 as unmet from residents r
      union all
      select unnest(r.wished - r.met), 0, 1 from residents r
    ),
    changes as (
      select lower(s.during) as moment, s.wished, s.unmet from spans s
      union all
      select upper(s.during), -s.wished, -s.unmet from spans s
      union all
      select h.moment, 0, 0
        from generate_series(wished_hours."from", wished_hours.until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.wished) as wished, sum(c.unmet) as unmet
        from changes c
       group by c.moment
    ),
    steps as (
      select m.moment at time zone v_zone as moment,
             extract(epoch from lead(m.moment) over by_time - m.moment) as seconds,
             sum(m.wished) over by_time as wished,
             sum(m.unmet) over by_time as unmet
        from moments m
      window by_time as (order by m.moment)
    )
    select extract(isodow from s.moment)::integer,
           extract(hour from s.moment)::integer,
           sum(s.wished * s.seconds),
           sum(s.unmet * s.seconds)
      from steps s
     group by 1, 2;
end;
$$;

comment on function private.wished_hours is
  'For how many seconds residents wished for a spot, and had none for it, in each hour of the week over a period; nothing, unless the caller is an administrator.';
grant execute on function private.wished_hours to parking_api;
--! EndIncluded reports/reads.sql
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
--! Included reports/unmet_wishes.sql
create or replace function api.unmet_wishes("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    wished_minutes bigint,
    unmet_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security invoker -- private.report_start refuses all but administrators
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(unmet_wishes."from", unmet_wishes.until);
  -- A wish for a time to come may still be fulfilled.
  v_until constant timestamptz := greatest(v_from, least(private.midnight(unmet_wishes.until), now()));
begin
  return query
    select d.weekday,
           h.hour,
           coalesce(round(u.wished / 60), 0)::bigint,
           coalesce(round(u.unmet / 60), 0)::bigint,
           round(u.unmet / nullif(u.wished, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join private.wished_hours(v_from, v_until, unmet_wishes.section) u
             on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function api.unmet_wishes is
  'How much residents waited for in each hour of the week, and how much of it in vain';
grant execute on function api.unmet_wishes to parking_api;
--! EndIncluded reports/unmet_wishes.sql
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
  perform row(use_by_section."from", use_by_section.until, v_rows)::private.reports;
end;
$$;

comment on function api.use_by_section is
  'How much each section was offered and claimed, by days or weeks';
grant execute on function api.use_by_section to parking_api;
--! EndIncluded reports/use_by_section.sql
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

-- Tables that administrators write.
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

-- Others may write these too. A person who was an administrator when the statement began must still be one.
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
--! Included totals/add_counts.sql
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
      v_add.day := v_day;
      insert into private.day_counts overriding user value -- its id is generated
      select v_add.*;
    end if;
  end loop;
end;
$$;

comment on function private.add_day_counts is
  'Adds windows or claims with these times, or with negative numbers takes them away. A claim and the window that it takes are added together, so that a day that they share is written once. For triggers.';

/* No writer waits for another: see private.add_day_counts. */
create or replace function private.add_person_count(person_id uuid, counted text, number bigint)
  returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.person_counts c
     set number = c.number + add_person_count.number
   where c.id = (
     select unlocked.id
       from private.person_counts unlocked
      where unlocked.person_id = add_person_count.person_id
        and unlocked.counted = add_person_count.counted
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
    insert into private.person_counts (person_id, counted, number)
    values (add_person_count.person_id, add_person_count.counted, add_person_count.number);
  end if;
end;
$$;

comment on function private.add_person_count is
  'Adds to, or with a negative number takes from, a count of a person. For triggers.';

/* Counts are kept for each day, and a day must be the same in every session. */
create or replace function private.utc_day(moment timestamptz)
  returns date
  language sql
  immutable
  parallel safe
return (moment at time zone 'UTC')::date;

comment on function private.utc_day is
  'The day of a moment in UTC.';
--! EndIncluded totals/add_counts.sql
--! Included totals/recount.sql
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

/* Counts can only differ from the rows where somebody wrote with triggers turned off, or truncated a table. */
create or replace view private.count_drifts
  with (security_invoker)
as
  select b.day, b.person_id, b.counted, sum(b.kept) as kept, sum(b.actual) as actual
    from (
      select a.day, a.person_id, a.counted, 0 as kept, a.number as actual
        from private.actual_counts a
      union all
      select d.day, null as person_id, n.key, n.value::integer, 0
        from private.day_counts d
       cross join lateral jsonb_each_text(to_jsonb(d) - '{id,day}'::text[]) n
      union all
      select null as day, p.person_id, p.counted, p.number, 0
        from private.person_counts p
    ) b
   group by b.day, b.person_id, b.counted
  having sum(b.kept) <> sum(b.actual);

comment on view private.count_drifts is
  'The counts that differ from the windows and claims: no row while all is well. Slow: reads all of them.';
comment on column private.count_drifts.day is
  'The day in UTC, for a count of a day.';
comment on column private.count_drifts.person_id is
  'The claimer, for a count of a person.';
comment on column private.count_drifts.counted is
  'The column of private.day_counts, or the value of private.person_counts.counted.';
comment on column private.count_drifts.kept is
  'What the counts say.';
comment on column private.count_drifts.actual is
  'How many there are.';

/* After rows were written with triggers turned off: a restore of one table, a bulk load. */
create or replace function private.recount()
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A writer of windows or claims writes this table after them, and before private.person_counts. With this
  -- lock, those who have counted have committed; the others wait here, and add to the new counts. Windows and
  -- claims are not locked: writers take them in any order.
  lock table private.day_counts in share row exclusive mode;

  delete from private.day_counts;
  insert into private.day_counts overriding user value -- its id is generated
  select c.*
    from (
      select a.day, jsonb_object_agg(a.counted, a.number) as counts
        from private.actual_counts a
       where a.day is not null
       group by a.day
    ) d
   cross join lateral jsonb_populate_record(
     row(null, d.day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::private.day_counts, d.counts
   ) c
   order by c.day;

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
--! Included webhook_secrets/give_webhook_secret.sql
create or replace function private.give_webhook_secret(webhook_id uuid)
  returns text
  language plpgsql
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
--! Included webhooks/effects.sql
/* The deliveries of a webhook, sent or not, are deleted with it. */
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

create or replace trigger end_deliveries
  after delete on parking.webhooks
  for each row
  execute function private.end_deliveries();

-- A webhook that is turned on again has five new days to fail.
create or replace trigger forget_failures
  before update of enabled on parking.webhooks
  for each row
  when (new.enabled and not old.enabled)
  execute function private.set_columns('{"failing_since": null}');
--! EndIncluded webhooks/effects.sql
--! Included webhooks/reads.sql
create or replace function api.get_webhook(id uuid)
  returns setof parking.webhooks
  language sql
  stable
  rows 1
as $$
  select w.*
    from parking.webhooks w
   where w.id = get_webhook.id
$$;

comment on function api.get_webhook is
  'One webhook';
grant execute on function api.get_webhook to parking_api;

create or replace function api.list_webhooks()
  returns setof parking.webhooks
  language sql
  stable
as $$
  select w.*
    from parking.webhooks w
$$;

comment on function api.list_webhooks is
  'Where events are sent, newest first';
grant execute on function api.list_webhooks to parking_api;

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
--! EndIncluded webhooks/reads.sql
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
--! Included mails/views.sql
/*
 * The people who can get mail. An address that the identity provider did not confirm may belong to somebody
 * else, who must not read it. A person who is not approved reads only that they were rejected.
 */
create or replace view private.mail_recipients
  with (security_invoker)
as
  select p.id,
         u.email,
         p.is_admin,
         case
         when p.is_approved then coalesce(f.mail, b.mail)
         else array(select k.kind from unnest(coalesce(f.mail, b.mail)) k (kind) where k.kind = 'profile.rejected')
       end as mail,
         coalesce(f.language, b.language) as language,
         coalesce(f.remind_minutes, b.remind_minutes) as remind_minutes
    from parking.profiles p
    join private.users u on u.id = p.id
   cross join parking.building b
    left join parking.preferences f on f.person_id = p.id
   where (p.is_approved or p.rejection_reason is not null)
     and u.email_confirmed_at is not null
     and u.erased_at is null;

comment on view private.mail_recipients is
  'People with a confirmed address who are approved, or rejected, and what they want by mail.';
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

/* A person who was approved before was suspended, and waits for nothing. Nor does one who was rejected. */
create or replace view private.waiting_people
  with (security_invoker)
as
  select p.id, p.full_name, p.apartment_number, p.created_at
    from parking.profiles p
    join private.users u on u.id = p.id
   where not p.is_approved
     and p.rejection_reason is null
     and u.erased_at is null
     and not p.is_suspended;

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
--! EndIncluded mails/views.sql
--! Included reports/views/availabilities.sql
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
--! Included reports/views/building.sql
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
grant select on reporting.building to parking_reporter, parking_analyst;
--! EndIncluded reports/views/building.sql
--! Included reports/views/claims.sql
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
         c.cancelled_by,
         c.availability_id
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
comment on column reporting.claims.availability_id is
  'The window that it takes, by its id in reporting.availabilities.';
grant select on reporting.claims to parking_reporter;
--! EndIncluded reports/views/claims.sql
--! Included reports/views/demand_by_hour.sql
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
grant select on reporting.demand_by_hour to parking_reporter, parking_analyst;
--! EndIncluded reports/views/demand_by_hour.sql
--! Included reports/views/events.sql
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
--! Included reports/views/occupancy_by_hour.sql
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
grant select on reporting.occupancy_by_hour to parking_reporter, parking_analyst;
--! EndIncluded reports/views/occupancy_by_hour.sql
--! Included reports/views/people.sql
/* The time that each person gives and takes. Seconds are added up, not intervals: 750 that last until the year 9999 are too long for one. */
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
--! Included reports/views/rules.sql
create or replace view reporting.rules as
  select r.name,
         r."table",
         r.kind,
         r.status,
         r.field,
         r.message
    from private.rules r;

comment on view reporting.rules is
  'The rule catalogue: one row for each rule and table.';
comment on column reporting.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column reporting.rules."table" is
  'The table it is about, or the domain.';
comment on column reporting.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, domain, trigger or policy.';
comment on column reporting.rules.status is
  'The HTTP status of a refusal.';
comment on column reporting.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column reporting.rules.message is
  'What the caller reads.';
grant select on reporting.rules to parking_reporter;
--! EndIncluded reports/views/rules.sql
--! Included reports/views/section_utilisation.sql
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
grant select on reporting.section_utilisation to parking_reporter, parking_analyst;
--! EndIncluded reports/views/section_utilisation.sql
--! Included reports/views/spot_reports.sql
create or replace view reporting.spot_reports as
  select r.id,
         r.spot_id,
         s.spot_number,
         s.building_section,
         r.reporter_id,
         r.reporter_id = s.owner_id as is_by_owner,
         r.is_resolved,
         r.created_at
    from parking.spot_reports r
    join parking.spots s on s.id = r.spot_id;

comment on view reporting.spot_reports is
  'One row for each report of a stranger''s car, as long as the building keeps notifications.';
comment on column reporting.spot_reports.id is
  'The report.';
comment on column reporting.spot_reports.spot_id is
  'The spot on which the car stood.';
comment on column reporting.spot_reports.spot_number is
  'The number on the ground.';
comment on column reporting.spot_reports.building_section is
  'Section or location of the spot.';
comment on column reporting.spot_reports.reporter_id is
  'Who reported it; a key to count by, not a name.';
comment on column reporting.spot_reports.is_by_owner is
  'Whether that is the owner of the spot, not who had claimed it.';
comment on column reporting.spot_reports.is_resolved is
  'Whether an administrator has dealt with it.';
comment on column reporting.spot_reports.created_at is
  'When it was reported.';
grant select on reporting.spot_reports to parking_reporter;
--! EndIncluded reports/views/spot_reports.sql
--! Included reports/views/spot_utilisation.sql
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
--! Included reports/views/spots.sql
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
--! Included reports/views/use_by_month.sql
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
grant select on reporting.use_by_month to parking_reporter, parking_analyst;
--! EndIncluded reports/views/use_by_month.sql
--! Included reports/views/wishes.sql
create or replace view reporting.wishes as
  select w.id,
         w.wisher_id,
         coalesce(w.building_section, s.building_section) as building_section,
         w.spot_id,
         w.start_time,
         w.end_time,
         w.created_at,
         private.hours(tstzrange(w.created_at, greatest(w.start_time, w.created_at))) as lead_hours,
         w.claim_id,
         case
           when w.claim_id is not null then 'met'
           when w.start_time > now() then 'open'
           else 'in vain'
         end as outcome
    from parking.wishes w
    left join parking.spots s on s.id = w.spot_id;

comment on view reporting.wishes is
  'One row for each time for which a resident waited for a spot, and did not withdraw the wish.';
comment on column reporting.wishes.id is
  'The wish.';
comment on column reporting.wishes.wisher_id is
  'The resident who waits; a key to count by, not a name.';
comment on column reporting.wishes.building_section is
  'The section in which a spot is wanted; null: in any.';
comment on column reporting.wishes.spot_id is
  'The spot that is wanted; null: any.';
comment on column reporting.wishes.start_time is
  'From when on a spot is wanted.';
comment on column reporting.wishes.end_time is
  'Until when it is wanted.';
comment on column reporting.wishes.created_at is
  'When the resident asked.';
comment on column reporting.wishes.lead_hours is
  'How long before its start the resident asked.';
comment on column reporting.wishes.claim_id is
  'The claim that fulfilled it, by its id in reporting.claims.';
comment on column reporting.wishes.outcome is
  'met, open, or in vain where its start came first.';
grant select on reporting.wishes to parking_reporter;
--! EndIncluded reports/views/wishes.sql
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
--! Included calendar_feeds/policies.sql
/* Approved residents have a feed of their own, and see no other. */
alter table parking.calendar_feeds enable row level security;

drop policy if exists select_own on parking.calendar_feeds;
create policy select_own on parking.calendar_feeds
  for select to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists insert_own on parking.calendar_feeds;
create policy insert_own on parking.calendar_feeds
  for insert to parking_api
  with check (person_id = (select private.caller_id()));

drop policy if exists update_own on parking.calendar_feeds;
create policy update_own on parking.calendar_feeds
  for update to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists delete_own on parking.calendar_feeds;
create policy delete_own on parking.calendar_feeds
  for delete to parking_api
  using (person_id = (select private.caller_id()));

-- No select of secret_hash: private.enter_calendar_feed compares it.
grant select (person_id, language, created_at), delete on parking.calendar_feeds to parking_api;
-- No insert of person_id: it is the caller by default. No update of it: feeds do not change hands.
grant insert (secret_hash, language) on parking.calendar_feeds to parking_api;
grant update (secret_hash, language) on parking.calendar_feeds to parking_api;
--! EndIncluded calendar_feeds/policies.sql
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
--! Included calendar_feeds/rules/calendar_feeds_of_a_resident.sql
alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_of_a_resident,
  add constraint calendar_feeds_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint calendar_feeds_of_a_resident on parking.calendar_feeds is
  E'@status 404\nUser profile not found';
--! EndIncluded calendar_feeds/rules/calendar_feeds_of_a_resident.sql
--! Included calendar_feeds/rules/calendar_feeds_secrets_are_hashed.sql
alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_secrets_are_hashed,
  add constraint calendar_feeds_secrets_are_hashed
    check (octet_length(secret_hash) = 32);

comment on constraint calendar_feeds_secrets_are_hashed on parking.calendar_feeds is
  E'@de Diese Adresse taugt nicht für einen Kalender.\nThe secret of a calendar feed is kept as its SHA-256';
--! EndIncluded calendar_feeds/rules/calendar_feeds_secrets_are_hashed.sql
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
--! Included events/rules/events_reason_is_one_line.sql
alter table private.events
  drop constraint if exists events_reason_is_one_line,
  add constraint events_reason_is_one_line
    check (private.is_one_line(reason, 1, 300));

comment on constraint events_reason_is_one_line on private.events is
  E'@field reason\n@de Der Grund hat 1 bis 300 Zeichen in einer Zeile.\nreason must be 1 to 300 characters on one line';
--! EndIncluded events/rules/events_reason_is_one_line.sql
--! Included events/rules/events_type_is_known.sql
alter table private.events
  drop constraint if exists events_type_is_known,
  add constraint events_type_is_known
    check (private.is_event_type(type));

comment on constraint events_type_is_known on private.events is
  E'@field type\ntype must be a known type of event';
--! EndIncluded events/rules/events_type_is_known.sql
--! Included exceptions/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.exceptions;
create policy approved_account_required on parking.exceptions
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.exceptions is
  E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved';
--! EndIncluded exceptions/rules/approved_account_required.sql
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
-- Each day of a shared time may be a window of its own, if the building limits the length of windows.
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
--! Included freed_times/rules/freed_times_are_not_empty.sql
alter table private.freed_times
  drop constraint if exists freed_times_are_not_empty,
  add constraint freed_times_are_not_empty
    check (not isempty(during));

comment on constraint freed_times_are_not_empty on private.freed_times is
  'A time that became free is not empty';
--! EndIncluded freed_times/rules/freed_times_are_not_empty.sql
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
--! Included page_files/rules/page_files_name_has_a_hash.sql
alter table private.page_files
  drop constraint if exists page_files_name_has_a_hash,
  add constraint page_files_name_has_a_hash
    check (name ~ '^[a-zA-Z0-9_.-]{1,60}\.[A-Z0-9]{8}\.[a-z0-9]{2,5}$');

comment on constraint page_files_name_has_a_hash on private.page_files is
  'A file of the page has a hash of its content in its name';
--! EndIncluded page_files/rules/page_files_name_has_a_hash.sql
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
  E'@field remind_minutes\n@de Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.\nremind_minutes must be 5 to 10080, a week';
--! EndIncluded preferences/rules/preferences_remind_in_time.sql
--! Included profiles/policies.sql
/* Nobody deletes a profile: spots and claims refer to it. */
alter table parking.profiles enable row level security;

drop policy if exists select_own_or_as_administrator on parking.profiles;
create policy select_own_or_as_administrator on parking.profiles
  for select to parking_api
  using (
    id = (select private.caller_id())
    or (select private.is_administrator()) -- last: one's own row does not ask
  );

drop policy if exists insert_own on parking.profiles;
create policy insert_own on parking.profiles
  for insert to parking_api
  with check (id = (select private.caller_id()));

drop policy if exists update_own on parking.profiles;
create policy update_own on parking.profiles
  for update to parking_api
  using (id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.profiles;
create policy update_as_administrator on parking.profiles
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.profiles to parking_api;
grant insert (id, email, full_name, apartment_number, phone_number, shares_phone_number, vehicle)
  on parking.profiles to parking_api;
-- No update of email: it follows private.users through the foreign key.
grant update (
    full_name, apartment_number, phone_number, shares_phone_number, vehicle,
    is_approved, is_admin, is_suspended, rejection_reason
  )
  on parking.profiles to parking_api;
--! EndIncluded profiles/policies.sql
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
--! Included export/subjects.sql
/* The log names only what an event is about. What is deleted is found by its deletion. */
create or replace view private.subjects
  with (security_invoker)
as
  select p.id as person_id, p.id as subject_id
    from parking.profiles p
  union
  select s.owner_id, s.id
    from parking.spots s
  union
  select a.owner_id, a.id
    from parking.availabilities a
  union
  select c.claimer_id, c.id
    from parking.claims c
  union
  select c.owner_id, c.id
    from parking.claims c
   where (select private.is_approved()) -- as the policies show claims of others
  union
  select r.reporter_id, r.id
    from parking.spot_reports r
  union
  select e.actor_id, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'availability.deleted', 'claim.deleted')
     and e.reason is null -- an administrator gives one
  union
  select coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'claim.deleted');

comment on view private.subjects is
  'What belongs to each person, or belonged: profile, spots, windows, claims made and received, and reports.';
comment on column private.subjects.person_id is
  'The person.';
comment on column private.subjects.subject_id is
  'What events are about.';
--! EndIncluded export/subjects.sql
--! Included export/exports.sql
/*
 * All that is held about people: each table that names a person has a part here. A person finds the ids of a
 * part, and an id finds its record again. Small parts stand under the id of the person. Values made from a row
 * stand in "record" alone, so that a search for ids does not compute them.
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
  select 'wishes', w.wisher_id, w.id, to_jsonb(w) - 'asked_in'
    from parking.wishes w
  union all
  select 'freed_times', f.freed_by, f.freed_by, to_jsonb(f) - 'freed_in'
    from private.freed_times f
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
  -- Only the act, if others own the row.
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
--! Included export/reads.sql
create or replace function api.export_profile()
  returns table (member text, ids uuid[])
  language plpgsql
  stable
  security invoker -- private.exported_ids and private.exported show the caller's own records only
  set search_path = ''
as $$
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  return query select e.member, e.ids from private.exported_ids() e;
end;
$$;

comment on function api.export_profile is
  'All that the service holds about you; also before approval';
grant execute on function api.export_profile to parking_api;

create or replace function private.exported(member text, ids uuid[])
  returns setof jsonb
  language sql
  stable
  security definer -- the log, sign-in data and counts are closed to the API role; these are only the caller's own
  set search_path = ''
as $$
  select jsonb_strip_nulls(e.record)
    from private.exports e
   where e.member = exported.member
     and e.person_id = (select private.caller_id())
     and e.id = any (exported.ids)
   order by e.id
$$;

comment on function private.exported is
  'The records that are held about the caller under these ids, of one member of the export.';
grant execute on function private.exported to parking_api;

create or replace function private.exported_ids()
  returns table (member text, ids uuid[])
  language sql
  stable
  security definer -- the log, sign-in data and counts are closed to the API role; these are only the caller's own
  set search_path = ''
as $$
  select n.member, array_agg(n.id order by n.id)
    from (
      select x.member, x.id, (row_number() over (partition by x.member order by x.id) - 1) / 1000 as piece
        from (
          select distinct e.member, e.id
            from private.exports e
           where e.person_id = (select private.caller_id())
        ) x
    ) n
   group by n.member, n.piece
   order by n.member, n.piece
$$;

comment on function private.exported_ids is
  'The ids of all that is held about the caller, by members of the export, a thousand at most in each row.';
grant execute on function private.exported_ids to parking_api;
--! EndIncluded export/reads.sql
