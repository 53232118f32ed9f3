--! Previous: sha1:e021439b68aa121ad8f46a9dd552465f9b0611ca
--! Hash: sha1:7988d3c0041cd043d7691f9618ed433077842b4e
--! Message: a residents week

-- They have more arguments now.
drop function if exists api.create_claim(uuid, timestamptz, timestamptz);
drop function if exists api.update_claim(uuid, text, timestamptz, timestamptz);
drop function if exists api.create_profile(text, text, text, boolean);
drop function if exists api.update_profile(text, text, text, boolean);

-- Its file makes it again: what it compares has a name now, private.number_key.
drop index if exists parking.spots_spot_number_is_unique;
--! Included support/plate.sql
/* People write one plate in many ways. */
create or replace function private.plate(value text)
  returns text
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return regexp_replace(upper(normalize(value, nfkc)), '[ \u2010-\u2015\u2212-]', '', 'g');
end;
$$;

comment on function private.plate is
  'A plate as it is compared: without case, spaces and hyphens, and without forms such as full-width ones.';
grant execute on function private.plate to parking_api;
--! EndIncluded support/plate.sql
--! Included users/address_key.sql
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
--! EndIncluded users/address_key.sql
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

alter table private.users enable row level security;
-- No policy and no grant: the API role reaches users through private.remember_user only.

comment on table private.users is
  'What the identity provider''s tokens say of a person, one row per registered person.';
comment on column private.users.id is
  'The subject of the token.';
comment on column private.users.email is
  'The address in the last token that had one.';
comment on column private.users.email_confirmed_at is
  'When the provider confirmed the address; without that claim, when a token first had email_verified.';
comment on column private.users.created_at is
  'When the user was first seen.';
comment on column private.users.updated_at is
  'When the row last changed.';
comment on column private.users.erased_at is
  'When the personal data was erased. From then on tokens no longer refresh it.';

create index if not exists users_confirmed_address_idx
  on private.users (private.address_key(email))
  where email_confirmed_at is not null;

create or replace trigger touch
  before update on private.users
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded users/table.sql
--! Included users/said_by_token.sql
/* What the sign-in data of a user are, now that the caller's token has come. */
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
--! EndIncluded users/said_by_token.sql
--! Included profiles/table.sql
/* One profile for each person who registered with the building. */
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
  add column if not exists vehicle text;

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
comment on column parking.profiles.created_at is
  'When the account was registered.';
comment on column parking.profiles.updated_at is
  'When the row last changed.';

alter table parking.profiles
  add column if not exists is_approved_by_groups boolean not null default false,
  add column if not exists is_admin_by_groups boolean not null default false;

comment on column parking.profiles.is_approved_by_groups is
  'Whether the groups of the identity provider decided is_approved when the person last came.';
comment on column parking.profiles.is_admin_by_groups is
  'Whether the groups of the identity provider decided is_admin when the person last came.';

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
--! Included identity/claimed_by_groups.sql
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
begin
  if jsonb_typeof(v_claimed) is distinct from 'boolean'
    or exists (
      select from private.users u
       where u.id = (select private.caller_id())
         and u.erased_at is not null -- whatever the groups say, the account stays closed
    )
  then
    return null;
  end if;
  return v_claimed;
end;
$$;

comment on function private.claimed_by_groups is
  'For private.decided_by_groups: reads the flag from the claims of the token.';
grant execute on function private.claimed_by_groups to parking_api;
--! EndIncluded identity/claimed_by_groups.sql
--! Included identity/decided_by_groups.sql
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
--! EndIncluded identity/decided_by_groups.sql
--! Included identity/flags_by_groups.sql
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
--! EndIncluded identity/flags_by_groups.sql
--! Included identity/is_administrator.sql
/* An administrator counts as one only while the account is approved. */
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
--! EndIncluded identity/is_administrator.sql
--! Included identity/is_approved.sql
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
--! EndIncluded identity/is_approved.sql
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
  'The subject as clients saw it afterwards; for a deletion, as it was.';
comment on column private.events.reason is
  'Why, where an administrator acted on what belongs to another resident.';
comment on column private.events.occurred_at is
  'When the change was made.';

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
--! Included spots/number_key.sql
/*
 * Which numbers are the same: those that differ in case or in form only (full-width, superscript,
 * composed accent), and those with another hyphen or dash, which editors put in by themselves.
 */
create or replace function private.number_key(spot_number text)
  returns text
  language sql
  immutable
  strict
  parallel safe
return regexp_replace(
  normalize(casefold(normalize(number_key.spot_number, nfkc) collate pg_unicode_fast), nfkc),
  '[\u2010-\u2015\u2212]', '-', 'g'
);

comment on function private.number_key is
  'What the number of a spot is compared by: without case, compatibility forms (NFKC) and kinds of hyphens.';
grant execute on function private.number_key to parking_api;
--! EndIncluded spots/number_key.sql
--! Included invitations/spot_keys.sql
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
--! EndIncluded invitations/spot_keys.sql
--! Included invitations/table.sql
/* Whom an administrator expects: who registers with the confirmed address is approved at once. */
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
       u.erased_at is not null -- nothing refreshes it (private.remember_user, private.follow_groups)
       or (
         u.email, u.email_confirmed_at,
         p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups
       ) is not distinct from (
         said.email, said.email_confirmed_at,
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups
       )
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user or private.follow_groups would write, or there is none.';
grant execute on function private.known_profile to parking_api;
--! EndIncluded profiles/known_profile.sql
--! Included profiles/create_profile.sql
drop function if exists api.create_profile(text, text, text, boolean[]);
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

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.create_profile(
    apartment_number text,
    full_name text,
    phone_number text,
    variadic shares_phone_number boolean[]
)
  returns parking.profiles
  language sql
  stable
return null::parking.profiles;

