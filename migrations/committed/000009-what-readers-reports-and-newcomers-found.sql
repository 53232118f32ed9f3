--! Previous: sha1:ca6f70395b1e20cffe9cd40989ef5d692ca73017
--! Hash: sha1:579132d6c2da8881098a4e860adc8af9a8abdbaf
--! Message: What readers, reports and newcomers found

-- A suspension no longer ends a calendar feed: it rests, and the erasure deletes it.
drop trigger if exists end_calendar_feed on parking.profiles;
drop function if exists private.end_calendar_feed();

-- It returns one more column.
drop function if exists private.take_jobs(text, integer, interval);

--! Included invitations/is_invited_email.sql
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
--! EndIncluded invitations/is_invited_email.sql
-- Nobody could accept them: no such address exists. The page offers to invite again.
update parking.invitations i
   set status = 'lapsed'
 where not private.is_invited_email(i.email, i.status);

-- The index has plates as they were compared before.
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
--! EndIncluded support/plate.sql
reindex index parking.claims_plate_idx;

-- Numbers are unique among the spots that are in use. The file of the rule makes the index anew.
alter table parking.spots add column if not exists retired_at timestamptz(3);
drop index if exists parking.spots_spot_number_is_unique;
drop trigger if exists "A_delete_claims" on parking.spots;
drop function if exists private.delete_claims_of_spot();

-- Whoever was erased has moved out: their numbers are free for the next.
update parking.spots s
   set retired_at = now(),
       notes = null
  from private.users u
 where u.id = s.owner_id
   and u.erased_at is not null;

-- Who cancelled is kept with the claim, as far as the log still knows it.
alter table parking.claims add column if not exists cancelled_by uuid;
update parking.claims c
   set cancelled_by = e.actor_id
  from private.events e
 where e.subject_id = c.id
   and e.type = 'claim.cancelled'
   and c.status = 'cancelled'
   and e.actor_id is not null;

-- Nobody searches what others wrote (private.erase_person).
--! Included profiles/names_of.sql
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
--! EndIncluded profiles/names_of.sql
drop function if exists private.erase_from_texts(uuid, text[]);
drop function if exists private.without_names(text, text[]);
drop function if exists private.is_of_script_without_spaces(text);
drop function if exists private.erase_guests(uuid);
drop function if exists private.erase_notes(uuid);
drop function if exists private.renew_messages(uuid[]);
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
--! Included support/invisible_characters.sql
/* What no text may have: it would look like another text. */
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
--! EndIncluded support/invisible_characters.sql
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
--! EndIncluded support/is_one_line.sql
--! Included support/is_time_zone.sql
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
--! EndIncluded support/is_time_zone.sql
--! Included support/touch.sql
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

comment on function private.touch is
  'Trigger function: sets updated_at to the present moment, and later than it was.';
--! EndIncluded support/touch.sql
--! Included identity/token_issued_at.sql
/* Of two tokens of a person the one that was issued later is believed. */
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
--! EndIncluded identity/token_issued_at.sql
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
  -- That a token came changes nothing that the person sees.
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
  -- A server that only reads serves these tokens too.
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
--! Included users/remember_user.sql
/* Stores the sign-in data of the caller's token. Writes only what changed. */
create or replace function private.remember_user()
  returns private.users
  language plpgsql
  volatile
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
--! EndIncluded identity/claimed_by_groups.sql
--! Included identity/is_outdated.sql
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
--! EndIncluded identity/is_outdated.sql
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

-- The few that say why (private.erase_person).
create index if not exists events_with_reason_idx on private.events (subject_id) where reason is not null;
--! EndIncluded events/table.sql
--! Included spots/number_key.sql
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
--! EndIncluded spots/number_key.sql
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
       -- Nothing refreshes it (private.remember_user, private.follow_groups).
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
--! Included profiles/clean_phone_number.sql
/* What is copied from an address book has marks of direction, and other blanks and hyphens, around and between. */
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

comment on function private.clean_phone_number is
  'Trigger function: takes out of a phone number what nobody sees, and makes its blanks spaces and its dashes hyphens.';

create or replace trigger clean_phone_number
  before insert or update of phone_number on parking.profiles
  for each row
  execute function private.clean_phone_number();
--! EndIncluded profiles/clean_phone_number.sql
--! Included profiles/deleted_of.sql
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
--! EndIncluded profiles/deleted_of.sql
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

  -- With what is to come of them; those with a past are retired (private.retire_spot).
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

  -- What the person typed may be a name; a section that there is, is none.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_person.id
     and w.building_section not in (
       select s.building_section from parking.spots s where s.owner_id <> erase_person.id
     );

  delete from parking.notifications n
   where n.recipient_id = erase_person.id;

  -- Strangers' cars: those that the person reported, and the person's own. Who was told of one reads the
  -- plate too; that was written in the transaction of the report.
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

  -- Why something of theirs was cancelled or removed; not why it is now.
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

  -- From here on no event gets its position: nothing waits for rows any more.
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
       or (e.data ->> 'spot_id')::uuid in (select s.id from unnest(v_spots) s (id)) -- a window that is gone
     )
     and (e.occurred_at >= v_began and e.reason = v_reason) is not true;

  perform set_config('parking.erasing', 'off', true);

  perform private.add_job('statistics', gen_random_uuid()::text);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, the invitations and the answers kept under idempotency keys, and the reasons that others gave for what was done to what is theirs. Cancels their claims that have not ended and those on their spots, and removes their spots. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
--! Included profiles/erase_profile.sql
create or replace function api.erase_profile(
    id uuid,
    reason text,
    out message text,
    out deleted_profile_id uuid
)
  language plpgsql
  volatile
  security invoker
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
  '"\', '' -- which rows and JSON double
);

comment on function private.folded is
  'A text for private.mentions: without case, compatibility forms (NFKC), quotes and backslashes.';
--! EndIncluded profiles/folded.sql
--! Included profiles/follow_groups.sql
/*
 * Rules about other people, such as that the owner of a claimed spot is approved, read the profile:
 * it keeps what the groups in the person's latest token said. The service calls this when a token
 * comes for the first time, so they hold from that request on.
 */
create or replace function private.follow_groups()
  returns void
  language plpgsql
  volatile
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
--! Included profiles/mentions.sql
/*
 * What others wrote, nobody changes: a word may be a name and something else. Where a whole name still stands,
 * a human decides. Every table is read, so that none is forgotten, and a long log takes a while: nothing waits.
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
--! EndIncluded profiles/mentions.sql
--! Included profiles/update_profile_flags.sql
drop function if exists api.update_profile_flags(uuid, boolean, boolean[]);
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

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_profile_flags(id uuid, is_approved boolean, variadic is_admin boolean[])
  returns parking.profiles
  language sql
  stable
return null::parking.profiles;

comment on function api.update_profile_flags(uuid, boolean, boolean[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_profile_flags(uuid, boolean, boolean[]) to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
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
  'Administrator privileges required';
--! EndIncluded profiles/rules/administrator_required.sql
--! Included building/clock_offsets.sql
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
--! EndIncluded building/clock_offsets.sql
--! Included building/enforce_time_zone.sql
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

comment on function private.enforce_time_zone is
  'Trigger function: refuses what is no time zone, and names those that an abbreviation stands for.';
--! EndIncluded building/enforce_time_zone.sql
--! Included building/list_offsets.sql
/* A browser may be older than the zone of the building. */
create or replace function api.list_offsets()
  returns table (since timestamptz, minutes integer)
  language sql
  stable
  security invoker
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
--! EndIncluded building/list_offsets.sql
--! Included building/rules/building_time_zone_is_known.sql
-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_time_zone();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\ntime_zone must be the name of a time zone, such as {until}';
--! EndIncluded building/rules/building_time_zone_is_known.sql
--! Included spots/table.sql
/* The building's parking spots, each entered by its owner. */
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
  perform private.require_approved();

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
--! Included spots/get_spot.sql
create or replace function api.get_spot(id uuid)
  returns setof parking.spots
  language sql
  stable
  security invoker
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
--! EndIncluded spots/get_spot.sql
--! Included spots/list_spots.sql
create or replace function api.list_spots()
  returns setof parking.spots
  language sql
  stable
  security invoker