comment on function api.create_profile(text, text, text, boolean[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.create_profile(text, text, text, boolean[]) to parking_api;
--! EndIncluded profiles/create_profile.sql
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

  delete from parking.wishes w
   where w.wisher_id = end_of_person.id
     and w.claim_id is null
     and w.start_time > v_now;
  delete from parking.patterns p
   where p.owner_id = end_of_person.id;

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
  'Cancels the claims of the person with this id that have not ended, and those on their spots; ends their patterns, free windows and wishes; completes what has ended; deletes their exceptions.';
--! EndIncluded profiles/end_of_person.sql
--! Included profiles/enforce_an_administrator.sql
/* Only administrators approve accounts and make administrators, so one of them must remain. */
create or replace function private.enforce_an_administrator()
  returns trigger
  language plpgsql
  security definer -- reads the profiles of all administrators, which the caller may not see
  set search_path = ''
as $$
begin
  -- What the identity provider decides it can give to the next one.
  if tg_op = 'UPDATE'
    and (new.is_admin or private.decided_by_groups('is_admin') is not null)
    and (new.is_approved or private.decided_by_groups('is_approved') is not null)
  then
    return new;
  end if;

  -- Locked, not only read: a snapshot may be older than the removal of that administrator, and
  -- then only the lock fails.
  perform
     from parking.profiles p
    where p.is_admin
      and p.is_approved
      and p.id <> old.id
    limit 1
      for share;

  if not found then
    perform private.refuse(tg_name, '23514');
  end if;

  return case tg_op when 'DELETE' then old else new end;
end;
$$;

comment on function private.enforce_an_administrator is
  'Trigger function: refuses to remove the last approved administrator.';
--! EndIncluded profiles/enforce_an_administrator.sql
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
   where n.recipient_id = erase_from_texts.id
      -- The log, from which other messages are made anew, has none of these; the windows have ended.
      or (
        n.kind = 'wish.fits'
        and n.spot_id in (
          select e.subject_id
            from private.events e
           where e.type like 'spot.%'
             and e.data ->> 'owner_id' = erase_from_texts.id::text
        )
      );

  -- What the person typed may be a name; a section that there is, is none.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_from_texts.id
     and w.building_section <> all (v_sections);

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

  -- Limits of a section that was named after the person, and has no spots now.
  delete from parking.section_limits l
   where l.building_section <> all (v_sections)
     and private.without_names(l.building_section, v_names) <> l.building_section;

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

  perform private.erase_guests(erase_person.id);

  insert into private.events (type, subject_id, data)
  values ('profile.erased', v_profile.id, private.event_data('profile', to_jsonb(v_profile)));

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
--! Included profiles/follow_groups.sql
/*
 * Rules about other people, such as that the owner of a claimed spot is approved, read the profile:
 * it keeps what the groups in the person's last token said. The service calls this when a token comes
 * for the first time, so they hold from that request on.
 */
create or replace function private.follow_groups()
  returns void
  language plpgsql
  volatile
  security definer -- the flags are not the person's own to write
  set search_path = ''
as $$
begin
  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if not exists (
    select from parking.profiles p
     cross join lateral private.flags_by_groups(p) flags
     where p.id = (select private.caller_id())
       and (p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups)
         is distinct from
         (flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups)
  ) then
    return;
  end if;

  -- The row as it is once it is locked: an administrator may set the other flag at this moment.
  perform private.lock_person(private.caller_id());
  update parking.profiles p
     set (is_approved, is_admin, is_approved_by_groups, is_admin_by_groups) =
           (select flags.* from private.flags_by_groups(p) flags)
   where p.id = (select private.caller_id());
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
  security invoker
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
  volatile
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
--! Included profiles/names_of.sql
/* People write names into free texts: reasons and the descriptions of spots. */
create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  set search_path = ''
begin atomic
  with known as (
    select p.full_name, p.email, p.phone_number, p.vehicle
      from parking.profiles p
     where p.id = names_of.id
    union all
    select e.data ->> 'full_name', e.data ->> 'email', e.data ->> 'phone_number', e.data ->> 'vehicle'
      from private.events e
     where e.subject_id = names_of.id
       and e.type like 'profile.%'
    union all
    select i.full_name, i.email, null as phone_number, null as vehicle
      from parking.invitations i
     where i.profile_id = names_of.id
  )
  select array_agg(distinct n.name)
    from known k
   cross join lateral (
     values (k.full_name), (k.email), (k.phone_number), (k.vehicle)
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
  'The names, in whole and in part, and the addresses, phone numbers and plates that a person has or had.';
--! EndIncluded profiles/names_of.sql
--! Included profiles/update_profile.sql
drop function if exists api.update_profile(text, text, text, boolean[]);
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

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_profile(
    apartment_number text,
    full_name text,
    phone_number text,
    variadic shares_phone_number boolean[]
)
  returns parking.profiles
  language sql
  stable
return null::parking.profiles;

comment on function api.update_profile(text, text, text, boolean[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_profile(text, text, text, boolean[]) to parking_api;
--! EndIncluded profiles/update_profile.sql
--! Included profiles/policies.sql
/* Who may see and write profiles. No role deletes one: spots and claims refer to it. */
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
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin
  )
  on parking.profiles to parking_api;
--! EndIncluded profiles/policies.sql
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
  E'@status 409\nThe identity provider decides who administers';
--! EndIncluded profiles/rules/profiles_administrators_by_groups.sql
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
  E'@status 409\nThe identity provider decides who is approved';
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
  'You can only update your own profile';
--! EndIncluded profiles/rules/profiles_describe_oneself.sql
--! Included profiles/rules/profiles_erased_stay_erased.sql
create or replace trigger profiles_erased_stay_erased
  before update of
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle,
      new.is_approved, new.is_admin
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle,
      old.is_approved, old.is_admin
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  'This account was erased';
--! EndIncluded profiles/rules/profiles_erased_stay_erased.sql
--! Included profiles/rules/profiles_vehicle_is_a_plate.sql
alter table parking.profiles
  drop constraint if exists profiles_vehicle_is_a_plate,
  add constraint profiles_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint profiles_vehicle_is_a_plate on parking.profiles is
  E'@field vehicle\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded profiles/rules/profiles_vehicle_is_a_plate.sql
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
  add column if not exists offer_minutes integer;

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
    pattern_days, rest_stays_on_offer, offer_minutes
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

comment on function private.enforce_limit is
  'Trigger function: refuses what the trigger''s WHEN clause describes where the statement writes what the argument names: end or length.';
--! EndIncluded building/enforce_limit.sql
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
    offer_minutes integer default null
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
         offer_minutes = nullif(coalesce(update_building.offer_minutes, b.offer_minutes), 0)
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
--! Included building/rules/building_limits_are_in_range.sql
alter table parking.building
  drop constraint if exists building_limits_are_in_range,
  add constraint building_limits_are_in_range
    check (
      least(
        longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, most_active_claims, offer_minutes
      ) >= 1
      and greatest(longest_window_days, horizon_days) <= 36500
      and greatest(
        shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, offer_minutes
      ) <= 525600
      and most_active_claims <= 1000
    );

comment on constraint building_limits_are_in_range on parking.building is
  'A limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded building/rules/building_limits_are_in_range.sql
--! Included building/rules/building_pattern_days_within_a_year.sql
alter table parking.building
  drop constraint if exists building_pattern_days_within_a_year,
  add constraint building_pattern_days_within_a_year
    check (pattern_days >= 1 and pattern_days <= 366);

comment on constraint building_pattern_days_within_a_year on parking.building is
  E'@field pattern_days\nThe windows of patterns are published for 1 to 366 days';
--! EndIncluded building/rules/building_pattern_days_within_a_year.sql
--! Included spots/rules/spots_spot_number_is_unique.sql
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (private.number_key(spot_number));

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
--! EndIncluded spots/rules/spots_spot_number_is_unique.sql
--! Included section_limits/table.sql
/* Limits that hold in a part of the building. A section is what the spots call it; most have no row here. */
create table if not exists parking.section_limits (
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
  constraint section_limits_pkey primary key (building_section)
);

comment on table parking.section_limits is
  E'@absent Section not found\nThe limits of a section that are not those of the building.';
comment on column parking.section_limits.building_section is
  'The section, as its spots name it.';
comment on column parking.section_limits.longest_window_days is
  'How long a window may last, in calendar days. Null: the limit of the building.';
comment on column parking.section_limits.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: the limit of the building.';
comment on column parking.section_limits.shortest_claim_minutes is
  'How long a claim lasts at least. Null: the limit of the building.';
comment on column parking.section_limits.longest_claim_minutes is
  'How long a claim lasts at most. Null: the limit of the building.';
comment on column parking.section_limits.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: the limit of the building.';
comment on column parking.section_limits.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: the limit of the building.';
comment on column parking.section_limits.most_active_claims is
  'How many claims in this section that have not ended a resident may have, completed ones included; those of the building do not count then. Null: counted with the building''s.';
comment on column parking.section_limits.created_at is
  'When the section got limits of its own.';
comment on column parking.section_limits.updated_at is
  'When the row last changed.';

alter table parking.section_limits enable row level security;

drop policy if exists select_all on parking.section_limits;
create policy select_all on parking.section_limits
  for select to parking_api
  using (true);

drop policy if exists insert_as_administrator on parking.section_limits;
create policy insert_as_administrator on parking.section_limits
  for insert to parking_api
  with check ((select private.is_administrator()));

drop policy if exists update_as_administrator on parking.section_limits;
create policy update_as_administrator on parking.section_limits
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.section_limits to parking_api;
grant insert (building_section) on parking.section_limits to parking_api;
grant update (
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.section_limits to parking_api;
-- No delete: a row of nulls limits nothing.

create or replace trigger touch
  before update on parking.section_limits
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded section_limits/table.sql
--! Included section_limits/view.sql
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
       group by o.building_section
    ) s
    full join parking.section_limits l using (building_section)
   where s.total_spots > 0
      or num_nonnulls(
           l.longest_window_days, l.horizon_days, l.shortest_claim_minutes, l.longest_claim_minutes,
           l.claim_notice_minutes, l.cancellation_cutoff_minutes, l.most_active_claims
         ) > 0;

comment on view parking.sections is
  E'@absent Section not found\n@primaryKey building_section\nA part of the building: its number of spots, and the limits that are not those of the building.';
comment on column parking.sections.building_section is
  'The section, as its spots name it.';
comment on column parking.sections.total_spots is
  'How many spots are in it.';
comment on column parking.sections.longest_window_days is
  'How long a window may last, in calendar days. Null: the limit of the building.';
comment on column parking.sections.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: the limit of the building.';
comment on column parking.sections.shortest_claim_minutes is
  'How long a claim lasts at least. Null: the limit of the building.';
comment on column parking.sections.longest_claim_minutes is
  'How long a claim lasts at most. Null: the limit of the building.';
comment on column parking.sections.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: the limit of the building.';
comment on column parking.sections.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: the limit of the building.';
comment on column parking.sections.most_active_claims is
  'How many claims in this section that have not ended a resident may have, completed ones included; those of the building do not count then. Null: counted with the building''s.';
grant select on parking.sections to parking_api;
--! EndIncluded section_limits/view.sql
--! Included section_limits/get_section.sql
create or replace function api.get_section(building_section text)
  returns setof parking.sections
  language sql
  stable
  security invoker
  rows 1
as $$
  select s.*
    from parking.sections s
   where s.building_section = get_section.building_section
$$;

comment on function api.get_section is
  'One section';
grant execute on function api.get_section to parking_api;
--! EndIncluded section_limits/get_section.sql
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
  select null,
         b.longest_window_days, b.horizon_days,
         b.shortest_claim_minutes, b.longest_claim_minutes, b.claim_notice_minutes,
         b.cancellation_cutoff_minutes, b.most_active_claims
    into v_limits
    from parking.building b;

  -- Asked several times for each claim, and most buildings have none.
  if pg_relation_size('parking.section_limits', 'main') > 0 then
    select l.building_section,
           coalesce(l.longest_window_days, v_limits.longest_window_days),
           coalesce(l.horizon_days, v_limits.horizon_days),
           coalesce(l.shortest_claim_minutes, v_limits.shortest_claim_minutes),
           coalesce(l.longest_claim_minutes, v_limits.longest_claim_minutes),
           coalesce(l.claim_notice_minutes, v_limits.claim_notice_minutes),
           coalesce(l.cancellation_cutoff_minutes, v_limits.cancellation_cutoff_minutes),
           coalesce(l.most_active_claims, v_limits.most_active_claims)
      into v_limits
      from (select) always
      left join (
        parking.spots s join parking.section_limits l on l.building_section = s.building_section
      ) on s.id = limits_of.spot_id;
  end if;

  return v_limits;
end;
$$;

comment on function private.limits_of is
  'The limits that hold for this spot: each as its section has it, else as the building has it.';
grant execute on function private.limits_of to parking_api;
--! EndIncluded section_limits/limits_of.sql
--! Included section_limits/list_sections.sql
create or replace function api.list_sections()
  returns setof parking.sections
  language sql
  stable
  security invoker
as $$
  select s.*
    from parking.sections s
$$;

comment on function api.list_sections is
  'The sections of the building, each with its number of spots and its own limits';
grant execute on function api.list_sections to parking_api;
--! EndIncluded section_limits/list_sections.sql
--! Included section_limits/update_section.sql
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

  -- A name that is misspelt would limit nothing.
  if not exists (select from api.get_section(update_section.building_section)) then
    perform private.refuse_absent('section_limits');
  end if;

  insert into parking.section_limits (building_section)
  values (update_section.building_section)
  on conflict on constraint section_limits_pkey do nothing;

  -- Null leaves a limit as it is; 0 clears it.
  update parking.section_limits l
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
   where l.building_section = update_section.building_section;

  if not found then
    perform private.refuse_unchanged('section_limits');
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
--! EndIncluded section_limits/update_section.sql
--! Included section_limits/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.section_limits;
create policy approved_account_required on parking.section_limits
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.section_limits is
  'Account not approved';
--! EndIncluded section_limits/rules/approved_account_required.sql
--! Included section_limits/rules/section_limits_are_in_range.sql
alter table parking.section_limits
  drop constraint if exists section_limits_are_in_range,
  add constraint section_limits_are_in_range
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

comment on constraint section_limits_are_in_range on parking.section_limits is
  'A limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded section_limits/rules/section_limits_are_in_range.sql
--! Included section_limits/rules/section_limits_building_section_is_one_line.sql
alter table parking.section_limits
  drop constraint if exists section_limits_building_section_is_one_line,
  add constraint section_limits_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint section_limits_building_section_is_one_line on parking.section_limits is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
--! EndIncluded section_limits/rules/section_limits_building_section_is_one_line.sql
--! Included section_limits/rules/section_limits_shortest_claim_within_longest.sql
alter table parking.section_limits
  drop constraint if exists section_limits_shortest_claim_within_longest,
  add constraint section_limits_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint section_limits_shortest_claim_within_longest on parking.section_limits is
  'shortest_claim_minutes must not be more than longest_claim_minutes';
--! EndIncluded section_limits/rules/section_limits_shortest_claim_within_longest.sql
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
  'Days whose window was withdrawn or moved by hand: they are not published again.';
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

create or replace trigger touch
  before update on parking.availabilities
  for each row
  -- Not the whole row: the new one has no generated columns yet.
  when (
    (new.start_time, new.end_time, new.is_claimed)
      is distinct from (old.start_time, old.end_time, old.is_claimed)
  )
  execute function private.touch();
--! EndIncluded availabilities/table.sql
--! Included availabilities/clear_part_of.sql
/* A piece that its owner moves is a window of its own: it was not offered like this before. */
create or replace function private.clear_part_of()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.part_of := null;
  return new;
end;
$$;

comment on function private.clear_part_of is
  'Trigger function: a piece of a window that is moved is not joined with the others any more.';

create or replace trigger clear_part_of
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and old.part_of is not null
    -- Claims and exceptions cut pieces with the rights of the owner of the table.
    and pg_trigger_depth() = 0
    and row_security_active('parking.availabilities')
  )
  execute function private.clear_part_of();
--! EndIncluded availabilities/clear_part_of.sql
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
    perform private.leave_out_day(v_deleted.pattern_id, v_deleted.pattern_day);
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
      insert into private.events (type, subject_id, data)
      values (
        'availability.joined',
        v_piece.id,
        private.event_data('availability', to_jsonb(v_piece)) || jsonb_build_object('part_of', v_piece.part_of)
      );
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
--! Included availabilities/offer_rest.sql
/* The rest of a claimed window stays on offer: what was beside the claim becomes windows of their own. */
create or replace function private.offer_rest(
    id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_claimed constant tstzrange := tstzrange(offer_rest.start_time, offer_rest.end_time);
  v_window parking.availabilities;
  v_rest tstzrange;
  v_rest_id uuid;
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = offer_rest.id;

  if v_window.during = v_claimed then
    return;
  end if;

  -- As in private.join_pieces.
  perform
     from parking.availabilities n
    where n.part_of = v_window.part_of
      and n.during -|- v_window.during
    order by n.id
      for no key update;

  v_window.part_of := coalesce(v_window.part_of, uuidv7());
  update parking.availabilities a
     set start_time = lower(v_claimed),
         end_time = upper(v_claimed),
         part_of = v_window.part_of
   where a.id = v_window.id;

  for v_rest in
    select unnest(v_window.during::tstzmultirange - v_claimed::tstzmultirange)
  loop
    update parking.availabilities n
       set start_time = least(n.start_time, lower(v_rest)),
           end_time = greatest(n.end_time, upper(v_rest))
     where n.part_of = v_window.part_of
       and n.during -|- v_rest
       and not n.is_claimed;

    -- It was offered when its window was.
    if not found then
      insert into parking.availabilities as r
        (spot_id, owner_id, start_time, end_time, part_of, pattern_id, pattern_day, created_at)
      values (
        v_window.spot_id, v_window.owner_id, lower(v_rest), upper(v_rest),
        v_window.part_of, v_window.pattern_id, v_window.pattern_day, v_window.created_at
      )
      returning r.id into v_rest_id;
      insert into private.window_origins (window_id, origin_id)
      values (v_rest_id, private.origin_of(v_window.id));
    end if;
  end loop;
end;
$$;

comment on function private.offer_rest is
  'Cuts the claimed window with this id to these times, and puts the rest on offer: with the free piece of the same origin beside it, or as a new one.';
--! EndIncluded availabilities/offer_rest.sql
--! Included availabilities/piece_for.sql
/* Windows are cut and joined while people look at them, and what they ask for may be in another piece. */
create or replace function private.piece_for(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns uuid
  language sql
  stable
  security definer -- reads past the policies; a claim of the piece must pass all rules
  set search_path = ''
return coalesce(
  (
    select p.id
      from parking.availabilities p
     where p.part_of = any (array(
             select a.part_of
               from parking.availabilities a
              where a.id = piece_for.availability_id
             union all
             select (e.data ->> 'part_of')::uuid
               from private.events e
              where e.subject_id = piece_for.availability_id
                and e.type = 'availability.joined'
           ))
       and not p.is_claimed
       and p.start_time <= piece_for.start_time
       and p.end_time >= piece_for.end_time
       and piece_for.start_time < piece_for.end_time -- else there may be several
       and (select private.is_approved())
  ),
  piece_for.availability_id
);

comment on function private.piece_for is
  'The free piece with all of this time, of the same origin as the window with this id, which may be gone; the id itself where there is none.';
grant execute on function private.piece_for to parking_api;
--! EndIncluded availabilities/piece_for.sql
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
  v_piece_id uuid;
begin
  update parking.availabilities a
     set part_of = n.part_of
    from parking.availabilities n
   where a.id = rejoin_piece.id
     and a.owner_id = (select private.caller_id())
     and not a.is_claimed
     and n.spot_id = a.spot_id
     and n.part_of is not null
     and n.during -|- a.during
     and (
       private.origin_of(n.id) = private.origin_of(a.id)
       or (n.pattern_id, n.pattern_day) = (a.pattern_id, a.pattern_day)
     )
  returning n.id into v_piece_id;

  if v_piece_id is not null then
    insert into private.window_origins (window_id, origin_id)
    values (rejoin_piece.id, private.origin_of(v_piece_id))
    on conflict do nothing;
    perform private.join_pieces(rejoin_piece.id);
  end if;
end;
$$;

comment on function private.rejoin_piece is
  'Makes a free window of the caller, with this id, a piece of what was one window with that beside it, and joins those that are free.';
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

    -- What is moved by hand is a window of its own.
    if v_availability.pattern_id is not null then
      perform private.leave_out_day(v_availability.pattern_id, v_availability.pattern_day);
      update parking.availabilities a
         set pattern_id = null
       where a.id = v_availability.id
      returning * into v_availability;
    end if;
  else
    select a.* into v_availability
      from parking.availabilities a
     where a.id = update_availability.id
       and a.owner_id = (select private.caller_id());
  end if;

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
--! Included availabilities/withdraw_all.sql
/* There may be hundreds: those without claims go in one statement. */
create or replace function private.withdraw_all(ids uuid[])
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_kept constant uuid[] := array(
    select distinct c.availability_id
      from parking.claims c
     where c.availability_id = any (withdraw_all.ids)
  );
begin
  perform private.withdraw_window(k.id) from unnest(v_kept) k (id);

  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it
  delete from parking.availabilities a
   where a.id = any (withdraw_all.ids)
     and a.id <> all (v_kept);
  perform set_config('parking.tidying', 'off', true);
end;
$$;

comment on function private.withdraw_all is
  'Takes windows that nobody holds off the offer, as private.withdraw_window does each.';
--! EndIncluded availabilities/withdraw_all.sql
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
begin
  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it

  if exists (select from parking.claims c where c.availability_id = withdraw_window.id) then
    select least(min(o.start_time), date_trunc('milliseconds', clock_timestamp()))
             - interval '1 millisecond'
      into v_end
      from parking.availabilities a
      join parking.availabilities o on o.spot_id = a.spot_id
     where a.id = withdraw_window.id;
    update parking.availabilities a
       set start_time = v_end - interval '1 millisecond',
           end_time = v_end,
           pattern_id = null,
           part_of = null
     where a.id = withdraw_window.id;
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
--! Included availabilities/policies.sql
/* Approved residents see every window that they could claim or have claimed, and write those of their own spots. */
alter table parking.availabilities enable row level security;

drop policy if exists select_claimed_or_of_approved_owner on parking.availabilities;
create policy select_claimed_or_of_approved_owner on parking.availabilities
  for select to parking_api
  using (is_claimed or owner_id <> all ((select private.suspended_owners())::uuid[]));

drop policy if exists select_as_administrator on parking.availabilities;
create policy select_as_administrator on parking.availabilities
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists delete_as_administrator on parking.availabilities;
create policy delete_as_administrator on parking.availabilities
  for delete to parking_api
  using ((select private.reason()) is not null);

drop policy if exists insert_any on parking.availabilities;
create policy insert_any on parking.availabilities
  for insert to parking_api
  with check (true);

grant select, delete on parking.availabilities to parking_api;
grant insert (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
  on parking.availabilities to parking_api;
-- No update of is_claimed and part_of: only claims change them. No update of spot_id: a window stays with its spot.
grant update (start_time, end_time, pattern_id) on parking.availabilities to parking_api;
--! EndIncluded availabilities/policies.sql
--! Included availabilities/rules/availabilities_claimed_are_not_updated.sql
create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  -- A claim that takes or gives back time changes its window from its own trigger.
  when (old.is_claimed and pg_trigger_depth() = 0)
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  'Cannot update a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_updated.sql
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
  E'@field end_time\nThe window is longer than the building allows';
--! EndIncluded availabilities/rules/availabilities_no_longer_than_allowed.sql
--! Included availabilities/rules/availabilities_of_a_pattern.sql
-- Claimed windows outlive their pattern. spot_id comes first: an index of windows begins with it.
alter table parking.availabilities
  drop constraint if exists availabilities_of_a_pattern,
  add constraint availabilities_of_a_pattern
    foreign key (spot_id, pattern_id)
    references parking.patterns (spot_id, id)
    on delete set null (pattern_id);

comment on constraint availabilities_of_a_pattern on parking.availabilities is
  E'@status 404\nPattern not found';
--! EndIncluded availabilities/rules/availabilities_of_a_pattern.sql
--! Included availabilities/rules/availabilities_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists availabilities_start_in_future on parking.availabilities;
create constraint trigger availabilities_start_in_future
  after insert or update of start_time on parking.availabilities
  for each row
  -- Not of a piece: it was offered with its window, which may have begun. Not of what
  -- private.withdraw_window puts away: people may set this too, but it binds them.
  when (
    new.part_of is null
    and (
      current_setting('parking.tidying', true) is distinct from 'on'
      or row_security_active('parking.availabilities')
    )
  )
  execute function private.enforce_start_in_future();

comment on trigger availabilities_start_in_future on parking.availabilities is
  E'@field start_time\nstart_time must be in the future';
--! EndIncluded availabilities/rules/availabilities_start_in_future.sql
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
  E'@field end_time\nThe window ends further ahead than the building allows';
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
  E'@absent Wish not found\nA time for which a resident would like a spot. It is open until a claim of theirs fits it, or until it begins.';
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
  if tg_op = 'UPDATE' and old.end_time > clock_timestamp() then
    return null; -- counted already
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

create or replace trigger touch
  before update on parking.claims
  for each row
  -- Not the whole row: the new one has no generated columns yet.
  when (
    (new.status, new.start_time, new.end_time)
      is distinct from (old.status, old.start_time, old.end_time)
  )
  execute function private.touch();

create or replace trigger touch_described
  before update of guest, vehicle on parking.claims
  for each row
  -- A claim that is over shows when it was closed, also after an erasure.
  when (old.status = 'active' and (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle))
  execute function private.touch();
--! EndIncluded claims/table.sql
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
      from parking.section_limits l
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
--! Included claims/claims_of_vehicle.sql
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
--! EndIncluded claims/claims_of_vehicle.sql
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
  perform private.require_approved();

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
  v_length constant interval := new.end_time - new.start_time;
begin
  if not row_security_active('parking.claims') then
    return null;
  end if;

  v_limits := private.limits_of(new.spot_id);
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
--! Included claims/enforce_offers.sql
/*
 * Whose turn it is follows from the wishes and the clock: of those to whom the time is offered, who
 * asked first and can still take it. Who was suspended, withdrew or has another claim is passed over.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
as $$
declare
  v_holder_id uuid;
  v_until timestamptz;
begin
  -- Nearly nothing while nobody has ever waited: the table has no page then. A longer condition of the
  -- trigger would cost more, because each statement reads it anew.
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then
    return null;
  end if;

  select w.wisher_id, w.offered_until
    into v_holder_id, v_until
    from parking.wishes w
    join parking.notifications n on n.id = w.id and n.spot_id = new.spot_id
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.availabilities a on a.id = new.availability_id
   cross join parking.building b
   where w.claim_id is null
     -- A claim that is moved has its window already, but not another that it makes its own.
     and (tg_op = 'INSERT' or w.availability_id <> new.availability_id)
     and w.offered_until > clock_timestamp()
     -- What the claim takes from others: the whole window, unless the rest stays on offer.
     and w.start_time < case when b.rest_stays_on_offer then new.end_time else a.end_time end
     and w.end_time > case when b.rest_stays_on_offer then new.start_time else a.start_time end
     and b.offer_minutes is not null
   order by w.offered_until, w.id
   limit 1;

  if v_holder_id <> new.claimer_id then
    raise exception using
      errcode = '23514',
      message = format('refused by rule "%s"', tg_name),
      constraint = tg_name,
      hint = private.iso8601(v_until); -- {until} in the message of the rule
  end if;
  return null;
end;
$$;

comment on function private.enforce_offers is
  'Trigger function: refuses a claim of a time that is offered to another at the moment.';
--! EndIncluded claims/enforce_offers.sql
--! Included claims/enforce_own_description.sql
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

comment on function private.enforce_own_description is
  'Trigger function: refuses guest and vehicle from others than the claimer.';
--! EndIncluded claims/enforce_own_description.sql
--! Included claims/erase_guests.sql
/* Who came to whom, and with which car, is nobody's business once the host has left. */
create or replace function private.erase_guests(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- The exception of claims_closed_stay_closed, and of events_are_only_added.
  perform set_config('parking.erasing', 'on', true);

  update parking.claims c
     set guest = null,
         vehicle = null
   where c.claimer_id = erase_guests.id
     and num_nonnulls(c.guest, c.vehicle) > 0;

  update private.events e
     set data = e.data - '{guest, vehicle}'::text[]
   where e.subject_id in (
     select s.subject_id from private.subjects s where s.person_id = erase_guests.id
   )
     and e.type like 'claim.%'
     and e.data ->> 'claimer_id' = erase_guests.id::text
     and e.data ?| '{guest, vehicle}';

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_guests is
  'Erases the guests and the vehicles of all claims by the person with this id, also from the event log.';
--! EndIncluded claims/erase_guests.sql
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
  if not (private.building()).rest_stays_on_offer then
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
  when (old.status = 'active' and new.status <> 'cancelled')
  execute function private.fit_claim();
--! EndIncluded claims/fit_claim.sql
--! Included claims/free_availabilities.sql
/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  v_pieces uuid[];
begin
  with freed as (
    update parking.availabilities a
       set is_claimed = false
      from deleted d
     where a.id = d.availability_id
       and d.status <> 'cancelled'
       -- Not when the spot was deleted: its windows are deleted after its claims.
       and exists (select from parking.spots s where s.id = a.spot_id)
    returning a.id, a.part_of
  )
  select array_agg(f.id) into v_pieces
    from freed f
   where f.part_of is not null;

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

  if v_pieces is not null then
    perform private.join_pieces(p.id)
       from unnest(v_pieces) p (id);
  end if;
  return null;
end;
$$;

comment on function private.free_availabilities is
  'Trigger function: clears is_claimed of the windows of the claims that a statement deleted, takes these from the counts, and joins what was one.';

create or replace trigger free_availabilities
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.free_availabilities();
--! EndIncluded claims/free_availabilities.sql
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
  when (
    (new.claimer_id, new.status, new.start_time, new.end_time)
      is distinct from (old.claimer_id, old.status, old.start_time, old.end_time)
    -- A cancelled claim holds no window. It comes to another one where pieces are joined.
    or (new.availability_id <> old.availability_id and new.status <> 'cancelled')
  )
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
  perform private.require_approved();

  -- Null leaves a field as it is; an empty text clears one that may be absent. Few say who parks, and what
  -- is not named here costs no trigger.
  if num_nonnulls(update_claim.guest, update_claim.vehicle) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time),
           guest = nullif(coalesce(update_claim.guest, c.guest), ''),
           vehicle = nullif(coalesce(update_claim.vehicle, c.vehicle), '')
     where c.id = update_claim.id
    returning * into v_claim;
  elsif num_nonnulls(update_claim.status, update_claim.start_time, update_claim.end_time) > 0 then
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
--! Included claims/rules/claims_closed_stay_closed.sql
create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
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
    -- private.erase_person takes guests and vehicles out of what is over. The setting binds no people.
    and (
      current_setting('parking.erasing', true) is distinct from 'on'
      or row_security_active('parking.claims')
    )
  )
  execute function private.enforce_rule();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
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
  'Only the claimer says who parks';
--! EndIncluded claims/rules/claims_described_by_claimer.sql
--! Included claims/rules/claims_guest_is_one_line.sql
alter table parking.claims
  drop constraint if exists claims_guest_is_one_line,
  add constraint claims_guest_is_one_line
    check (private.is_one_line(guest, 1, 200));

comment on constraint claims_guest_is_one_line on parking.claims is
  E'@field guest\nguest must be 1 to 200 characters on one line';
--! EndIncluded claims/rules/claims_guest_is_one_line.sql
--! Included claims/rules/claims_kept_after_cutoff.sql
create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and clock_timestamp() > old.start_time
      - make_interval(mins => (private.limits_of(old.spot_id)).cancellation_cutoff_minutes)
    and private.reason() is null -- an administrator who gives a reason may
  )
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\nIt is too late to cancel or move this claim';
--! EndIncluded claims/rules/claims_kept_after_cutoff.sql
--! Included claims/rules/claims_no_longer_than_allowed.sql
create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('longest_claim_minutes');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\nThe claim is longer than the building allows';
--! EndIncluded claims/rules/claims_no_longer_than_allowed.sql
--! Included claims/rules/claims_no_more_than_allowed.sql
create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (
    new.end_time > clock_timestamp()
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and (private.limits_of(new.spot_id)).most_active_claims is not null
  )
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\nYou have as many claims that have not ended as the building allows';
--! EndIncluded claims/rules/claims_no_more_than_allowed.sql
--! Included claims/rules/claims_no_shorter_than_allowed.sql
create or replace trigger claims_no_shorter_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('shortest_claim_minutes');

comment on trigger claims_no_shorter_than_allowed on parking.claims is
  E'@field end_time\nThe claim is shorter than the building allows';
--! EndIncluded claims/rules/claims_no_shorter_than_allowed.sql
--! Included claims/rules/claims_vehicle_is_a_plate.sql
alter table parking.claims
  drop constraint if exists claims_vehicle_is_a_plate,
  add constraint claims_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint claims_vehicle_is_a_plate on parking.claims is
  E'@field vehicle\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded claims/rules/claims_vehicle_is_a_plate.sql
--! Included claims/rules/claims_wait_for_offers.sql
-- After the claim, not before: it may have waited for the transaction that offers its window.
create or replace trigger claims_wait_for_offers
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_offers();

comment on trigger claims_wait_for_offers on parking.claims is
  E'@status 409\nUntil {until} this is offered to somebody who waited for it';
--! EndIncluded claims/rules/claims_wait_for_offers.sql
--! Included claims/rules/claims_with_notice.sql
create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('claim_notice_minutes');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\nThe claim starts sooner than the building allows';
--! EndIncluded claims/rules/claims_with_notice.sql
--! Included claims/rules/claims_within_horizon.sql
create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_claim_limit('horizon_days');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\nThe claim ends further ahead than the building allows';
--! EndIncluded claims/rules/claims_within_horizon.sql
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
           or exists ( -- the end of another claim joins it
             select
               from parking.availabilities a
              where a.id = new.availability_id
                and a.part_of is not null
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
  v_owner_id uuid;
  v_spot_id uuid;
  v_cuts boolean;
begin
  select c.owner_id, c.spot_id into v_owner_id, v_spot_id
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_owner_id for share;
  perform from parking.spots s where s.id = v_spot_id for key share;

  -- Where the owner needs spots, freed windows are withdrawn, one after the other. Asked when an
  -- exception that is being made has ended.
  select a.part_of is not null
           or b.rest_stays_on_offer
           or exists (
             select
               from parking.exceptions e
              where e.owner_id = v_owner_id
                and e.kind = 'keep'
                and e.end_time > now()
           )
    into v_cuts
    from parking.claims c
    join parking.availabilities a on a.id = c.availability_id
   cross join parking.building b
   where c.id = keep_spot_of_claim.id;

  if v_cuts then -- as in private.keep_spot
    perform from parking.spots s where s.id = v_spot_id for no key update;
  end if;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Keeps the spot of the claim with this id from being deleted, and its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
--! EndIncluded locks/keep_spot_of_claim.sql
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
      and p.is_approved
      for no key update;

  if found then
    perform
       from parking.spots s
      where s.owner_id = (select private.caller_id())
        and (lock_own_spots.spot_id is null or s.id = lock_own_spots.spot_id)
      order by s.id
        for update;
  end if;
end;
$$;

comment on function private.lock_own_spots is
  'Locks the profile of an approved caller, and their spots, or one of them.';
grant execute on function private.lock_own_spots to parking_api;
--! EndIncluded locks/lock_own_spots.sql
--! Included locks/lock_spot.sql
/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: administrators_lock, users,
 * profiles, invitations, spots, patterns, claims, windows, wishes; several of a kind in the order of their
 * ids. An UPDATE or a DELETE locks its row before its triggers run, so only an INSERT can lock in a
 * trigger what comes before the row in this order. The functions of api that change or delete a row lock
 * the spot first.
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
  'Trigger function: locks the spot before a window or a pattern of it is published.';

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot();

create or replace trigger lock_spot
  before insert on parking.patterns
  for each row
  execute function private.lock_spot();
--! EndIncluded locks/lock_spot.sql
--! Included locks/lock_spots_of_exception.sql
create or replace function private.lock_spots_of_exception(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the policies show the caller their own exceptions
  set search_path = ''
as $$
begin
  perform private.lock_own_spots(e.spot_id)
     from parking.exceptions e
    where e.id = lock_spots_of_exception.id;
end;
$$;

comment on function private.lock_spots_of_exception is
  'Locks the spots of an exception of the caller before it is undone.';
grant execute on function private.lock_spots_of_exception to parking_api;
--! EndIncluded locks/lock_spots_of_exception.sql
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
  -- Not the spot: an UPDATE has locked its window already, and the deletion of the spot waits for that.
  if tg_op = 'UPDATE' and (new.start_time, new.end_time) = (old.start_time, old.end_time) then
    -- A claim takes or frees the window. PostgreSQL checks the constraint then too, because is_claimed
    -- is in an index. Claims of one spot do not wait for each other here.
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
-- No update: what an exception did belongs to its times. Another time is another exception.
grant insert (spot_id, owner_id, start_time, end_time, kind) on parking.exceptions to parking_api;
--! EndIncluded exceptions/table.sql
--! Included exceptions/kept_times.sql
create or replace function private.kept_times(
    spot_id uuid,
    until timestamptz,
    but_not uuid default null
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
     and e.id is distinct from kept_times.but_not
);

comment on function private.kept_times is
  'When the owner of the spot needs it, by exceptions that start before a moment, but for one of them.';
grant execute on function private.kept_times to parking_api;
--! EndIncluded exceptions/kept_times.sql
--! Included exceptions/is_kept.sql
/* For what publishes windows of a plan: a time that the owner needs is left out. */
create or replace function private.is_kept(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns boolean
  language sql
  stable
  security invoker -- owners see their own exceptions, and no others matter to them
return private.kept_times(is_kept.spot_id, is_kept.end_time)
  && tstzrange(is_kept.start_time, is_kept.end_time);

comment on function private.is_kept is
  'Whether the owner of the spot needs it at some moment between these two.';
grant execute on function private.is_kept to parking_api;
--! EndIncluded exceptions/is_kept.sql
--! Included window_origins/table.sql
/* Of which window one was a part before exceptions cut it, so that it can be made whole again. */
create table if not exists private.window_origins (
  window_id uuid,
  origin_id uuid not null,
  constraint window_origins_pkey primary key (window_id)
);

comment on table private.window_origins is
  'The windows that exceptions made of parts of others, or in the place of others that they withdrew.';
comment on column private.window_origins.window_id is
  'The window.';
comment on column private.window_origins.origin_id is
  'The window that it was a part of, or stands for. No foreign key: a withdrawn one is gone.';

alter table private.window_origins enable row level security;
-- No policy and no grant: only functions write and read it.
--! EndIncluded window_origins/table.sql
--! Included window_origins/note_origin.sql
create or replace function private.note_origin(window_id uuid, origin_id uuid)
  returns void
  language sql
  volatile
  security definer -- the API role may not write the table
  set search_path = ''
as $$
  insert into private.window_origins (window_id, origin_id)
  select a.id, note_origin.origin_id
    from parking.availabilities a
   where a.id = note_origin.window_id
     and a.owner_id = (select private.caller_id())
      on conflict do nothing
$$;

comment on function private.note_origin is
  'Notes of which window a new one of the caller was a part.';
grant execute on function private.note_origin to parking_api;
--! EndIncluded window_origins/note_origin.sql
--! Included window_origins/origin_of.sql
create or replace function private.origin_of(window_id uuid)
  returns uuid
  language sql
  stable
  security definer -- the API role may not read the table
  set search_path = ''
as $$
  select coalesce(
    (select o.origin_id from private.window_origins o where o.window_id = origin_of.window_id),
    origin_of.window_id
  )
$$;

comment on function private.origin_of is
  'The window that this one was a part of before exceptions cut it; itself, where none did.';
grant execute on function private.origin_of to parking_api;
--! EndIncluded window_origins/origin_of.sql
--! Included window_origins/rules/window_origins_of_a_window.sql
alter table private.window_origins
  drop constraint if exists window_origins_of_a_window,
  add constraint window_origins_of_a_window
    foreign key (window_id)
    references parking.availabilities (id)
    on delete cascade;

comment on constraint window_origins_of_a_window on private.window_origins is
  E'@status 404\nAvailability not found';
--! EndIncluded window_origins/rules/window_origins_of_a_window.sql
--! Included exception_changes/enforce_few_a_day.sql
/*
 * Each window that an exception changes leaves events, and those stay: somebody who makes and deletes
 * exceptions without end would fill the disk of everybody.
 */
create table if not exists private.exception_days (
  person_id uuid,
  day date not null,
  number integer not null,
  constraint exception_days_pkey primary key (person_id)
);

comment on table private.exception_days is
  'A row for each resident whose exceptions have changed windows.';
comment on column private.exception_days.person_id is
  'The resident.';
comment on column private.exception_days.day is
  'The day, in UTC, on which they last did.';
comment on column private.exception_days.number is
  'How many windows they changed on that day.';

alter table private.exception_days enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_few_a_day()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_number integer;
begin
  -- As private.enforce_few_windows does, of new exceptions only.
  insert into private.exception_days as d (person_id, day, number)
  select e.owner_id, private.utc_day(clock_timestamp()), count(*)
    from added a
    join parking.exceptions e on e.id = a.exception_id
   where e.created_at = now()::timestamptz(3)
   group by e.owner_id
      on conflict (person_id) do update
     set day = excluded.day,
         number = excluded.number + case when d.day = excluded.day then d.number else 0 end
  returning d.number into v_number;

  if v_number > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_a_day is
  'Trigger function: refuses a new exception to a resident whose exceptions have changed as many windows on this day as the argument says.';
--! EndIncluded exception_changes/enforce_few_a_day.sql
--! Included exception_changes/table.sql
/* What exceptions did to windows, so that it can be undone. */
create table if not exists private.exception_changes (
  exception_id uuid,
  window_id uuid,
  start_time timestamptz(3),
  end_time timestamptz(3) not null,
  spot_id uuid not null,
  pattern_id uuid,
  pattern_day date,
  constraint exception_changes_pkey primary key (exception_id, window_id, start_time)
);

comment on table private.exception_changes is
  'What exceptions did to windows: the time that one of kind keep took from them, and the windows that one of kind share published.';
comment on column private.exception_changes.exception_id is
  'The exception.';
comment on column private.exception_changes.window_id is
  'The window, or the one that it was a part of. No foreign key: a withdrawn one is gone.';
comment on column private.exception_changes.start_time is
  'The first moment that was taken or published.';
comment on column private.exception_changes.end_time is
  'The first moment after that.';
comment on column private.exception_changes.spot_id is
  'The spot of the window.';
comment on column private.exception_changes.pattern_id is
  'The pattern that published the window, if one did.';
comment on column private.exception_changes.pattern_day is
  'The day of the pattern that the window was published for.';

create index if not exists exception_changes_spot_id_idx
  on private.exception_changes (spot_id);

alter table private.exception_changes enable row level security;
-- No policy and no grant: only functions write and read it.
--! EndIncluded exception_changes/table.sql
--! Included exception_changes/enforce_few_windows.sql
create or replace function private.enforce_few_windows()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- Only of an exception that this transaction makes: neither the end of a claim nor that of another
  -- exception fails by it.
  if exists (
    select
      from parking.exceptions e
      join private.exception_changes t on t.exception_id = e.id
     where e.id in (select a.exception_id from added a)
       and e.created_at = now()::timestamptz(3)
     group by e.id
    having count(*) > v_most
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_windows is
  'Trigger function: refuses a new exception that changes more windows than the argument says.';
--! EndIncluded exception_changes/enforce_few_windows.sql
--! Included exception_changes/rules/exception_changes_of_a_spot.sql
alter table private.exception_changes
  drop constraint if exists exception_changes_of_a_spot,
  add constraint exception_changes_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint exception_changes_of_a_spot on private.exception_changes is
  E'@status 404\nParking spot not found';
--! EndIncluded exception_changes/rules/exception_changes_of_a_spot.sql
--! Included exception_changes/rules/exception_changes_of_an_exception.sql
alter table private.exception_changes
  drop constraint if exists exception_changes_of_an_exception,
  add constraint exception_changes_of_an_exception
    foreign key (exception_id)
    references parking.exceptions (id)
    on delete cascade;

comment on constraint exception_changes_of_an_exception on private.exception_changes is
  E'@status 404\nException not found';
--! EndIncluded exception_changes/rules/exception_changes_of_an_exception.sql
--! Included exception_changes/rules/exceptions_change_1000_windows_at_most.sql
create or replace trigger exceptions_change_1000_windows_at_most
  after insert on private.exception_changes
  referencing new table as added
  for each statement
  execute function private.enforce_few_windows('1000');

comment on trigger exceptions_change_1000_windows_at_most on private.exception_changes is
  E'@status 409\nThe exception would change more than 1000 windows: choose a shorter time or one spot';
--! EndIncluded exception_changes/rules/exceptions_change_1000_windows_at_most.sql
--! Included exception_changes/rules/exceptions_change_5000_windows_a_day_at_most.sql
create or replace trigger exceptions_change_5000_windows_a_day_at_most
  after insert on private.exception_changes
  referencing new table as added
  for each statement
  execute function private.enforce_few_a_day('5000');

comment on trigger exceptions_change_5000_windows_a_day_at_most on private.exception_changes is
  E'@status 409\nYour exceptions have changed 5000 windows today: try again tomorrow';
--! EndIncluded exception_changes/rules/exceptions_change_5000_windows_a_day_at_most.sql
--! Included patterns/enforce_few_changes.sql
/*
 * One request about a pattern writes dozens of windows, and as many events that stay: somebody who sends
 * them without end would fill the disk of everybody.
 */
create table if not exists private.pattern_changes (
  person_id uuid,
  day date not null,
  number integer not null,
  constraint pattern_changes_pkey primary key (person_id)
);

comment on table private.pattern_changes is
  'A row for each resident who has written patterns. It is locked, so that they do it one after the other.';
comment on column private.pattern_changes.person_id is
  'The resident.';
comment on column private.pattern_changes.day is
  'The day, in UTC, on which they last did.';
comment on column private.pattern_changes.number is
  'How often they created or changed a pattern on that day.';

alter table private.pattern_changes enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_few_changes()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
declare
  v_number integer;
begin
  insert into private.pattern_changes as c (person_id, day, number)
  values (new.owner_id, private.utc_day(clock_timestamp()), 1)
  on conflict (person_id) do update
     set day = excluded.day,
         number = case when c.day = excluded.day then c.number + 1 else 1 end
  returning c.number into v_number;

  if v_number > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_changes is
  'Trigger function: refuses a pattern to a resident who has written as many on this day as the argument says.';
--! EndIncluded patterns/enforce_few_changes.sql
--! Included patterns/are_weekdays.sql
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
--! EndIncluded patterns/are_weekdays.sql
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
  perform private.require_approved(); -- still, after all the waiting
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
  perform private.lock_spot_of_pattern(delete_pattern.id);
  perform private.require_approved();

  perform private.withdraw_windows(p) from parking.patterns p where p.id = delete_pattern.id;

  claimed_availability_ids := array(
    select a.id
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
     where p.id = delete_pattern.id
       and a.is_claimed
       and a.end_time > clock_timestamp()
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
/* What the job has to do. It asks as nobody, before it acts as the owners: a signed-in caller sees nothing. */
create or replace function private.due_patterns()
  returns table (id uuid, owner_id uuid)
  language sql
  stable
  security definer -- it lists the patterns of all residents
  set search_path = ''
begin atomic
  select p.id, p.owner_id
    from parking.patterns p
    join parking.profiles o on o.id = p.owner_id and o.is_approved
   cross join parking.building b
   where (select private.caller_id()) is null
     and (
       p.time_zone <> b.time_zone
       or p.published_until is null
       or p.published_until
          < least((now() at time zone b.time_zone)::date + b.pattern_days - 1, p.last_day)
     )
   order by p.id;
end;

comment on function private.due_patterns is
  'The patterns of approved residents that have days to publish, or windows in a time zone that the building has no longer.';
grant execute on function private.due_patterns to parking_api;
--! EndIncluded patterns/due_patterns.sql
--! Included patterns/enforce_few_patterns.sql
create or replace function private.enforce_few_patterns()
  returns trigger
  language plpgsql
  security definer -- the same count, whatever the policies show the caller
  set search_path = ''
as $$
begin
  -- Two of one resident at once: private.enforce_few_changes has made the second wait for the first.
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
--! Included patterns/extend_pattern.sql
/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_is_of_another_zone boolean;
  v_published integer := 0;
begin
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', extend_pattern.owner_id)::text, true
  );
  perform private.lock_spot_of_pattern(extend_pattern.id);

  select p.time_zone <> (private.building()).time_zone into v_is_of_another_zone
    from parking.patterns p
   where p.id = extend_pattern.id;

  if v_is_of_another_zone then
    select count(*) filter (where r.outcome = 'published') into v_published
      from private.renew_pattern(extend_pattern.id) r;
  elsif not v_is_of_another_zone then
    select count(*) filter (where p.outcome = 'published') into v_published
      from private.publish_pattern(extend_pattern.id) p;
  end if;
  return v_published; -- none, where it was deleted meanwhile
end;
$$;

comment on function private.extend_pattern is
  'Publishes what is due of a pattern, as its owner, and returns the number of windows.';
grant execute on function private.extend_pattern to parking_api;
--! EndIncluded patterns/extend_pattern.sql
--! Included patterns/get_pattern.sql
create or replace function api.get_pattern(id uuid)
  returns setof parking.patterns
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from parking.patterns p
   where p.id = get_pattern.id
$$;

comment on function api.get_pattern is
  'One of your patterns';
grant execute on function api.get_pattern to parking_api;
--! EndIncluded patterns/get_pattern.sql
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

  perform private.require_approved(); -- still, after all the waiting
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
--! Included patterns/leave_out_day.sql
/* A window that the owner or an administrator withdrew by hand does not come back when its pattern is changed. */
create or replace function private.leave_out_day(pattern_id uuid, day date)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the owner's pattern
  set search_path = ''
as $$
begin
  update parking.patterns p
     set left_out = p.left_out || leave_out_day.day
   where p.id = leave_out_day.pattern_id
     and leave_out_day.day between private.utc_day(now()) - 2 and p.published_until
     and leave_out_day.day <> all (p.left_out)
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out_day is
  'Keeps a pattern from publishing a day again, for its owner or an administrator with a reason.';
grant execute on function private.leave_out_day to parking_api;
--! EndIncluded patterns/leave_out_day.sql
--! Included patterns/list_patterns.sql
create or replace function api.list_patterns()
  returns setof parking.patterns
  language sql
  stable
  security invoker
as $$
  select p.*
    from parking.patterns p
$$;

comment on function api.list_patterns is
  'The patterns of your spots, newest first';
grant execute on function api.list_patterns to parking_api;
--! EndIncluded patterns/list_patterns.sql
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

  insert into private.events (type, subject_id, data)
  values (
    'pattern.collided', v_pattern.id, private.event_data('pattern', to_jsonb(v_pattern))
  );

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
--! Included patterns/pattern_spans.sql
/*
 * The clock of the building decides, on each day anew. What a change of the clock skips is read as later
 * by what was skipped: 02:30 as 03:30. What it repeats is the second of the two. So a window in that night
 * is longer or shorter than usual. One that lies within the hour that is skipped, such as 02:30 to 03:00,
 * has no time left: its end is not after its start, and availabilities_start_before_end refuses it.
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
         (d.day + starts_at::time) at time zone time_zone,
         (d.day + (ends_at::time <= starts_at::time)::integer + ends_at::time) at time zone time_zone
    from generate_series(0, last_day - first_day) n
   cross join lateral (values (first_day + n)) d (day)
   where (array['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])[extract(isodow from d.day)]
         = any (weekdays);
end;

comment on function private.pattern_spans is
  'From when to when a pattern shares a spot on each of its days from first_day to last_day, in this time zone.';
grant execute on function private.pattern_spans to parking_api;
--! EndIncluded patterns/pattern_spans.sql
--! Included patterns/preview_pattern.sql
/* It does what POST does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null
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
    v_pattern := private.insert_pattern(
      preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
      preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
    );
    return query
      select p.day, p.start_time, p.end_time, p.outcome, r.message
        from private.publish_pattern(v_pattern.id) p
        left join private.rules r on r.name = p.rule and r."table" = 'availabilities'
       order by p.day, p.start_time;
    raise sqlstate 'PT000'; -- takes all of it back, but for the rows that are returned
  exception
    when sqlstate 'PT000' then
      null;
  end;
end;
$$;

comment on function api.preview_pattern is
  'What a new pattern would publish in the next weeks, and what not and why; nothing is changed';
grant execute on function api.preview_pattern to parking_api;
--! EndIncluded patterns/preview_pattern.sql
--! Included patterns/publish_pattern.sql
/*
 * The days after published_until, so that a second run finds nothing to do, and no day is published twice:
 * what the owner withdraws stays withdrawn. The caller has locked the spot.
 */
create or replace function private.publish_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot, whom policies and limits bind
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_until date := v_today + v_building.pattern_days - 1;
  v_pattern parking.patterns;
  v_collision tstzrange;
begin
  select p.* into v_pattern from parking.patterns p where p.id = publish_pattern.id;

  for day, start_time, end_time, outcome, rule in
    select s.day, w.piece_start, w.piece_end, w.outcome, w.rule
      from private.pattern_spans(
             v_pattern.weekdays, v_pattern.starts_at, v_pattern.ends_at,
             greatest(v_pattern.first_day, v_today, v_pattern.published_until + 1),
             least(v_pattern.last_day, v_until),
             v_building.time_zone
           ) s
     cross join lateral private.publish_window(v_pattern, s.day, s.start_time, s.end_time) w
     where s.day <> all (v_pattern.left_out)
  loop
    if rule = 'availabilities_within_horizon' then
      v_until := least(v_until, day - 1); -- its day will come
    elsif outcome = 'overlaps' and rule is not null and v_collision is null then
      v_collision := tstzrange(start_time, end_time);
    end if;
    return next;
  end loop;

  perform private.note_published(v_pattern.id, greatest(v_pattern.published_until, v_until));

  if v_collision is not null then
    perform private.notify_of_collision(v_pattern.id, lower(v_collision), upper(v_collision));
  end if;
end;
$$;

comment on function private.publish_pattern is
  'Publishes the windows of a pattern for the days that are not published yet, as far ahead as the building has it, and says what became of each. Notifies the owner once of what overlaps.';
grant execute on function private.publish_pattern to parking_api;
--! EndIncluded patterns/publish_pattern.sql
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
  v_free tstzmultirange;
  v_id uuid;
  v_message text;
begin
  for piece_start, piece_end in
    select lower(p), upper(p) from unnest(v_span - v_own) p
    union all
    select start_time, end_time where isempty(v_span)
  loop
    v_free := tstzmultirange(tstzrange(piece_start, greatest(piece_start, piece_end))) - v_kept;
    continue when isempty(v_free) and not isempty(v_span);
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
    select lower(k), upper(k), 'kept', null from unnest(v_span * v_kept - v_own) k
    union all
    select lower(o), upper(o), 'overlaps', null from unnest(v_span * v_own) o;
end;
$$;

comment on function private.publish_window is
  'Publishes the window of a day of a pattern, and says of its pieces: published, kept (by an exception of the owner), overlaps (another window; one of the pattern itself without a rule) or refused (by the rule).';
grant execute on function private.publish_window to parking_api;
--! EndIncluded patterns/publish_window.sql
--! Included patterns/renew_pattern.sql
create or replace function private.renew_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
begin
  perform private.withdraw_windows(p) from parking.patterns p where p.id = renew_pattern.id;
  perform private.note_published(renew_pattern.id, null);
  return query select p.* from private.publish_pattern(renew_pattern.id) p;
end;
$$;

comment on function private.renew_pattern is
  'Makes the windows of a changed pattern anew, but for those that are claimed or have begun, and the days that the owner left out.';
grant execute on function private.renew_pattern to parking_api;
--! EndIncluded patterns/renew_pattern.sql
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

  perform private.require_approved(); -- still, after all the waiting
  return v_after;
end;
$$;

comment on function api.update_pattern is
  'Change a pattern; its windows that nobody has claimed are made anew, those that are claimed stay';
grant execute on function api.update_pattern to parking_api;
--! EndIncluded patterns/update_pattern.sql
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
  -- Locked, so that nobody claims one of them or frees another meanwhile.
  v_ids constant uuid[] := array(
    select a.id
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.owner_id = (select private.caller_id())
       and a.start_time > clock_timestamp()
       and not a.is_claimed
     order by a.id
       for update
  );
begin
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
--! Included patterns/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.patterns;
create policy approved_account_required on parking.patterns
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.patterns is
  'Account not approved';
--! EndIncluded patterns/rules/approved_account_required.sql
--! Included patterns/rules/patterns_changed_500_times_a_day_at_most.sql
create or replace trigger patterns_changed_500_times_a_day_at_most
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_changes('500');

comment on trigger patterns_changed_500_times_a_day_at_most on parking.patterns is
  E'@status 409\nYou have created or changed patterns 500 times today; try again tomorrow';
--! EndIncluded patterns/rules/patterns_changed_500_times_a_day_at_most.sql
--! Included patterns/rules/patterns_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists patterns_created_by_spot_owner on parking.patterns;
create policy patterns_created_by_spot_owner on parking.patterns
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy patterns_created_by_spot_owner on parking.patterns is
  'You can only create patterns for your own spots';
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
  'first_day and last_day must lie in the years 1 to 9999';
--! EndIncluded patterns/rules/patterns_days_are_calendar_dates.sql
--! Included patterns/rules/patterns_first_day_before_last.sql
alter table parking.patterns
  drop constraint if exists patterns_first_day_before_last,
  add constraint patterns_first_day_before_last
    check (first_day <= last_day);

comment on constraint patterns_first_day_before_last on parking.patterns is
  E'@field last_day\nlast_day must not be before first_day';
--! EndIncluded patterns/rules/patterns_first_day_before_last.sql
--! Included patterns/rules/patterns_no_more_than_200.sql
-- After patterns_changed_500_times_a_day_at_most, which locks: triggers run in the order of their names.
create or replace trigger patterns_no_more_than_200
  after insert on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_patterns('200');

comment on trigger patterns_no_more_than_200 on parking.patterns is
  E'@status 409\nYou have 200 patterns, as many as a resident may have';
--! EndIncluded patterns/rules/patterns_no_more_than_200.sql
--! Included patterns/rules/patterns_of_a_spot.sql
alter table parking.patterns
  drop constraint if exists patterns_of_a_spot,
  add constraint patterns_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint patterns_of_a_spot on parking.patterns is
  E'@status 404\nParking spot not found';
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
  'starts_at and ends_at must be times from 00:00 to 23:59';
--! EndIncluded patterns/rules/patterns_times_are_of_a_day.sql
--! Included patterns/rules/patterns_weekdays_are_known.sql
alter table parking.patterns
  drop constraint if exists patterns_weekdays_are_known,
  add constraint patterns_weekdays_are_known
    check (private.are_weekdays(weekdays));

comment on constraint patterns_weekdays_are_known on parking.patterns is
  E'@field weekdays\nweekdays must be one or more different days of MO, TU, WE, TH, FR, SA and SU';
--! EndIncluded patterns/rules/patterns_weekdays_are_known.sql
--! Included exceptions/claims_in_exception.sql
create or replace function api.claims_in_exception()
  returns setof parking.claims
  language sql
  stable
  security invoker
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
--! EndIncluded exceptions/claims_in_exception.sql
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

  if v_exception.kind = 'keep' then
    perform private.keep_own_spots(v_exception.id);
  else
    perform private.share_own_spots(v_exception);
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
declare
  v_exception parking.exceptions;
  v_taken jsonb;
begin
  perform private.lock_spots_of_exception(delete_exception.id);
  perform private.require_approved();

  perform private.withdraw_shared(delete_exception.id);
  select jsonb_agg(t) into v_taken from private.taken_times(delete_exception.id) t;

  delete from parking.exceptions e
   where e.id = delete_exception.id
  returning * into v_exception;

  if v_exception.id is null then
    perform private.refuse_absent('exceptions');
  end if;

  perform private.publish_left_days(v_exception);
  perform private.restore_kept(v_taken);

  message := 'Exception deleted successfully';
  deleted_exception_id := delete_exception.id;
end;
$$;

comment on function api.delete_exception is
  'Delete an exception, and undo what it did where nobody has claimed since';
grant execute on function api.delete_exception to parking_api;
--! EndIncluded exceptions/delete_exception.sql
--! Included exceptions/enforce_few_exceptions.sql
create or replace function private.enforce_few_exceptions()
  returns trigger
  language plpgsql
  security definer -- the API role may not lock profiles
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- Two of one person at once: the second waits for the first, and counts it.
  perform from parking.profiles p where p.id = new.owner_id for no key update;

  if (
    select count(*)
      from parking.exceptions e
     where e.owner_id = new.owner_id
       and e.end_time > clock_timestamp()
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_exceptions is
  'Trigger function: refuses an exception to a person who has as many that have not ended as the argument says.';
--! EndIncluded exceptions/enforce_few_exceptions.sql
--! Included exceptions/get_exception.sql
create or replace function api.get_exception(id uuid)
  returns setof parking.exceptions
  language sql
  stable
  security invoker
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
--! EndIncluded exceptions/get_exception.sql
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
       and is_of_pattern.day <> all (p.left_out)
       and tstzrange(s.start_time, greatest(s.start_time, s.end_time)) @> is_of_pattern.span
  )
$$;

comment on function private.is_of_pattern is
  'Whether a pattern of the caller shares this time on this day.';
grant execute on function private.is_of_pattern to parking_api;
--! EndIncluded exceptions/is_of_pattern.sql
--! Included exceptions/keep_out_of_window.sql
/* A window that is published is whole at first, so that each exception can give back what it takes. */
create or replace function private.keep_out_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- cutting gives less than was offered: limits that came later do not bind it
  set search_path = ''
as $$
begin
  perform private.withdraw_kept(e, a.spot_id, a.during)
     from parking.availabilities a
     join parking.exceptions e
       on e.owner_id = a.owner_id
      and e.kind = 'keep'
      and coalesce(e.spot_id, a.spot_id) = a.spot_id
      and e.start_time < a.end_time
      and e.end_time > a.start_time
    where a.id = keep_out_of_window.id
      and a.owner_id = (select private.caller_id())
    order by e.start_time, e.id;
end;
$$;

comment on function private.keep_out_of_window is
  'Takes the time of the caller''s exceptions of kind keep from a window of theirs.';
grant execute on function private.keep_out_of_window to parking_api;
--! EndIncluded exceptions/keep_out_of_window.sql
--! Included exceptions/keep_own_spots.sql
create or replace function private.keep_own_spots(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- cutting gives less than was offered: limits that came later do not bind it
  set search_path = ''
as $$
begin
  -- Written, not only locked: the end of a claim with a snapshot from before fails, and sees the
  -- exception when it is tried again (private.withdraw_freed).
  update parking.availabilities a
     set is_claimed = true
    from parking.exceptions e
   where e.id = keep_own_spots.exception_id
     and e.kind = 'keep'
     and e.owner_id = (select private.caller_id())
     and a.owner_id = e.owner_id
     and a.spot_id = coalesce(e.spot_id, a.spot_id)
     and a.is_claimed
     and a.start_time < e.end_time
     and a.end_time > greatest(e.start_time, now());

  perform private.withdraw_kept(e, s.id)
     from parking.exceptions e
     join parking.spots s on s.owner_id = e.owner_id and s.id = coalesce(e.spot_id, s.id)
    where e.id = keep_own_spots.exception_id
      and e.kind = 'keep'
      and e.owner_id = (select private.caller_id())
    order by s.id;
end;
$$;

comment on function private.keep_own_spots is
  'Takes the time of an exception of the caller, of kind keep, off the offer.';
grant execute on function private.keep_own_spots to parking_api;
--! EndIncluded exceptions/keep_own_spots.sql
--! Included exceptions/list_exceptions.sql
create or replace function api.list_exceptions()
  returns setof parking.exceptions
  language sql
  stable
  security invoker
as $$
  select e.*
    from parking.exceptions e
$$;

comment on function api.list_exceptions is
  'When you need your spots or are away, by start';
grant execute on function api.list_exceptions to parking_api;
--! EndIncluded exceptions/list_exceptions.sql
--! Included exceptions/next_minute.sql
/* Windows start in the future, and on full minutes. */
create or replace function private.next_minute()
  returns timestamptz
  language sql
  volatile
return date_trunc('minute', clock_timestamp() + interval '90 seconds');

comment on function private.next_minute is
  'The first full minute that is at least half a minute away.';
grant execute on function private.next_minute to parking_api;
--! EndIncluded exceptions/next_minute.sql
--! Included exceptions/note_shared.sql
create or replace function private.note_shared(exception_id uuid, windows uuid[])
  returns void
  language sql
  volatile
  security definer -- the API role may not write what undoes an exception
  set search_path = ''
as $$
  insert into private.exception_changes (exception_id, window_id, start_time, end_time, spot_id)
  select e.id, a.id, a.start_time, a.end_time, a.spot_id
    from parking.exceptions e
    join parking.availabilities a on a.owner_id = e.owner_id and a.id = any (note_shared.windows)
   where e.id = note_shared.exception_id
     and e.owner_id = (select private.caller_id())
$$;

comment on function private.note_shared is
  'Notes windows that an exception of the caller published.';
grant execute on function private.note_shared to parking_api;
--! EndIncluded exceptions/note_shared.sql
--! Included exceptions/publish_left_days.sql
/* What patterns could not publish, because their owner kept or shared the spot then. */
create or replace function private.publish_left_days(gone parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  perform private.publish_window(p, s.day, s.start_time, s.end_time)
     from parking.patterns p
    cross join lateral private.pattern_spans(
      p.weekdays,
      p.starts_at,
      p.ends_at,
      greatest(
        p.first_day,
        (greatest(gone.start_time, clock_timestamp()) at time zone v_zone)::date - 1
      ),
      least(p.last_day, p.published_until, (gone.end_time at time zone v_zone)::date),
      v_zone
    ) s
    where p.owner_id = gone.owner_id
      and p.spot_id = coalesce(gone.spot_id, p.spot_id)
      and p.published_until is not null
      and s.start_time < gone.end_time
      and s.end_time > gone.start_time
      and s.start_time > clock_timestamp()
      and s.day <> all (p.left_out)
      and not exists (
        select
          from parking.availabilities a
         where a.spot_id = p.spot_id
           and a.pattern_id = p.id
           and a.pattern_day = s.day
      );
end;
$$;

comment on function private.publish_left_days is
  'Publishes the windows of the caller''s patterns that a deleted exception kept from being published, or withdrew.';
grant execute on function private.publish_left_days to parking_api;
--! EndIncluded exceptions/publish_left_days.sql
--! Included exceptions/restore_kept.sql
/* What an exception took is on offer again, as far as it lies ahead and its owner offers nothing else there. */
create or replace function private.restore_kept(taken jsonb)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_ahead constant tstzrange := tstzrange(private.next_minute(), null);
  v_taken private.exception_changes;
  v_gap tstzrange;
begin
  foreach v_taken in array array(
    select t
      from jsonb_populate_recordset(null::private.exception_changes, taken) t
     order by t.spot_id,
              -- What is left of a window has its time back before another one is made of it.
              not exists (
                select
                  from parking.availabilities a
                 where a.spot_id = t.spot_id
                   and (a.end_time = t.start_time or a.start_time = t.end_time)
                   and private.origin_of(a.id) = t.window_id
              ),
              t.start_time
  ) loop
    begin
      foreach v_gap in array array(
        select unnest(
                 tstzmultirange(tstzrange(v_taken.start_time, v_taken.end_time) * v_ahead)
                 - coalesce(range_agg(a.during), '{}')
               )
          from parking.availabilities a
         where a.spot_id = v_taken.spot_id
           and a.start_time < v_taken.end_time
           and a.end_time > v_taken.start_time
      ) loop
        perform private.restore_window(v_taken, v_gap);
      end loop;
    exception
      -- A limit of the building came since: the rest is undone all the same.
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.restore_kept is
  'Offers again what an exception of the caller, of kind keep, took from windows.';
grant execute on function private.restore_kept to parking_api;
--! EndIncluded exceptions/restore_kept.sql
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

  -- What is left of the window has its time back. Of two parts one stays; the cancelled claims of the
  -- other would go with it.
  if v_before.id is not null and v_after.id is not null
    and not exists (select from parking.claims c where c.availability_id = v_after.id)
  then
    delete from parking.availabilities a where a.id = v_after.id;
    update parking.availabilities a set end_time = v_after.end_time where a.id = v_before.id;
    perform private.rejoin_piece(v_before.id);
    return;
  elsif v_before.id is not null then
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
     and (taken.pattern_id is null or private.is_of_pattern(taken.pattern_id, taken.pattern_day, span))
  returning id into v_id;
  perform private.note_origin(v_id, taken.window_id);
  perform private.rejoin_piece(v_id);
end;
$$;

comment on function private.restore_window is
  'Offers a time again that was taken from a window: as part of what is left of it, or as a window of its own.';
grant execute on function private.restore_window to parking_api;
--! EndIncluded exceptions/restore_window.sql
--! Included exceptions/share_own_spots.sql
/* Who is away shares what is not on offer yet. Windows are published as their owner publishes them, so every rule binds. */
create or replace function private.share_own_spots(shared parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_span constant tstzrange := tstzrange(
    least(greatest(shared.start_time, private.next_minute()), shared.end_time),
    shared.end_time
  );
  v_shortest constant interval :=
    make_interval(mins => coalesce(v_building.shortest_claim_minutes, 1));
  v_windows uuid[];
begin
  with gaps as (
    select s.id, s.owner_id, gap
      from parking.spots s
     cross join lateral unnest(
       tstzmultirange(v_span)
       - coalesce((
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < shared.end_time
              and a.end_time > lower(v_span)
         ), '{}')
       - private.kept_times(s.id, shared.end_time)
     ) gap
     where s.owner_id = shared.owner_id
       and s.id = coalesce(shared.spot_id, s.id)
  ),
  pieces as (
    select g.id,
           g.owner_id,
           piece as start_time,
           least(upper(gap), private.days_after(piece, v_building.longest_window_days)) as end_time
      from gaps g
     cross join lateral generate_series(
       lower(gap),
       upper(gap) - v_shortest, -- nobody could claim a shorter one
       make_interval(days => coalesce(v_building.longest_window_days, 1000)),
       v_building.time_zone
     ) piece
  ),
  published as (
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
    select p.id, p.owner_id, p.start_time, p.end_time
      from pieces p
     order by p.id, p.start_time
    returning id
  )
  select array_agg(p.id) into v_windows
    from published p;

  perform private.note_shared(shared.id, v_windows);
end;
$$;

comment on function private.share_own_spots is
  'Publishes what is not on offer yet of the time of an exception, in windows as long as the building allows; not what another exception keeps.';
grant execute on function private.share_own_spots to parking_api;
--! EndIncluded exceptions/share_own_spots.sql
--! Included exceptions/taken_times.sql
create or replace function private.taken_times(exception_id uuid)
  returns setof private.exception_changes
  language plpgsql
  volatile
  security definer -- the API role may neither read nor write what an exception did
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
begin
  select e.* into v_exception
    from parking.exceptions e
   where e.id = taken_times.exception_id
     and e.kind = 'keep'
     and e.owner_id = (select private.caller_id());

  -- What another exception keeps too is now its own to give back.
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select distinct on (e.id, t.window_id, s.start_time)
         e.id, t.window_id, s.start_time, s.end_time, t.spot_id, t.pattern_id, t.pattern_day
    from private.exception_changes t
    join parking.exceptions e on e.owner_id = v_exception.owner_id
   cross join lateral (
     values (greatest(t.start_time, e.start_time), least(t.end_time, e.end_time))
   ) s (start_time, end_time)
   where t.exception_id = v_exception.id
     and e.id <> v_exception.id
     and e.kind = 'keep'
     and coalesce(e.spot_id, t.spot_id) = t.spot_id
     and s.start_time < s.end_time
   order by e.id, t.window_id, s.start_time, s.end_time desc
      on conflict on constraint exception_changes_pkey
      do update set end_time = greatest(exception_changes.end_time, excluded.end_time);

  return query
    select t.exception_id, t.window_id, lower(span)::timestamptz(3), upper(span)::timestamptz(3),
           t.spot_id, t.pattern_id, t.pattern_day
      from private.exception_changes t
     cross join lateral unnest(
       tstzmultirange(tstzrange(t.start_time, t.end_time))
       - private.kept_times(t.spot_id, t.end_time, but_not => v_exception.id)
     ) span
     where t.exception_id = v_exception.id;
end;
$$;

comment on function private.taken_times is
  'What an exception of the caller, of kind keep, took from windows and no other keeps.';
grant execute on function private.taken_times to parking_api;
--! EndIncluded exceptions/taken_times.sql
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
  elsif exists (
    select -- quickly: mostly there is none
      from parking.exceptions e
     where e.owner_id = new.owner_id
       and e.kind = 'keep'
       and e.end_time > now()
  ) then
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
  when (
    pg_relation_size('parking.exceptions', 'main') > 0 -- somebody has made one
    and (new.status, new.start_time, new.end_time)
      is distinct from (old.status, old.start_time, old.end_time)
  )
  execute function private.withdraw_freed();

create or replace trigger withdraw_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  when (pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.withdraw_freed();
--! EndIncluded exceptions/withdraw_freed.sql
--! Included exceptions/withdraw_kept.sql
/* What an owner needs is not on offer. What was offered until now, was offered. */
create or replace function private.withdraw_kept(
    kept parking.exceptions,
    spot_id uuid,
    within tstzrange default '(,)'
)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_from constant timestamptz :=
    greatest(kept.start_time, date_trunc('milliseconds', clock_timestamp()));
  v_windows constant parking.availabilities[] := array(
    select a
      from parking.availabilities a
     where a.spot_id = withdraw_kept.spot_id
       and not a.is_claimed
       and a.start_time < kept.end_time
       and a.end_time > v_from
       and a.during && withdraw_kept.within
     order by a.start_time
  );
  v_window parking.availabilities;
  v_rest_id uuid;
begin
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select kept.id,
         private.origin_of(w.id),
         greatest(w.start_time, v_from),
         least(w.end_time, kept.end_time),
         w.spot_id,
         w.pattern_id,
         w.pattern_day
    from unnest(v_windows) w
      on conflict on constraint exception_changes_pkey
      do update set end_time = greatest(exception_changes.end_time, excluded.end_time);

  perform private.withdraw_all(array(
    select w.id
      from unnest(v_windows) w
     where w.start_time >= v_from
       and w.end_time <= kept.end_time
  ));

  -- The two at the edges, or one.
  foreach v_window in array array(
    select w
      from unnest(v_windows) w
     where w.start_time < v_from
        or w.end_time > kept.end_time
  ) loop
    if v_window.start_time < v_from then
      update parking.availabilities a set end_time = v_from where a.id = v_window.id;

      if v_window.end_time > kept.end_time then
        insert into parking.availabilities
          (spot_id, owner_id, start_time, end_time, part_of, pattern_id, pattern_day, created_at)
        values (
          v_window.spot_id, v_window.owner_id, kept.end_time, v_window.end_time,
          v_window.part_of, v_window.pattern_id, v_window.pattern_day, v_window.created_at
        )
        returning id into v_rest_id;
        insert into private.window_origins (window_id, origin_id)
        values (v_rest_id, private.origin_of(v_window.id));
      end if;
    else
      update parking.availabilities a set start_time = kept.end_time where a.id = v_window.id;
    end if;
  end loop;
end;
$$;

comment on function private.withdraw_kept is
  'Cuts or withdraws the free windows of a spot that an exception of kind keep touches, those that also touch the range, and notes what it took.';
--! EndIncluded exceptions/withdraw_kept.sql
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
    select a
      from parking.exceptions e
      join private.exception_changes t on t.exception_id = e.id
      join parking.availabilities a on a.spot_id = t.spot_id
     where e.id = withdraw_shared.exception_id
       and e.kind = 'share'
       and e.owner_id = (select private.caller_id())
       and not a.is_claimed
       -- Where its owner has given it other times since, it is another offer.
       and a.start_time >= t.start_time
       and a.end_time <= t.end_time
       and a.end_time > v_now
       and private.origin_of(a.id) = t.window_id
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

  -- What was offered until now, was offered.
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
--! Included exceptions/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.exceptions;
create policy approved_account_required on parking.exceptions
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.exceptions is
  'Account not approved';
--! EndIncluded exceptions/rules/approved_account_required.sql
--! Included exceptions/rules/exceptions_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists exceptions_created_by_spot_owner on parking.exceptions;
create policy exceptions_created_by_spot_owner on parking.exceptions
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy exceptions_created_by_spot_owner on parking.exceptions is
  'You can only make exceptions for your own spots';
--! EndIncluded exceptions/rules/exceptions_created_by_spot_owner.sql
--! Included exceptions/rules/exceptions_end_in_future.sql
create or replace trigger exceptions_end_in_future
  after insert on parking.exceptions
  for each row
  when (new.end_time <= clock_timestamp())
  execute function private.enforce_rule();

comment on trigger exceptions_end_in_future on parking.exceptions is
  E'@field end_time\nend_time must be in the future';
--! EndIncluded exceptions/rules/exceptions_end_in_future.sql
--! Included exceptions/rules/exceptions_fifty_at_most.sql
-- Each may change a thousand windows, and every window that a plan publishes looks at all of them.
create or replace trigger exceptions_fifty_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_exceptions('50');

comment on trigger exceptions_fifty_at_most on parking.exceptions is
  E'@status 409\nYou have 50 exceptions that have not ended: delete one first';
--! EndIncluded exceptions/rules/exceptions_fifty_at_most.sql
--! Included exceptions/rules/exceptions_kind_is_known.sql
alter table parking.exceptions
  drop constraint if exists exceptions_kind_is_known,
  add constraint exceptions_kind_is_known
    check (kind in ('keep', 'share'));

comment on constraint exceptions_kind_is_known on parking.exceptions is
  E'@field kind\nkind must be keep or share';
--! EndIncluded exceptions/rules/exceptions_kind_is_known.sql
--! Included exceptions/rules/exceptions_last_a_year_at_most.sql
-- Where the building limits the length of windows, each day of a shared time may be a window of its own.
alter table parking.exceptions
  drop constraint if exists exceptions_last_a_year_at_most,
  add constraint exceptions_last_a_year_at_most
    check (end_time - start_time <= interval '366 days');

comment on constraint exceptions_last_a_year_at_most on parking.exceptions is
  E'@field end_time\nAn exception lasts 366 days at most';
--! EndIncluded exceptions/rules/exceptions_last_a_year_at_most.sql
--! Included exceptions/rules/exceptions_made_by_a_resident.sql
alter table parking.exceptions
  drop constraint if exists exceptions_made_by_a_resident,
  add constraint exceptions_made_by_a_resident
    foreign key (owner_id)
    references parking.profiles (id);

comment on constraint exceptions_made_by_a_resident on parking.exceptions is
  E'@status 403\nWho makes an exception must be a resident';
--! EndIncluded exceptions/rules/exceptions_made_by_a_resident.sql
--! Included exceptions/rules/exceptions_of_a_spot.sql
alter table parking.exceptions
  drop constraint if exists exceptions_of_a_spot,
  add constraint exceptions_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint exceptions_of_a_spot on parking.exceptions is
  E'@status 404\nParking spot not found';
--! EndIncluded exceptions/rules/exceptions_of_a_spot.sql
--! Included exceptions/rules/exceptions_start_before_end.sql
alter table parking.exceptions
  drop constraint if exists exceptions_start_before_end,
  add constraint exceptions_start_before_end
    check (start_time < end_time);

comment on constraint exceptions_start_before_end on parking.exceptions is
  E'@field end_time\nend_time must be after start_time';
--! EndIncluded exceptions/rules/exceptions_start_before_end.sql
--! Included exceptions/rules/exceptions_times_are_calendar_dates.sql
alter table parking.exceptions
  drop constraint if exists exceptions_times_are_calendar_dates,
  add constraint exceptions_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint exceptions_times_are_calendar_dates on parking.exceptions is
  'start_time and end_time must lie in the years 1 to 9999';
--! EndIncluded exceptions/rules/exceptions_times_are_calendar_dates.sql
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
    'pattern.collided', 'wish.fits'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
--! EndIncluded notifications/is_notification_kind.sql
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
  -- Not of a piece that was joined with others, nor of what private.withdraw_window puts away. People
  -- may set these too, but it binds them.
  when (
    current_setting('parking.joining', true) is distinct from 'on'
    and current_setting('parking.tidying', true) is distinct from 'on'
    or row_security_active('parking.availabilities')
  )
  execute function private.notify_of_availability_deletion();
--! EndIncluded notifications/notify_of_availability_deletion.sql
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

  perform private.require_approved(); -- still, after all the waiting
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
  perform private.require_approved();

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
--! Included wishes/enforce_few_open.sql
/* Somebody with a wish for every hour would be told of every window, and keep it from all others. */
create or replace function private.enforce_few_open()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  -- Two wishes of one person at once: the second waits for the first, and counts it. The erasure of
  -- the person waits too, and the other way round.
  perform from parking.profiles p where p.id = new.wisher_id for no key update;

  if (
    select count(*)
      from parking.wishes w
     where w.wisher_id = new.wisher_id
       and w.claim_id is null
       and w.start_time > clock_timestamp()
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_open is
  'Trigger function: refuses a wish to a resident who has as many open ones as the argument says.';
--! EndIncluded wishes/enforce_few_open.sql
--! Included wishes/fulfil_wishes.sql
/* Who has what they waited for, waits no longer: from the moment of the claim on. */
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
     and coalesce(w.spot_id, new.spot_id) = new.spot_id
     and (
       w.building_section is null
       or w.building_section = (select s.building_section from parking.spots s where s.id = new.spot_id)
     );
  return null;
end;
$$;

comment on function private.fulfil_wishes is
  'Trigger function: a claim fulfils the wishes of the claimer that it fits.';

-- After the rule claims_wait_for_offers: triggers run in the order of their names.
create or replace trigger fulfil_wishes
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.fulfil_wishes();
--! EndIncluded wishes/fulfil_wishes.sql
--! Included wishes/get_wish.sql
create or replace function api.get_wish(id uuid)
  returns setof parking.wishes
  language sql
  stable
  security invoker
  rows 1
as $$
  select w.*
    from parking.wishes w
   where w.id = get_wish.id
$$;

comment on function api.get_wish is
  'One of your wishes';
grant execute on function api.get_wish to parking_api;
--! EndIncluded wishes/get_wish.sql
--! Included wishes/list_wishes.sql
create or replace function api.list_wishes()
  returns setof parking.wishes
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.wishes w
$$;

comment on function api.list_wishes is
  'What you wait for, and what became of it, latest start first';
grant execute on function api.list_wishes to parking_api;
--! EndIncluded wishes/list_wishes.sql
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
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  v_now timestamptz;
  v_begin timestamptz;
  v_window parking.availabilities;
  v_spot parking.spots;
begin
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
  )
  insert into parking.notifications (id, recipient_id, kind, message, availability_id, spot_id)
  select t.id,
         t.wisher_id,
         'wish.fits',
         concat_ws(
           '. Only you can claim it ',
           m.message,
           case when v_each is not null then private.readable_span(t.offered_from, t.offered_until) end
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
        availability_id = excluded.availability_id,
        spot_id = excluded.spot_id,
        is_read = false,
        resolved_at = null,
        created_at = excluded.created_at;
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

drop trigger if exists offer_freed on parking.availabilities;
create constraint trigger offer_freed
  after update on parking.availabilities
  deferrable initially deferred
  for each row
  when (not new.is_claimed and pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.offer_window();
--! EndIncluded wishes/offer_window.sql
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

create or replace trigger resolve_wish
  after delete or update of claim_id on parking.wishes
  for each row
  when (old.availability_id is not null)
  execute function private.resolve_wish();
--! EndIncluded wishes/resolve_wish.sql
--! Included wishes/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.wishes;
create policy approved_account_required on parking.wishes
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.wishes is
  'Account not approved';
--! EndIncluded wishes/rules/approved_account_required.sql
--! Included wishes/rules/wishes_building_section_is_one_line.sql
alter table parking.wishes
  drop constraint if exists wishes_building_section_is_one_line,
  add constraint wishes_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint wishes_building_section_is_one_line on parking.wishes is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
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
  E'@field building_section\nA wish is for a section or for a spot, not both';
--! EndIncluded wishes/rules/wishes_of_a_section_or_a_spot.sql
--! Included wishes/rules/wishes_of_a_spot.sql
alter table parking.wishes
  drop constraint if exists wishes_of_a_spot,
  add constraint wishes_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint wishes_of_a_spot on parking.wishes is
  E'@status 404\nParking spot not found';
--! EndIncluded wishes/rules/wishes_of_a_spot.sql
--! Included wishes/rules/wishes_start_before_end.sql
alter table parking.wishes
  drop constraint if exists wishes_start_before_end,
  add constraint wishes_start_before_end
    check (start_time < end_time);

comment on constraint wishes_start_before_end on parking.wishes is
  E'@field end_time\nend_time must be after start_time';
--! EndIncluded wishes/rules/wishes_start_before_end.sql
--! Included wishes/rules/wishes_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the order of the times come first.
drop trigger if exists wishes_start_in_future on parking.wishes;
create constraint trigger wishes_start_in_future
  after insert or update of start_time on parking.wishes
  for each row
  execute function private.enforce_start_in_future();

comment on trigger wishes_start_in_future on parking.wishes is
  E'@field start_time\nstart_time must be in the future';
--! EndIncluded wishes/rules/wishes_start_in_future.sql
--! Included wishes/rules/wishes_ten_open_at_most.sql
create or replace trigger wishes_ten_open_at_most
  before insert on parking.wishes
  for each row
  execute function private.enforce_few_open('10');

comment on trigger wishes_ten_open_at_most on parking.wishes is
  E'@status 409\nYou wait for ten times already; withdraw one of these wishes first';
--! EndIncluded wishes/rules/wishes_ten_open_at_most.sql
--! Included wishes/rules/wishes_times_are_calendar_dates.sql
alter table parking.wishes
  drop constraint if exists wishes_times_are_calendar_dates,
  add constraint wishes_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint wishes_times_are_calendar_dates on parking.wishes is
  'start_time and end_time must lie in the years 1 to 9999';
--! EndIncluded wishes/rules/wishes_times_are_calendar_dates.sql
--! Included events/event_data.sql
/*
 * What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry
 * down to it, and without what is there only where it has a value.
 */
create or replace function private.event_data(thing text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case thing
    when 'availability' then array['owner_id', 'during', 'part_of', 'pattern_day']
    when 'pattern' then array['owner_id', 'time_zone', 'left_out']
    when 'claim' then array['spot_id', 'owner_id', 'held']
    else '{}'
  end - case
    when subject ->> 'pattern_id' is not null then '{}'
    when coalesce(subject ->> 'guest', subject ->> 'vehicle') is null
      then array['pattern_id', 'guest', 'vehicle']
    when subject ->> 'guest' is null then array['guest']
    when subject ->> 'vehicle' is null then array['vehicle']
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
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
--! EndIncluded events/is_event_type.sql
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
  after update on parking.availabilities
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
  after update on parking.claims
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
--! Included events/events_of_patterns.sql
/* Patterns are created, changed and deleted. Their windows have events of their own; one that collides is noted by private.notify_of_collision. */
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
--! EndIncluded events/events_of_patterns.sql
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
      new.vehicle, new.is_approved, new.is_admin
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin
    )
  )
  execute function private.record_event('profile.updated');
--! EndIncluded events/events_of_profiles.sql
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
  'The window and the caller, as <window>:<sub of the token>, or <window>:feed and the hash of its secret.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.ends_at is
  'When the window ends. The row stays until the next charge of its key, or until other windows are opened.';
comment on index private.rate_limits_ends_at_idx is
  'Finds windows that ended, to delete them.';

alter table private.rate_limits enable row level security;
-- No policy and no grant: the API role counts through private.charge_rate_limits only.
--! EndIncluded rate_limits/table.sql
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
  -- What is to come may still be fulfilled.
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
       -- Of what was one window, somebody claimed a part.
       and not exists (
         select from parking.availabilities p where p.part_of = a.part_of and p.is_claimed
       )
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
--! Included reports/wished_hours.sql
/* As private.hour_use. Wishes of a resident for the same time, in several sections, are one. */
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
--! EndIncluded reports/wished_hours.sql
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
         a.part_of
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id;

comment on view reporting.availabilities is
  'One row for each window that was not deleted.';
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
  'Whether an active or completed claim holds it.';
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
comment on column reporting.availabilities.part_of is
  'The same for all pieces of what was one window, of which somebody claimed a part; null where none was cut.';
grant select on reporting.availabilities to parking_reporter;
--! EndIncluded reports/views/availabilities.sql
--! Included calendar_feeds/table.sql
/* Calendar apps send no token: whoever knows the secret in its address reads a person's calendar. */
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
--! Included calendar_feeds/begin_calendar_feed.sql
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

comment on function private.begin_calendar_feed is
  'Trigger function: locks the profile of the person before they have a calendar feed, or another, and says since when.';

create or replace trigger begin_calendar_feed
  before insert or update on parking.calendar_feeds
  for each row
  execute function private.begin_calendar_feed();
--! EndIncluded calendar_feeds/begin_calendar_feed.sql
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

  perform private.require_approved(); -- still, after all the waiting

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
  volatile
  security invoker
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
--! Included calendar_feeds/end_calendar_feed.sql
create or replace function private.end_calendar_feed()
  returns trigger
  language plpgsql
  security definer -- the feed belongs to the person who is suspended or erased
  set search_path = ''
as $$
begin
  delete from parking.calendar_feeds f
   where f.person_id = new.id;
  return null;
end;
$$;

comment on function private.end_calendar_feed is
  'Trigger function: ends the calendar feed of a person with their approval, which an erasure ends too.';

create or replace trigger end_calendar_feed
  after update of is_approved on parking.profiles
  for each row
  when (old.is_approved and not new.is_approved)
  execute function private.end_calendar_feed();
--! EndIncluded calendar_feeds/end_calendar_feed.sql
--! Included calendar_feeds/enter_calendar_feed.sql
/* The first step of a request to a feed: policies then hold as for its owner, who writes nothing by it. */
create or replace function private.enter_calendar_feed(secret_hash bytea, out language text)
  language plpgsql
  volatile
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
  security invoker
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
       -- Where there is no room for all, what is over goes first, and then what is furthest away.
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
--! Included calendar_feeds/get_calendar_feed.sql
create or replace function api.get_calendar_feed()
  returns table (language text, created_at timestamptz)
  language sql
  stable
  security invoker
  rows 1
as $$
  select f.language, f.created_at
    from parking.calendar_feeds f
$$;

comment on function api.get_calendar_feed is
  'Your calendar feed without its address, which only its POST shows; null where you have none';
grant execute on function api.get_calendar_feed to parking_api;
--! EndIncluded calendar_feeds/get_calendar_feed.sql
--! Included invitations/accept_invitation.sql
/*
 * The person has registered, and the address is confirmed: the caller has made sure of both. A rule that
 * refuses a spot, or the approval, must not refuse the registration, or nobody could sign in.
 */
create or replace function private.accept_invitation(id uuid, profile_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers, which act as the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
  -- The groups of the caller's token decide for everybody: nobody is approved against their own.
  v_by_groups constant boolean := private.decided_by_groups('is_approved') is not null;
  v_invitation parking.invitations;
begin
  select i.* into v_invitation
    from parking.invitations i
   where i.id = accept_invitation.id
     and i.status = 'open'
     for update; -- it may be deleted at this moment

  if not found then
    return;
  end if;

  -- What follows is the act of the administrator who invited: the log and the notifications say so.
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', v_invitation.inviter_id)::text, true
  );
  update parking.profiles p
     set is_approved = true
   where p.id = accept_invitation.profile_id
     and not p.is_approved
     and not v_by_groups;
  update parking.invitations i
     set status = 'accepted',
         accepted_at = clock_timestamp(),
         profile_id = accept_invitation.profile_id,
         spots = private.register_invited_spots(i.spots, accept_invitation.profile_id)
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
--! Included invitations/are_invited_spots.sql
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
--! EndIncluded invitations/are_invited_spots.sql
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
  perform private.require_administrator(); -- still, after all the waiting
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
  perform private.require_administrator();

  delete from parking.invitations i
   where i.id = delete_invitation.id;

  if not found then
    perform private.refuse_unchanged('invitations');
  end if;

  perform private.require_administrator(); -- still, after all the waiting
  message := 'Invitation deleted successfully';
  deleted_invitation_id := delete_invitation.id;
end;
$$;

comment on function api.delete_invitation is
  'Take an invitation back that nobody has accepted';
grant execute on function api.delete_invitation to parking_api;
--! EndIncluded invitations/delete_invitation.sql
--! Included invitations/enforce_spot_is_invited_once.sql
/* The numbers of a list are no key that an index could keep. Those who invite wait for each other (private.meet_newcomers). */
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

comment on function private.enforce_spot_is_invited_once is
  'Trigger function: refuses an invitation with a spot that it, or another open one, has already.';
--! EndIncluded invitations/enforce_spot_is_invited_once.sql
--! Included invitations/get_invitation.sql
create or replace function api.get_invitation(id uuid)
  returns setof parking.invitations
  language sql
  stable
  security invoker
  rows 1
as $$
  select i.*
    from parking.invitations i
   where i.id = get_invitation.id
$$;

comment on function api.get_invitation is
  'One invitation';
grant execute on function api.get_invitation to parking_api;
--! EndIncluded invitations/get_invitation.sql
--! Included invitations/lapse_invitations.sql
/* Who administers no longer, lets nobody in any more. Another administrator may invite the person. */
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

comment on function private.lapse_invitations is
  'Trigger function: ends the open invitations by somebody who is no longer an administrator.';

create or replace trigger lapse_invitations
  after update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved and not (new.is_admin and new.is_approved))
  execute function private.lapse_invitations();
--! EndIncluded invitations/lapse_invitations.sql
--! Included invitations/list_invitations.sql
create or replace function api.list_invitations()
  returns setof parking.invitations
  language sql
  stable
  security invoker
as $$
  select i.*
    from parking.invitations i
$$;

comment on function api.list_invitations is
  'Whom administrators invited, newest first';
grant execute on function api.list_invitations to parking_api;
--! EndIncluded invitations/list_invitations.sql
--! Included invitations/meet_newcomers.sql
/*
 * Who invites, and who registers or confirms an address, run one after the other: at one moment each
 * would miss the other, and somebody who is expected would wait. So do two who invite, and who takes an
 * administrator's rights away.
 */
create or replace function private.meet_newcomers()
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

comment on function private.meet_newcomers is
  'Trigger function: makes those who invite wait for each other, and for who registers or confirms an address.';

create or replace trigger meet_newcomers
  before insert on parking.invitations
  for each statement
  execute function private.meet_newcomers();

create or replace trigger meet_invitations
  before insert on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before update of email, email_confirmed_at on private.users
  for each statement
  execute function private.lock_administrators();
--! EndIncluded invitations/meet_newcomers.sql
--! Included invitations/register_invited_spots.sql
create or replace function private.register_invited_spots(spots jsonb, owner_id uuid)
  returns jsonb
  language plpgsql
  volatile
  security invoker -- for private.accept_invitation: no grant to the API role
  set search_path = ''
as $$
declare
  v_spot jsonb;
  v_id uuid;
  v_rule text;
  v_registered jsonb := '[]';
begin
  for v_spot in select s.value from jsonb_array_elements(register_invited_spots.spots) s loop
    begin
      -- The person may have registered it already.
      select s.id into v_id
        from parking.spots s
       where s.owner_id = register_invited_spots.owner_id
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots (owner_id, spot_number, building_section)
        values (
          register_invited_spots.owner_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning id into v_id;
      end if;

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
  return v_registered;
end;
$$;

comment on function private.register_invited_spots is
  'Registers and verifies the spots of an invitation for their owner. Returns them, each with its spot_id or the rule that refused it.';
--! EndIncluded invitations/register_invited_spots.sql
--! Included invitations/use_invitation.sql
/* Who registers, or whose address is confirmed later, may have been invited. */
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

comment on function private.use_invitation is
  'Trigger function: accepts the open invitation to the confirmed address of the person.';

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
--! EndIncluded invitations/use_invitation.sql
--! Included invitations/welcome_registered.sql
/* Who is invited may have registered already, and the administrator approves them now. */
create or replace function private.welcome_registered()
  returns trigger
  language plpgsql
  security definer -- reads the sign-in data of everybody
  set search_path = ''
as $$
declare
  -- Of several accounts with one address, the one that the person made last.
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

comment on function private.welcome_registered is
  'Trigger function: accepts an invitation for whoever has registered with the confirmed address.';

-- Deferred, so that all invitations of a list are open while the rules look for duplicates.
drop trigger if exists welcome_registered on parking.invitations;
create constraint trigger welcome_registered
  after insert on parking.invitations
  deferrable initially deferred
  for each row
  execute function private.welcome_registered();
--! EndIncluded invitations/welcome_registered.sql
--! Included parked/parked.sql
/* What somebody at the gate needs to know of a spot. A type, because the filters have names of its members. */
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
      -- Who names neither a guest nor a plate comes with the usual vehicle.
     cross join lateral (
       select coalesce(c.vehicle, case when c.guest is null then p.vehicle end) as vehicle
     ) here
     where (parked.section is null or s.building_section = parked.section)
       and (parked.vehicle is null or private.plate(here.vehicle) = private.plate(parked.vehicle))
       and (c.id is not null or (s.is_verified and p.is_approved))
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
  'Account not approved';
--! EndIncluded calendar_feeds/rules/approved_account_required.sql
--! Included calendar_feeds/rules/calendar_feeds_language_is_known.sql
alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_language_is_known,
  add constraint calendar_feeds_language_is_known
    check (language in ('en', 'de'));

comment on constraint calendar_feeds_language_is_known on parking.calendar_feeds is
  E'@field language\nlanguage must be en or de';
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
  'The secret of a calendar feed is kept as its SHA-256';
--! EndIncluded calendar_feeds/rules/calendar_feeds_secrets_are_hashed.sql
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
  'Administrator privileges required';
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
  E'@status 409\nThis invitation was accepted; take the approval of the account back instead';
--! EndIncluded invitations/rules/invitations_accepted_stay.sql
--! Included invitations/rules/invitations_address_is_invited_once.sql
create unique index if not exists invitations_address_is_invited_once
  on parking.invitations (address)
  where status = 'open';

comment on index parking.invitations_address_is_invited_once is
  E'@field email\nThis address has been invited already';
--! EndIncluded invitations/rules/invitations_address_is_invited_once.sql
--! Included invitations/rules/invitations_apartment_number_is_one_line.sql
alter table parking.invitations
  drop constraint if exists invitations_apartment_number_is_one_line,
  add constraint invitations_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint invitations_apartment_number_is_one_line on parking.invitations is
  E'@field apartment_number\napartment_number must be 1 to 32 characters on one line';
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
    check (private.is_one_line(email, 3, 320) and email like '_%@%_');

comment on constraint invitations_email_is_an_address on parking.invitations is
  E'@field email\nemail must be an address of at most 320 characters';
--! EndIncluded invitations/rules/invitations_email_is_an_address.sql
--! Included invitations/rules/invitations_full_name_is_one_line.sql
alter table parking.invitations
  drop constraint if exists invitations_full_name_is_one_line,
  add constraint invitations_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint invitations_full_name_is_one_line on parking.invitations is
  E'@field full_name\nfull_name must be 1 to 200 characters on one line';
--! EndIncluded invitations/rules/invitations_full_name_is_one_line.sql
--! Included invitations/rules/invitations_spot_is_invited_once.sql
create or replace trigger invitations_spot_is_invited_once
  after insert on parking.invitations
  for each row
  when (new.spot_keys <> '{}')
  execute function private.enforce_spot_is_invited_once();

comment on trigger invitations_spot_is_invited_once on parking.invitations is
  E'@status 409\n@field spots\nA parking spot can be in one open invitation, and once';
--! EndIncluded invitations/rules/invitations_spot_is_invited_once.sql
--! Included invitations/rules/invitations_spots_can_be_registered.sql
alter table parking.invitations
  drop constraint if exists invitations_spots_can_be_registered,
  add constraint invitations_spots_can_be_registered
    check (private.are_invited_spots(spots));

comment on constraint invitations_spots_can_be_registered on parking.invitations is
  E'@field spots\nspots must be at most 20, each with a spot_number of 1 to 32 and a building_section of 1 to 100 characters on one line';
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
  select e.actor_id, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'availability.deleted', 'claim.deleted')
     and e.reason is null -- an administrator gives one
  union
  select coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'claim.deleted');

comment on view private.subjects is
  'What belongs to each person, or belonged: profile, spots, windows, and claims made and received.';
comment on column private.subjects.person_id is
  'The person.';
comment on column private.subjects.subject_id is
  'What events are about.';
--! EndIncluded export/subjects.sql
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
  select 'pattern_changes', n.person_id, n.person_id, to_jsonb(n)
    from private.pattern_changes n
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'exception_days', n.person_id, n.person_id, to_jsonb(n)
    from private.exception_days n
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
  select 'notifications', n.recipient_id, n.id, to_jsonb(n)
    from parking.notifications n
  union all
  select 'history', s.person_id, s.subject_id, jsonb_build_object(
           'subject_id', s.subject_id,
           'events', (
             select jsonb_agg(
                      to_jsonb(e) - '{id, subject_id, actor_id}'::text[]
                        || jsonb_build_object('by_you', e.actor_id is not distinct from s.person_id)
                      order by e.id
                    )
               from private.events e
              where e.subject_id = s.subject_id
           )
         )
    from private.subjects s
  union all
  -- Of what others own, only that it was done.
  select 'acts', e.actor_id, e.id, to_jsonb(e) - '{id, actor_id, data}'::text[]
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
--! Included export/export_profile.sql
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
--! EndIncluded export/export_profile.sql
--! Included export/exported.sql
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
--! EndIncluded export/exported.sql
--! Included export/exported_ids.sql
/* What there is to read, a thousand at a time: so no answer has to be in memory as a whole. */
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
--! EndIncluded export/exported_ids.sql