as $$
  select s.*
    from parking.spots s
   where s.retired_at is null
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;
--! EndIncluded spots/list_spots.sql
--! Included spots/remove_spot.sql
create or replace function api.remove_spot(
    id uuid,
    reason text,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  volatile
  security invoker
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
--! Included spots/require_spot.sql
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
--! EndIncluded spots/require_spot.sql
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
  -- What was offered until now, was offered.
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

-- The last of them, so that every rule about the deletion of a spot has been asked: triggers run in the
-- order of their names.
create or replace trigger z_retire_spot
  before delete on parking.spots
  for each row
  execute function private.retire_spot();
--! EndIncluded spots/retire_spot.sql
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

  perform private.require_approved(); -- still, after all the waiting
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
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_administrator();

  if verify_spot.is_verified is not null then
    update parking.spots s
       set is_verified = verify_spot.is_verified
     where s.id = verify_spot.id
    returning * into v_spot;
  else
    select s.* into v_spot
      from parking.spots s
     where s.id = verify_spot.id
       and s.retired_at is null;
  end if;

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
--! Included spots/rules/spots_deleted_by_owner.sql
drop policy if exists spots_deleted_by_owner on parking.spots;
create policy spots_deleted_by_owner on parking.spots
  for delete to parking_api
  using (owner_id = (select private.caller_id()) and retired_at is null);

comment on policy spots_deleted_by_owner on parking.spots is
  'You can only delete your own parking spots';
--! EndIncluded spots/rules/spots_deleted_by_owner.sql
--! Included spots/rules/spots_spot_number_is_unique.sql
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (private.number_key(spot_number))
  where retired_at is null;

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
--! EndIncluded spots/rules/spots_spot_number_is_unique.sql
--! Included spot_access/get_spot_access.sql
create or replace function api.get_spot_access(id uuid)
  returns setof parking.spot_access
  language sql
  stable
  security invoker
  rows 1
as $$
  -- Who may write some finds an empty row where there are none.
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
--! EndIncluded spot_access/get_spot_access.sql
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
       where o.retired_at is null
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

-- Several, because each statement reads the conditions of the triggers of its columns anew: a cancellation
-- reads a short one, that of private.touch_status.
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

comment on function private.enforce_closed is
  'Trigger function: refuses to change a claim that was completed or cancelled.';
--! EndIncluded claims/enforce_closed.sql
--! Included claims/touch_status.sql
/* Who cancelled a claim is kept with it: the event log is pruned, and reports ask years later. */
create or replace function private.touch_status()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond'); -- as private.touch
  new.cancelled_by := case when new.status = 'cancelled' then private.caller_id() end;
  return new;
end;
$$;

comment on function private.touch_status is
  'Trigger function: keeps updated_at of a claim whose status changes, and who cancelled it.';

create or replace trigger touch
  before update of status on parking.claims
  for each row
  when (new.status <> old.status)
  execute function private.touch_status();
--! EndIncluded claims/touch_status.sql
--! Included claims/rules/claims_completed_are_not_deleted.sql
create or replace trigger claims_completed_are_not_deleted
  before delete on parking.claims
  for each row
  when (old.status = 'completed')
  execute function private.enforce_rule();

comment on trigger claims_completed_are_not_deleted on parking.claims is
  'Cannot delete a completed claim';
--! EndIncluded claims/rules/claims_completed_are_not_deleted.sql
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
     and s.retired_at is null
     for key share of s;
  perform private.require_spot(found or new.spot_id is null, 'claims_of_an_availability');

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
--! Included locks/lock_spot.sql
/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: administrators_lock, users,
 * profiles, invitations, spots, plans, patterns, claims, windows, wishes; several of a kind in the order
 * of their ids. An UPDATE or a DELETE locks its row before its triggers run, so only an INSERT can lock
 * in a trigger what comes before the row in this order; a trigger for each statement can, but knows no
 * row (private.lock_plans_before). The functions of api that change or delete a row lock the spot first.
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

comment on function private.lock_spot is
  'Trigger function: locks the spot before a window or a pattern of it is published; refuses, under the rule that the argument names, where there is none or it is retired.';

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot('availabilities_of_a_spot');

create or replace trigger lock_spot
  before insert on parking.patterns
  for each row
  execute function private.lock_spot('patterns_of_a_spot');
--! EndIncluded locks/lock_spot.sql
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
  -- Who writes windows or claims writes this table after them, and before private.person_counts. So nobody
  -- has counted what is not committed, and who has not counted yet waits here, and adds to the new counts.
  -- Windows and claims themselves are not locked: writers take them in any order.
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
  -- What is no day, or in the wrong order, other rules refuse.
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
--! Included patterns/instant_of.sql
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
--! EndIncluded patterns/instant_of.sql
--! Included patterns/pattern_spans.sql
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
--! EndIncluded patterns/pattern_spans.sql
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
  E'@field weekdays\nNone of the weekdays falls between first_day and last_day';
--! EndIncluded patterns/rules/patterns_weekdays_fall_within_days.sql
--! Included exceptions/share_again.sql
/* What ended an offer ended it for itself: what an exception shares of that time is on offer again. */
create or replace function private.share_again(
    spot_id uuid,
    gone tstzmultirange,
    newer_than uuid default null
)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_shared parking.exceptions;
begin
  for v_shared in
    select e.id, e.owner_id, e.own_spot_id, lower(span), upper(span), e.kind, e.created_at, e.updated_at
      from (
        select e.*,
               s.id as own_spot_id,
               tstzmultirange(whole) * gone - coalesce(range_agg(whole) over earlier, '{}') as times
          from parking.exceptions e
          join parking.spots s
            on s.owner_id = e.owner_id
           and s.retired_at is null
           and s.id = coalesce(e.spot_id, s.id)
           and s.id < e.id -- one that came later was never shared by it
         cross join lateral tstzrange(e.start_time, e.end_time) whole
         where e.owner_id = (select private.caller_id())
           and e.kind = 'share'
           and s.id = coalesce(share_again.spot_id, s.id)
           and (newer_than is null or e.id > newer_than)
        -- Each time once, by the first that shares it: they may be fifty, and the times of a year.
        window earlier as (
          partition by s.id
          order by e.start_time, e.id
          rows between unbounded preceding and 1 preceding
        )
      ) e
     cross join lateral unnest(e.times) span
     where upper(span) > clock_timestamp()
     order by e.start_time, e.id, e.own_spot_id, span
  loop
    begin
      perform private.share_own_spots(v_shared);
    exception
      -- As in private.restore_kept. A limit of one spot is none of another.
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.share_again is
  'Offers what exceptions of the caller, of kind share, have of these times: of one spot, or of all where it is null; only of exceptions that were made after another, where that is given.';
grant execute on function private.share_again to parking_api;
--! EndIncluded exceptions/share_again.sql
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
  v_zone constant text := (private.building()).time_zone;
  v_span constant tstzrange := tstzrange(
    least(greatest(shared.start_time, private.next_minute()), shared.end_time),
    shared.end_time
  );
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
       and s.retired_at is null
       and s.id = coalesce(shared.spot_id, s.id)
  ),
  pieces as (
    select g.id,
           g.owner_id,
           piece as start_time,
           least(upper(gap), private.days_after(piece, l.longest_window_days)) as end_time
      from gaps g
     cross join lateral private.limits_of(g.id) l
     cross join lateral generate_series(
       lower(gap),
       -- Nobody could claim a shorter one.
       upper(gap) - make_interval(mins => coalesce(l.shortest_claim_minutes, 1)),
       make_interval(days => coalesce(l.longest_window_days, 1000)),
       v_zone
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
  'Publishes what is not on offer yet of the time of an exception, in windows as long as the limits of each spot allow; not what another exception keeps.';
grant execute on function private.share_own_spots to parking_api;
--! EndIncluded exceptions/share_own_spots.sql
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
-- The few that repeat what somebody wrote (private.erase_person); those of the first release may.
create index if not exists notifications_of_texts_idx
  on parking.notifications (spot_id)
  where data is null or data ?| '{reason, vehicle}';

create or replace trigger touch
  before update on parking.notifications
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded notifications/table.sql
--! Included notifications/mark_notifications.sql
create or replace function api.mark_notifications(is_read boolean)
  returns table (marked integer)
  language plpgsql
  volatile
  security invoker -- the policies leave each person their own
  set search_path = ''
as $$
begin
  perform private.require_approved();

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
--! Included notifications/notify_of_rejection.sql
/* Notifies a person whose account was not approved. They get it by mail: notifications are for who is approved. */
create or replace function private.notify_of_rejection()
  returns trigger
  language plpgsql
  security definer -- writes to the person's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.rejected');
  return null;
end;
$$;

comment on function private.notify_of_rejection is
  'Trigger function: notifies a person that the account was not approved.';

create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.notify_of_rejection();
--! EndIncluded notifications/notify_of_rejection.sql
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

  -- One for each resident, however many claims they had. What is over, they keep.
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

alter table private.jobs
  add column if not exists pause interval;

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
  insert into private.jobs (kind, lane, key, event_id, data, run_at, pause)
  values (
    add_job.kind, coalesce(add_job.lane, add_job.kind), add_job.key, add_job.event_id,
    add_job.data, add_job.run_at, add_job.run_at - clock_timestamp()
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
          and private.is_due(j.run_at, j.pause)
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
--! EndIncluded jobs/end_job.sql
--! Included jobs/is_due.sql
/* A clock is set back by a moment all the time, and a job must not be taken twice for that. */
create or replace function private.is_due(run_at timestamptz, pause interval)
  returns boolean
  language sql
  volatile
return is_due.run_at <= clock_timestamp()
  or coalesce(is_due.run_at > clock_timestamp() + is_due.pause + interval '1 minute', false);

comment on function private.is_due is
  'Whether a job is due: at its time, or where it is further ahead than it was put off, by a clock that ran ahead.';
--! EndIncluded jobs/is_due.sql
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
  c_far constant interval := interval '7 days';
  v_building constant parking.building := private.building();
  v_jobs integer;
  v_notifications integer;
  v_reports integer;
  v_events integer;
  v_kept_after bigint;
begin
  perform private.require_service();

  -- What it deletes does not come back. Where nothing happened for long before now, the clock may run ahead.
  -- What happened within the hour says nothing: it has its time by the same clock.
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
--! Included jobs/renew_statistics.sql
/*
 * The planner's statistics hold values of the tables, also of what was erased since. Table by table, each in
 * a statement of its own, so that none takes long.
 */
create or replace function private.renew_statistics(number integer)
  returns boolean
  language plpgsql
  volatile
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
--! EndIncluded jobs/renew_statistics.sql
--! Included jobs/take_jobs.sql
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
--! EndIncluded jobs/take_jobs.sql
--! Included spot_reports/enforce_few_reports.sql
/* Each report is a message to all administrators. */
create or replace function private.enforce_few_reports()
  returns trigger
  language plpgsql
  security definer -- the API role may not lock profiles
  set search_path = ''
as $$
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.reporter_id for no key update;
  perform private.take_turn(tg_name, new.reporter_id);

  if (
    select count(*)
      from parking.spot_reports r
     where r.reporter_id = new.reporter_id
       and r.created_at > clock_timestamp() - interval '1 day'
       and r.created_at <= clock_timestamp()::timestamptz(3) -- not by a clock that ran ahead
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_reports is
  'Trigger function: refuses a report by who has made as many in 24 hours as the argument says.';
--! EndIncluded spot_reports/enforce_few_reports.sql
--! Included webhooks/rules/webhooks_format_is_known.sql
alter table parking.webhooks
  drop constraint if exists webhooks_format_is_known,
  add constraint webhooks_format_is_known
    check (format in ('event', 'chat', 'teams'));

comment on constraint webhooks_format_is_known on parking.webhooks is
  E'@field format\nformat must be event, chat or teams';
--! EndIncluded webhooks/rules/webhooks_format_is_known.sql
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
    when 'availability' then array['owner_id', 'during', 'pattern_day']
    when 'pattern' then array['owner_id', 'time_zone', 'left_out', 'left_out_times']
    when 'claim' then array['spot_id', 'owner_id', 'held', 'cancelled_by']
    when 'spot' then
      array['retired_at'] || case when subject ->> 'notes' is null then array['notes'] else '{}' end
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
    'availability.created', 'availability.updated', 'availability.joined', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.collided', 'pattern.deleted',
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
  'What happened after a position, in order, with the numbers of those of these people who may see it, and null for all who are approved; each sees the rows of a position that are theirs. The last row says how far it came, and who of them is approved. Where events after the position are no longer kept, or it is none of this log, the first row is a reset.';
grant execute on function private.read_events to parking_api;
--! EndIncluded events/read_events.sql
--! Included events/record_access.sql
/*
 * Who has read how to get to a spot learns that it changed, and reads it anew. The event does not say it: it is
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

comment on function private.record_access is
  'Trigger function: logs that the access notes of a spot have changed.';

create or replace trigger record_access
  after insert or update of access_notes on parking.spot_access
  for each row
  execute function private.record_access();
--! EndIncluded events/record_access.sql
--! Included events/record_limits.sql
/* Who has read the limits learns that they changed, and reads them anew. */
create or replace function private.record_limits()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.new_events (type, subject_id, data)
  select 'building.updated', b.id, jsonb_build_object('id', b.id)
    from parking.building b;
  return null;
end;
$$;

comment on function private.record_limits is
  'Trigger function: logs that the limits of the building, or of a section, have changed.';

create or replace trigger record_limits
  after update on parking.building
  for each row
  when (old.* is distinct from new.*)
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.section_limits
  for each statement
  execute function private.record_limits();
--! EndIncluded events/record_limits.sql
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
  -- Those of private.contacts who read them, and the owner.
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
  -- All learn that the window was taken or is free: also who sees the claim need not ask for it.
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
--! Included events/events_of_profiles.sql
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
--! EndIncluded events/events_of_profiles.sql
--! Included events/events_of_spots.sql
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
--! EndIncluded events/events_of_spots.sql
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
  perform private.take_turn(tg_name, new.person_id);

  if (
    select count(*)
      from (
        select from private.idempotency_keys k
         where k.person_id = new.person_id
           and k.expires_at > now()
           -- Not what a clock kept that ran ahead.
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
--! Included rate_limits/is_open.sql
/* By the clock at this moment, not at the start of the request: another may have opened the window since. */
create or replace function private.is_open(ends_at timestamptz, seconds integer)
  returns boolean
  language sql
  volatile
return is_open.ends_at > clock_timestamp()
  and is_open.ends_at <= clock_timestamp()::timestamptz(3) + make_interval(secs => is_open.seconds);

comment on function private.is_open is
  'Whether a window of so many seconds is open. One that ends later than that from now was opened by a clock that ran ahead, and is over.';
--! EndIncluded rate_limits/is_open.sql
--! Included reports/reported_until.sql
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
--! EndIncluded reports/reported_until.sql
--! Included reports/reported_hour_use.sql
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
--! EndIncluded reports/reported_hour_use.sql
--! Included reports/reported_section_use.sql
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
--! EndIncluded reports/reported_section_use.sql
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
           and not private.is_put_away(a.start_time, a.end_time)
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
         a.part_of,
         a.pattern_day is not null as is_from_pattern
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where not private.is_put_away(a.start_time, a.end_time);

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
comment on column reporting.availabilities.is_from_pattern is
  'Whether it was published for a day of a pattern.';
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
--! Included reports/views/occupancy_by_hour.sql
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
grant select on reporting.occupancy_by_hour to parking_reporter, parking_analyst;
--! EndIncluded reports/views/occupancy_by_hour.sql
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
       where not private.is_put_away(a.start_time, a.end_time)
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
--! Included reports/views/section_utilisation.sql
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
grant select on reporting.section_utilisation to parking_reporter, parking_analyst;
--! EndIncluded reports/views/section_utilisation.sql
--! Included reports/views/spot_reports.sql
/* Strangers' cars, without their plates and what people wrote. */
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
        and not private.is_put_away(a.start_time, a.end_time)
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
grant select on reporting.use_by_month to parking_reporter, parking_analyst;
--! EndIncluded reports/views/use_by_month.sql
--! Included reports/views/wishes.sql
/* Who waits for what, and in vain. */
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
-- No grant to write: what is here is run in the browsers of all.

comment on table private.page_files is
  'The files of the page, of this version of the service and the two before.';
comment on column private.page_files.name is
  'It has a hash of the content in it.';
comment on column private.page_files.content is
  'What the browser gets.';
comment on column private.page_files.release is
  'The newest version that has it, as they are counted here.';
--! EndIncluded page_files/table.sql
--! Included board/board_claims.sql
create or replace function api.board_claims("from" timestamptz, until timestamptz)
  returns setof parking.claims
  language plpgsql
  stable
  security invoker
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
--! EndIncluded board/board_claims.sql
--! Included board/board_windows.sql
/* All at once, where the list needs a page for each 200: the page shows a week of a whole building. */
create or replace function api.board_windows("from" timestamptz, until timestamptz)
  returns setof parking.availabilities
  language plpgsql
  stable
  security invoker
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
--! EndIncluded board/board_windows.sql
--! Included dashboard/get_dashboard.sql
create or replace function api.get_dashboard()
  returns table (
    total_spots bigint,
    active_spots bigint,
    total_claims bigint,
    active_claims bigint
  )
  language sql
  stable
  security invoker
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
--! EndIncluded dashboard/get_dashboard.sql
--! Included dashboard/recent_spots.sql
create or replace function api.recent_spots()
  returns setof parking.spots
  language sql
  stable
  security invoker
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
--! EndIncluded dashboard/recent_spots.sql
--! Included invitations/caller_invitation.sql
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
--! EndIncluded invitations/caller_invitation.sql
--! Included invitations/get_own_invitation.sql
create or replace function api.get_own_invitation()
  returns setof parking.invitations
  language sql
  stable
  security invoker
  rows 1
as $$
  select i.*
    from private.caller_invitation() i
$$;

comment on function api.get_own_invitation is
  'What an administrator wrote in the open invitation to your confirmed address, to register with it; null where there is none';
grant execute on function api.get_own_invitation to parking_api;
--! EndIncluded invitations/get_own_invitation.sql
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
  raise sqlstate 'PT001'; -- takes all of it back, but for the numbers
exception
  when sqlstate 'PT001' then -- PT000 would be all refusals too
    null;
end;
$$;

comment on function api.preview_invitations is
  'What would become of a list of invitations: it is refused as POST /admin/invitations refuses it, and nobody is invited';
grant execute on function api.preview_invitations to parking_api;
--! EndIncluded invitations/preview_invitations.sql
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
         and s.retired_at is null
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots (owner_id, spot_number, building_section)
        values (
          register_invited_spots.owner_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning id into v_id;
      end if;

      -- As the administrator knows it. Before: a change of the section ends a verification.
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
  return v_registered;
end;
$$;

comment on function private.register_invited_spots is
  'Registers and verifies the spots of an invitation for their owner. Returns them, each with its spot_id or the rule that refused it.';
--! EndIncluded invitations/register_invited_spots.sql
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
               and j.created_at <= clock_timestamp()::timestamptz(3) -- not by a clock that ran ahead
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
  -- The same version again is no other.
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
--! Included retired_spots/keep_spot_of_row.sql
/*
 * Nothing more is made about a spot that is retired: it is as gone as one that was deleted, and foreign keys
 * find it. Of new claims, windows and patterns private.keep_spot and private.lock_spot see to that.
 */
create or replace function private.keep_spot_of_row()
  returns trigger
  language plpgsql
  security definer -- the spot may belong to another resident
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for key share; -- a removal of the spot under way ends first

  perform private.require_spot(found, tg_argv[0]);
  return null;
end;
$$;

comment on function private.keep_spot_of_row is
  'Trigger function: refuses a row about a spot that is retired, under the rule that the argument names.';

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_ and a
-- number: this one runs before them, and refuses an account that is not approved any more as such.
create or replace trigger "A_keep_spot"
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('exceptions_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('wishes_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_reports
  for each row
  execute function private.keep_spot_of_row('spot_reports_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_access
  for each row
  execute function private.keep_spot_of_row('spot_access_of_a_spot');
--! EndIncluded retired_spots/keep_spot_of_row.sql
--! Included retired_spots/keep_window.sql
/*
 * What was offered of a spot that is retired, was offered: nobody moves it into the future, or deletes it with
 * the claims of it. Without a lock, for the removal of the spot may wait for a window that is being moved.
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

comment on function private.keep_window is
  'Trigger function: a window of a retired spot is as gone as the spot, for who would change it.';

create or replace trigger keep_window
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_window();
--! EndIncluded retired_spots/keep_window.sql
--! Included invitations/rules/invitations_email_is_an_address.sql
alter table parking.invitations
  drop constraint if exists invitations_email_is_an_address,
  add constraint invitations_email_is_an_address
    check (private.is_one_line(email, 3, 320) and private.is_invited_email(email, status));

comment on constraint invitations_email_is_an_address on parking.invitations is
  E'@field email\nemail must be an address of at most 320 characters';
--! EndIncluded invitations/rules/invitations_email_is_an_address.sql
--! Included page_files/rules/page_files_name_has_a_hash.sql
alter table private.page_files
  drop constraint if exists page_files_name_has_a_hash,
  add constraint page_files_name_has_a_hash
    check (name ~ '^[a-zA-Z0-9_.-]{1,60}\.[A-Z0-9]{8}\.[a-z0-9]{2,5}$');

comment on constraint page_files_name_has_a_hash on private.page_files is
  'A file of the page has a hash of its content in its name';
--! EndIncluded page_files/rules/page_files_name_has_a_hash.sql
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
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - '{held, cancelled_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - '{held, cancelled_by}'::text[] || jsonb_build_object(
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
  select 'changed_windows', n.person_id, n.person_id, to_jsonb(n)
    from private.changed_windows n
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'wishes', w.wisher_id, w.id, to_jsonb(w)
    from parking.wishes w
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
