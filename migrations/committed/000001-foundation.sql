--! Previous: -
--! Hash: sha1:d37969936b2390425061719fdd4f06d9a48e4799
--! Message: foundation

--! Included all.sql
/* The database in the order in which it is made. Every file can be run again. */
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
grant usage on schema reporting to parking_reporter;
--! EndIncluded schemas.sql

--! Included support/iso8601.sql
/* The one format in which times leave the database. */
create or replace function private.iso8601(moment timestamptz)
  returns text
  language sql
  stable
  parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

comment on function private.iso8601 is
  'A time in UTC with milliseconds, as JavaScript''s toISOString() writes it.';
--! EndIncluded support/iso8601.sql
--! Included support/is_one_line.sql
/* What every text that people type has in common: some characters on one line, and no invisible ones. */
create or replace function private.is_one_line(value text, shortest integer, longest integer)
  returns boolean
  language sql
  immutable
  parallel safe
return char_length(value) >= shortest
  and char_length(value) <= longest
  -- Regular expressions of PostgreSQL do not know Unicode's categories. These are, of Unicode 17.0,
  -- Cc, Cf, Zl, Zp and Default_Ignorable_Code_Point, and two blanks that NFKC does not make a space:
  -- U+1680 and U+2800. A test compares them with every code point and with src/rest/fields.ts.
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

comment on function private.is_one_line is
  'Whether a text has shortest to longest characters, none of them invisible, and no white space around it. Null gives null.';
grant execute on function private.is_one_line to parking_api;
--! EndIncluded support/is_one_line.sql
--! Included support/is_time_zone.sql
/* "at time zone" also takes abbreviations and POSIX rules, of which a misspelt name is one: UTC for all. */
create or replace function private.is_time_zone(name text)
  returns boolean
  language sql
  stable
return exists (
  select
    from pg_catalog.pg_timezone_names z
   where z.name = is_time_zone.name
     -- Files of some systems that are no time zones, or the same ones once more.
     and z.name !~ '^(posix|right)/|^(Factory|localtime|posixrules)$'
);

comment on function private.is_time_zone is
  'Whether PostgreSQL knows a time zone by this name, such as Europe/Berlin.';
grant execute on function private.is_time_zone to parking_api;
--! EndIncluded support/is_time_zone.sql
--! Included support/refuse.sql
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
--! EndIncluded support/refuse.sql
--! Included support/enforce_rule.sql
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

comment on function private.enforce_rule is
  'Trigger function: refuses what the trigger''s WHEN clause describes, under the trigger''s name, with SQLSTATE 23514 or the one given as argument.';
--! EndIncluded support/enforce_rule.sql
--! Included support/enforce_start_in_future.sql
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

comment on function private.enforce_start_in_future is
  'Trigger function: refuses to write a start_time that is not in the future.';
--! EndIncluded support/enforce_start_in_future.sql
--! Included support/touch.sql
/* Keeps updated_at. */
create or replace function private.touch()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, so that a later write never shows an earlier time than the one it waited for.
  new.updated_at := clock_timestamp();
  return new;
end;
$$;

comment on function private.touch is
  'Trigger function: sets updated_at to the present moment.';
--! EndIncluded support/touch.sql

--! Included totals/utc_day.sql
/* Counts are kept for each day, and a day must be the same in every session. */
create or replace function private.utc_day(moment timestamptz)
  returns date
  language sql
  immutable
  parallel safe
return (moment at time zone 'UTC')::date;

comment on function private.utc_day is
  'The day of a moment in UTC.';
--! EndIncluded totals/utc_day.sql
--! Included totals/day_counts.sql
/* How many windows and claims start and end each day. The totals of lists are sums of these. */
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
--! EndIncluded totals/day_counts.sql
--! Included totals/add_day_counts.sql
/*
 * Counts change in the transaction of the rows that they count, so that a rollback needs no repair.
 * No writer waits for another: it takes any row of the day that nobody has locked, or adds one.
 * A day has about as many rows as it once had writers at the same moment, most days one.
 */
create or replace function private.add_day_counts(
    first_day date,
    last_day date,
    windows bigint default 0,
    claimed bigint default 0,
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
  v_days constant date[] := case
    when add_day_counts.first_day = add_day_counts.last_day then array[add_day_counts.first_day]
    else array[add_day_counts.first_day, add_day_counts.last_day]
  end;
  v_day date;
  v_starts integer;
  v_ends integer;
begin
  foreach v_day in array v_days loop
    v_starts := (v_day = add_day_counts.first_day)::integer;
    v_ends := (v_day = add_day_counts.last_day)::integer;

    update private.day_counts c
       set windows_started = c.windows_started + v_starts * add_day_counts.windows,
           windows_ended = c.windows_ended + v_ends * add_day_counts.windows,
           claimed_started = c.claimed_started + v_starts * add_day_counts.claimed,
           claimed_ended = c.claimed_ended + v_ends * add_day_counts.claimed,
           active_started = c.active_started + v_starts * add_day_counts.active,
           active_ended = c.active_ended + v_ends * add_day_counts.active,
           completed_started = c.completed_started + v_starts * add_day_counts.completed,
           completed_ended = c.completed_ended + v_ends * add_day_counts.completed,
           cancelled_started = c.cancelled_started + v_starts * add_day_counts.cancelled,
           cancelled_ended = c.cancelled_ended + v_ends * add_day_counts.cancelled
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
        v_starts * add_day_counts.windows,
        v_ends * add_day_counts.windows,
        v_starts * add_day_counts.claimed,
        v_ends * add_day_counts.claimed,
        v_starts * add_day_counts.active,
        v_ends * add_day_counts.active,
        v_starts * add_day_counts.completed,
        v_ends * add_day_counts.completed,
        v_starts * add_day_counts.cancelled,
        v_ends * add_day_counts.cancelled
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_day_counts is
  'Adds windows or claims that start on one day and end on another, or with negative numbers takes them away. For triggers.';
--! EndIncluded totals/add_day_counts.sql
--! Included totals/person_counts.sql
/* How many claims each person has made, so that the dashboard need not count ten years of them. */
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
--! EndIncluded totals/person_counts.sql
--! Included totals/add_person_count.sql
/* As private.add_day_counts does: no writer waits for another. */
create or replace function private.add_person_count(person_id uuid, counted text, number bigint)
  returns void
  language plpgsql
  volatile
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
--! EndIncluded totals/add_person_count.sql

--! Included identity/token_claims.sql
/* The verified claims of the token, which the service sets for each transaction. */
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
--! EndIncluded identity/token_claims.sql
--! Included identity/caller_id.sql
/* The caller's id. */
create or replace function private.caller_id()
  returns uuid
  language sql
  stable
  parallel safe
return case
  -- Unset at first, '' after the first transaction that set it; neither is an error.
  when pg_input_is_valid(current_setting('request.jwt.claims', true), 'jsonb')
    -- Null where there is no sub, or one that is no uuid.
    then json_value(
      current_setting('request.jwt.claims', true)::jsonb, 'strict $.sub' returning uuid
    )
end;

comment on function private.caller_id is
  'The id of the caller, from the claims of the token (setting request.jwt.claims). Null where nobody is signed in; null matches no row.';
grant execute on function private.caller_id to parking_api;
--! EndIncluded identity/caller_id.sql
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
  'Sign-in data from the identity provider''s tokens, one row per registered person (specification: User).';
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

create or replace trigger touch
  before update on private.users
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded users/table.sql
--! Included users/rules/users_email_is_given.sql
/* The constraint itself is part of the table. */
comment on constraint users_email_is_given on private.users is
  'The token carries no email address';
--! EndIncluded users/rules/users_email_is_given.sql
--! Included users/rules/users_email_is_an_address.sql
alter table private.users
  drop constraint if exists users_email_is_an_address,
  add constraint users_email_is_an_address
    check (private.is_one_line(email, 3, 320) and email like '_%@%_');

comment on constraint users_email_is_an_address on private.users is
  E'@field email\nemail must be an address of at most 320 characters';
--! EndIncluded users/rules/users_email_is_an_address.sql
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
  v_claims constant jsonb := private.token_claims();
  v_known private.users;
  v_email text;
  v_confirmed_at timestamptz(3);
begin
  select u.* into v_known
    from private.users u
   where u.id = (select private.caller_id());

  if v_known.erased_at is not null then
    return v_known;
  end if;

  -- A claim that the token does not have leaves the stored value.
  v_email := coalesce(v_claims ->> 'email', v_known.email);
  v_confirmed_at := coalesce(
    (v_claims ->> 'email_confirmed_at')::timestamptz,
    case when v_email = v_known.email then v_known.email_confirmed_at end,
    case when v_claims -> 'email_verified' = 'true'::jsonb then now() end
  );

  if v_email is null then
    perform private.refuse('users_email_is_given', '23502');
  end if;

  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if (v_known.email, v_known.email_confirmed_at) is not distinct from (v_email, v_confirmed_at) then
    return v_known;
  end if;

  if v_known.id is null then
    -- "on conflict" covers only the id. A second request of this person could break the other key.
    perform pg_advisory_xact_lock(hashtextextended(private.caller_id()::text, 0));
    insert into private.users (id, email, email_confirmed_at)
    values (private.caller_id(), v_email, v_confirmed_at)
    on conflict (id) do nothing;
  else
    update private.users u
       set email = v_email,
           email_confirmed_at = v_confirmed_at
     where u.id = v_known.id
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
--! Included users/own_user.sql
/* The sign-in data of the caller. */
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
--! EndIncluded users/own_user.sql

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

comment on table parking.profiles is
  E'@absent User profile not found\nA resident''s account in the building (specification: Profile).';
comment on column parking.profiles.id is
  'The id of the user at the identity provider.';
comment on column parking.profiles.email is
  'Follows the identity provider; cannot be edited here.';
comment on column parking.profiles.full_name is
  'The resident''s name, if they gave it.';
comment on column parking.profiles.apartment_number is
  'The resident''s apartment.';
comment on column parking.profiles.phone_number is
  'Digits, spaces and +().-/, if they gave one.';
comment on column parking.profiles.shares_phone_number is
  'Whether those with whom the resident shares a claim may see the phone number.';
comment on column parking.profiles.is_approved is
  'Set by an administrator; until then the resident sees only their own profile.';
comment on column parking.profiles.is_admin is
  'Administrator privileges; they apply only while the account is approved.';
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
   where p.id = (select private.caller_id())
     and p.is_approved
);

comment on function private.is_approved is
  'Whether the caller has a profile that an administrator approved.';
grant execute on function private.is_approved to parking_api;
--! EndIncluded identity/is_approved.sql
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
   where p.id = (select private.caller_id())
     and p.is_approved
     and p.is_admin
);

comment on function private.is_administrator is
  'Whether the caller is an approved administrator.';
grant execute on function private.is_administrator to parking_api;
--! EndIncluded identity/is_administrator.sql
--! Included identity/reason.sql
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
--! EndIncluded identity/reason.sql
--! Included identity/give_reason.sql
create or replace function private.give_reason(reason text)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  if private.is_one_line(give_reason.reason, 1, 300) is not true then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;
  perform set_config('request.reason', give_reason.reason, true);
end;
$$;

comment on function private.give_reason is
  'Sets the reason of an administrator for the rest of the transaction. The event log and the notifications repeat it.';
grant execute on function private.give_reason to parking_api;
--! EndIncluded identity/give_reason.sql
--! Included identity/require_approved.sql
/* Gives the caller an error where the policies would only show no rows. */
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
--! EndIncluded identity/require_approved.sql
--! Included identity/require_administrator.sql
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
--! EndIncluded identity/require_administrator.sql
--! Included identity/refuse_absent.sql
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
--! EndIncluded identity/refuse_absent.sql
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
  perform from private.administrators_lock for update;
  return null;
end;
$$;

comment on function private.lock_administrators is
  'Trigger function: makes statements that may remove an administrator run one after the other.';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin on parking.profiles
  for each statement
  execute function private.lock_administrators();
--! EndIncluded profiles/lock_administrators.sql
--! Included profiles/enforce_an_administrator.sql
/* Only administrators approve accounts and make administrators, so one of them must remain. */
create or replace function private.enforce_an_administrator()
  returns trigger
  language plpgsql
  security definer -- reads the profiles of all administrators, which the caller may not see
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.is_admin and new.is_approved then
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
--! Included profiles/rules/profiles_one_per_user.sql
/* The key itself is part of the table: other tables refer to it. */
comment on constraint profiles_one_per_user on parking.profiles is
  E'@status 409\nUser profile already exists';
--! EndIncluded profiles/rules/profiles_one_per_user.sql
--! Included profiles/rules/profiles_email_is_the_users.sql
alter table parking.profiles
  drop constraint if exists profiles_email_is_the_users,
  add constraint profiles_email_is_the_users
    foreign key (id, email)
    references private.users (id, email)
    on update cascade;

comment on constraint profiles_email_is_the_users on parking.profiles is
  E'@status 409\nThe email address is the one of the sign-in';
--! EndIncluded profiles/rules/profiles_email_is_the_users.sql
--! Included profiles/rules/profiles_full_name_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_full_name_is_one_line,
  add constraint profiles_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint profiles_full_name_is_one_line on parking.profiles is
  E'@field full_name\nfull_name must be 1 to 200 characters on one line';
--! EndIncluded profiles/rules/profiles_full_name_is_one_line.sql
--! Included profiles/rules/profiles_apartment_number_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_apartment_number_is_one_line,
  add constraint profiles_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint profiles_apartment_number_is_one_line on parking.profiles is
  E'@field apartment_number\napartment_number must be 1 to 32 characters on one line';
--! EndIncluded profiles/rules/profiles_apartment_number_is_one_line.sql
--! Included profiles/rules/profiles_phone_number_is_dialable.sql
alter table parking.profiles
  drop constraint if exists profiles_phone_number_is_dialable,
  add constraint profiles_phone_number_is_dialable
    check (private.is_one_line(phone_number, 3, 32) and phone_number ~ '^[-0-9 +().\/]+$');

comment on constraint profiles_phone_number_is_dialable on parking.profiles is
  E'@field phone_number\nphone_number must be 3 to 32 digits, spaces and +().-/';
--! EndIncluded profiles/rules/profiles_phone_number_is_dialable.sql
--! Included profiles/rules/administrator_required.sql
create or replace trigger administrator_required
  before update of is_approved, is_admin on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin) is distinct from (old.is_approved, old.is_admin)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  'Administrator privileges required';
--! EndIncluded profiles/rules/administrator_required.sql
--! Included profiles/rules/profiles_describe_oneself.sql
create or replace trigger profiles_describe_oneself
  before update of full_name, apartment_number, phone_number, shares_phone_number
  on parking.profiles
  for each row
  when (
    (new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number)
      is distinct from
        (old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number)
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
    full_name, apartment_number, phone_number, shares_phone_number, is_approved, is_admin
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.is_approved, new.is_admin
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.is_approved, old.is_admin
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  'This account was erased';
--! EndIncluded profiles/rules/profiles_erased_stay_erased.sql
--! Included profiles/rules/profiles_keep_an_administrator.sql
create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\nThe last administrator cannot be removed';
--! EndIncluded profiles/rules/profiles_keep_an_administrator.sql
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
grant insert (id, email, full_name, apartment_number, phone_number, shares_phone_number)
  on parking.profiles to parking_api;
-- No update of email: it follows private.users through the foreign key.
grant update (
    full_name, apartment_number, phone_number, shares_phone_number, is_approved, is_admin
  )
  on parking.profiles to parking_api;
--! EndIncluded profiles/policies.sql
--! Included profiles/profile_json.sql
/* The Profile of the interface (specification, Resources). */
create or replace function private.profile_json(p parking.profiles)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', p.id,
  'email', p.email,
  'full_name', p.full_name,
  'apartment_number', p.apartment_number,
  'phone_number', p.phone_number,
  'shares_phone_number', p.shares_phone_number,
  'is_approved', p.is_approved,
  'is_admin', p.is_admin,
  'created_at', private.iso8601(p.created_at),
  'updated_at', private.iso8601(p.updated_at)
);

comment on function private.profile_json is
  'A profile as the event log keeps it.';
--! EndIncluded profiles/profile_json.sql
--! Included profiles/get_user.sql
create or replace function api.get_user()
  returns setof private.users
  language sql
  stable
  security invoker
  rows 1
as $$
  select u.*
    from private.own_user() u
$$;

comment on function api.get_user is
  'Your sign-in data, which stands beside your profile.';
grant execute on function api.get_user to parking_api;
--! EndIncluded profiles/get_user.sql
--! Included profiles/get_profile.sql
create or replace function api.get_profile()
  returns parking.profiles
  language plpgsql
  volatile -- a token that says something new about the user is remembered
  security invoker
  set search_path = ''
as $$
declare
  v_user private.users;
  v_profile parking.profiles;
begin
  select p.* into v_profile
    from parking.profiles p
   where p.id = (select private.caller_id());

  if not found then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  v_user := private.remember_user();

  -- A new address changes the profile too.
  if v_user.email <> v_profile.email then
    select p.* into v_profile
      from parking.profiles p
     where p.id = v_profile.id;
  end if;

  return v_profile;
end;
$$;

comment on function api.get_profile is
  'Your profile and sign-in data; also before approval';
grant execute on function api.get_profile to parking_api;
--! EndIncluded profiles/get_profile.sql
--! Included profiles/create_profile.sql
create or replace function api.create_profile(
    apartment_number text,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default false
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
    (id, email, apartment_number, full_name, phone_number, shares_phone_number)
  values (
    v_user.id,
    v_user.email,
    create_profile.apartment_number,
    create_profile.full_name,
    create_profile.phone_number,
    create_profile.shares_phone_number
  )
  returning * into v_profile;

  return v_profile;
end;
$$;

comment on function api.create_profile is
  'Register with the building; an administrator approves the account later';
grant execute on function api.create_profile to parking_api;
--! EndIncluded profiles/create_profile.sql
--! Included profiles/update_profile.sql
create or replace function api.update_profile(
    apartment_number text default null,
    full_name text default null,
    phone_number text default null,
    shares_phone_number boolean default null
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
    update_profile.shares_phone_number
  ) > 0 then
    update parking.profiles p
       set apartment_number = coalesce(update_profile.apartment_number, p.apartment_number),
           full_name = nullif(coalesce(update_profile.full_name, p.full_name), ''),
           phone_number = nullif(coalesce(update_profile.phone_number, p.phone_number), ''),
           shares_phone_number =
             coalesce(update_profile.shares_phone_number, p.shares_phone_number)
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
--! Included profiles/list_profiles.sql
create or replace function api.list_profiles()
  returns setof parking.profiles
  language sql
  stable
  security invoker
as $$
  select p.*
    from parking.profiles p
$$;

comment on function api.list_profiles is
  'Everyone who registered, newest first';
grant execute on function api.list_profiles to parking_api;
--! EndIncluded profiles/list_profiles.sql
--! Included profiles/get_profile_by_id.sql
create or replace function api.get_profile_by_id(id uuid)
  returns setof parking.profiles
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = get_profile_by_id.id
$$;

comment on function api.get_profile_by_id is
  'One person''s profile';
grant execute on function api.get_profile_by_id to parking_api;
--! EndIncluded profiles/get_profile_by_id.sql
--! Included profiles/update_profile_flags.sql
create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null
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

  if num_nonnulls(update_profile_flags.is_approved, update_profile_flags.is_admin) > 0 then
    update parking.profiles p
       set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
           is_admin = coalesce(update_profile_flags.is_admin, p.is_admin)
     where p.id = update_profile_flags.id
    returning * into v_profile;
  else
    select p.* into v_profile
      from parking.profiles p
     where p.id = update_profile_flags.id;
  end if;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('profiles');
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account or make an administrator, or take that back';
grant execute on function api.update_profile_flags to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
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
        or lower(p.email) = lower(make_administrator.email_or_id)
           and u.email_confirmed_at is not null
     order by p.id
  );
  v_unconfirmed_ids constant uuid[] := array(
    select p.id
      from parking.profiles p
     where lower(p.email) = lower(make_administrator.email_or_id)
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
  'How many active claims that have not ended a resident may have.';
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
  'The building: its time zone and its limits.';
grant execute on function private.building to parking_api, parking_reporter;
--! EndIncluded building/building.sql
--! Included building/days_after.sql
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
--! EndIncluded building/days_after.sql
--! Included building/enforce_limit.sql
/* Limits bind what a statement writes. What was there before a limit was set stays valid. */
create or replace function private.enforce_limit()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_is_written constant boolean := tg_op = 'INSERT' or case tg_argv[0]
    when 'start' then new.start_time <> old.start_time
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
  'Trigger function: refuses what the trigger''s WHEN clause describes where the statement writes what the argument names: start, end or length.';
--! EndIncluded building/enforce_limit.sql
--! Included building/rules/building_is_one.sql
create unique index if not exists building_is_one on parking.building ((true));

comment on index parking.building_is_one is
  'A database is for one building';
--! EndIncluded building/rules/building_is_one.sql
--! Included building/rules/building_name_is_one_line.sql
alter table parking.building
  drop constraint if exists building_name_is_one_line,
  add constraint building_name_is_one_line
    check (private.is_one_line(name, 1, 100));

comment on constraint building_name_is_one_line on parking.building is
  E'@field name\nname must be 1 to 100 characters on one line';
--! EndIncluded building/rules/building_name_is_one_line.sql
--! Included building/rules/building_time_zone_is_known.sql
-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_rule();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\ntime_zone must be the name of a time zone, such as Europe/Berlin';
--! EndIncluded building/rules/building_time_zone_is_known.sql
--! Included building/rules/building_limits_are_in_range.sql
alter table parking.building
  drop constraint if exists building_limits_are_in_range,
  add constraint building_limits_are_in_range
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

comment on constraint building_limits_are_in_range on parking.building is
  'A limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded building/rules/building_limits_are_in_range.sql
--! Included building/rules/building_shortest_claim_within_longest.sql
alter table parking.building
  drop constraint if exists building_shortest_claim_within_longest,
  add constraint building_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint building_shortest_claim_within_longest on parking.building is
  'shortest_claim_minutes must not be more than longest_claim_minutes';
--! EndIncluded building/rules/building_shortest_claim_within_longest.sql
--! Included building/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.building;
create policy approved_account_required on parking.building
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.building is
  'Account not approved';
--! EndIncluded building/rules/approved_account_required.sql
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
grant update (
    name, time_zone,
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.building to parking_api;
--! EndIncluded building/policies.sql
--! Included building/get_building.sql
create or replace function api.get_building()
  returns setof parking.building
  language sql
  stable
  security invoker
  rows 1
as $$
  select b.*
    from parking.building b
$$;

comment on function api.get_building is
  'The building: its name, its time zone and its limits';
grant execute on function api.get_building to parking_api;
--! EndIncluded building/get_building.sql
--! Included building/update_building.sql
create or replace function api.update_building(
    name text default null,
    time_zone text default null,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null
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
           nullif(coalesce(update_building.most_active_claims, b.most_active_claims), 0)
  returning * into v_building;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('building');
  end if;

  return v_building;
end;
$$;

comment on function api.update_building is
  'Change the building; null clears a limit. Windows and claims that are there stay as they are';
grant execute on function api.update_building to parking_api;
--! EndIncluded building/update_building.sql

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

comment on table parking.spots is
  E'@absent Parking spot not found\nA parking spot and the resident it belongs to (specification: Spot).';
comment on column parking.spots.id is
  'The spot.';
comment on column parking.spots.spot_number is
  'The number on the ground; unique in the building, ignoring case, compatibility forms (NFKC) and kinds of hyphens.';
comment on column parking.spots.owner_id is
  'The resident who registered the spot.';
comment on column parking.spots.building_section is
  'Section or location description.';
comment on column parking.spots.is_verified is
  'An administrator confirmed number, section and owner.';
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
--! Included spots/enforce_no_active_claims.sql
/* A spot that somebody has an active claim on stays: the claimer relies on it. */
create or replace function private.enforce_no_active_claims()
  returns trigger
  language plpgsql
  security definer -- reads the claims of all residents and locks all windows of the spot
  set search_path = ''
as $$
begin
  -- Waits for claims being made on the spot's windows, and makes later ones wait for the deletion.
  perform from parking.availabilities a where a.spot_id = old.id order by a.id for update;

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
--! Included spots/enforce_while_spot_exists.sql
/* What belongs to the history of a spot is deleted only together with the spot. */
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

comment on function private.enforce_while_spot_exists is
  'Trigger function: refuses the deletion of a row, unless its spot has been deleted before it.';
--! EndIncluded spots/enforce_while_spot_exists.sql
--! Included spots/clear_verification.sql
/* The administrator verified the old number and section. */
create or replace function private.clear_verification()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_verified := false;
  return new;
end;
$$;

comment on function private.clear_verification is
  'Trigger function: a spot whose number or section changed is not verified.';

-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_verification
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section) is distinct from (old.spot_number, old.building_section)
  )
  execute function private.clear_verification();
--! EndIncluded spots/clear_verification.sql
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
   where not p.is_approved
     and exists (select from parking.spots s where s.owner_id = p.id)
);

comment on function private.suspended_owners is
  'The residents who own spots and are no longer approved.';
grant execute on function private.suspended_owners to parking_api;
--! EndIncluded spots/suspended_owners.sql
--! Included spots/rules/spots_belong_to_a_resident.sql
alter table parking.spots
  drop constraint if exists spots_belong_to_a_resident,
  add constraint spots_belong_to_a_resident
    foreign key (owner_id)
    references parking.profiles (id);

comment on constraint spots_belong_to_a_resident on parking.spots is
  E'@status 403\nThe owner of a parking spot must be a resident';
--! EndIncluded spots/rules/spots_belong_to_a_resident.sql
--! Included spots/rules/spots_spot_number_is_one_line.sql
alter table parking.spots
  drop constraint if exists spots_spot_number_is_one_line,
  add constraint spots_spot_number_is_one_line
    check (private.is_one_line(spot_number, 1, 32));

comment on constraint spots_spot_number_is_one_line on parking.spots is
  E'@field spot_number\nspot_number must be 1 to 32 characters on one line';
--! EndIncluded spots/rules/spots_spot_number_is_one_line.sql
--! Included spots/rules/spots_building_section_is_one_line.sql
alter table parking.spots
  drop constraint if exists spots_building_section_is_one_line,
  add constraint spots_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint spots_building_section_is_one_line on parking.spots is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
--! EndIncluded spots/rules/spots_building_section_is_one_line.sql
--! Included spots/rules/spots_spot_number_is_unique.sql
-- Numbers that differ in case or in form only (full-width, superscript, composed accent) are the same.
-- So are those with another hyphen or dash, which editors put in by themselves.
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (
    regexp_replace(
      normalize(casefold(normalize(spot_number, nfkc) collate pg_unicode_fast), nfkc),
      '[\u2010-\u2015\u2212]', '-', 'g'
    )
  );

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
--! EndIncluded spots/rules/spots_spot_number_is_unique.sql
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
  'Administrator privileges required';
--! EndIncluded spots/rules/administrator_required.sql
--! Included spots/rules/spots_updated_by_owner.sql
-- Policies let an administrator update any spot in order to verify it. This refuses other changes.
create or replace trigger spots_updated_by_owner
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    row_security_active('parking.spots') -- binds people, not the owner of the table
    and old.owner_id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger spots_updated_by_owner on parking.spots is
  'You can only update your own parking spots';
--! EndIncluded spots/rules/spots_updated_by_owner.sql
--! Included spots/rules/spots_with_active_claims_stay.sql
create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\nCannot delete a parking spot with active claims';
--! EndIncluded spots/rules/spots_with_active_claims_stay.sql
--! Included spots/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spots;
create policy approved_account_required on parking.spots
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spots is
  'Account not approved';
--! EndIncluded spots/rules/approved_account_required.sql
--! Included spots/rules/spots_deleted_by_owner.sql
drop policy if exists spots_deleted_by_owner on parking.spots;
create policy spots_deleted_by_owner on parking.spots
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy spots_deleted_by_owner on parking.spots is
  'You can only delete your own parking spots';
--! EndIncluded spots/rules/spots_deleted_by_owner.sql
--! Included spots/policies.sql
/* Approved residents see every spot and write their own; administrators verify and delete. */
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
  using (owner_id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.spots;
create policy update_as_administrator on parking.spots
  for update to parking_api
  using ((select private.is_administrator()));

drop policy if exists delete_as_administrator on parking.spots;
create policy delete_as_administrator on parking.spots
  for delete to parking_api
  using ((select private.reason()) is not null);

grant select, delete on parking.spots to parking_api;
-- No insert of owner_id: it is the caller by default. No update of it: spots do not change hands.
grant insert (spot_number, building_section) on parking.spots to parking_api;
grant update (spot_number, building_section, is_verified) on parking.spots to parking_api;
--! EndIncluded spots/policies.sql
--! Included spots/spot_json.sql
/* The Spot of the interface (specification, Resources). */
create or replace function private.spot_json(s parking.spots)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', s.id,
  'spot_number', s.spot_number,
  'owner_id', s.owner_id,
  'building_section', s.building_section,
  'is_verified', s.is_verified,
  'created_at', private.iso8601(s.created_at),
  'updated_at', private.iso8601(s.updated_at)
);

comment on function private.spot_json is
  'A spot as clients see it.';
--! EndIncluded spots/spot_json.sql
--! Included spots/list_spots.sql
create or replace function api.list_spots()
  returns setof parking.spots
  language sql
  stable
  security invoker
as $$
  select s.*
    from parking.spots s
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;
--! EndIncluded spots/list_spots.sql
--! Included spots/spots_of_section.sql
create or replace function private.spots_of_section(building_section text)
  returns uuid[]
  language sql
  stable
  security invoker
return array(
  select s.id
    from parking.spots s
   where s.building_section = spots_of_section.building_section
);

comment on function private.spots_of_section is
  'The spots of a section that the caller sees.';
grant execute on function private.spots_of_section to parking_api;
--! EndIncluded spots/spots_of_section.sql
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
$$;

comment on function api.get_spot is
  'One spot';
grant execute on function api.get_spot to parking_api;
--! EndIncluded spots/get_spot.sql
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

  if not found then
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
     where s.id = verify_spot.id;
  end if;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('spots');
  end if;

  return v_spot;
end;
$$;

comment on function api.verify_spot is
  'Verify a spot, or take that back';
grant execute on function api.verify_spot to parking_api;
--! EndIncluded spots/verify_spot.sql
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
begin
  perform private.require_approved();

  delete from parking.spots s
   where s.id = delete_spot.id;

  if not found then
    if exists (select from parking.spots s where s.id = delete_spot.id) then
      perform private.refuse('spots_deleted_by_owner');
    end if;
    perform private.refuse_absent('spots');
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := delete_spot.id;
end;
$$;

comment on function api.delete_spot is
  'Remove your spot with its windows and past claims';
grant execute on function api.delete_spot to parking_api;
--! EndIncluded spots/delete_spot.sql
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

  delete from parking.spots s
   where s.id = remove_spot.id;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('spots');
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := remove_spot.id;
end;
$$;

comment on function api.remove_spot is
  'Remove a resident''s spot with its windows and past claims, with a reason that they read';
grant execute on function api.remove_spot to parking_api;
--! EndIncluded spots/remove_spot.sql

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

comment on table parking.availabilities is
  E'@absent Availability not found\nA window in which a spot may be claimed (specification: Availability).';
comment on column parking.availabilities.id is
  'The window.';
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
comment on column parking.availabilities.created_at is
  'When the window was published.';
comment on column parking.availabilities.updated_at is
  'When the row last changed.';

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
      private.utc_day(old.start_time),
      private.utc_day(old.end_time),
      windows => -1,
      claimed => -old.is_claimed::integer
    );
  end if;
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    windows => 1,
    claimed => new.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_availability_counts is
  'Trigger function: counts a window that was added or moved.';

create or replace trigger keep_counts_of_added
  after insert on parking.availabilities
  for each row
  execute function private.keep_availability_counts();

create or replace trigger keep_counts_of_moved
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.keep_availability_counts();
--! EndIncluded availabilities/keep_availability_counts.sql
--! Included availabilities/keep_claimed_counts.sql
/* The window stays; one more or one less is claimed. */
create or replace function private.keep_claimed_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    claimed => new.is_claimed::integer - old.is_claimed::integer
  );
  return null;
end;
$$;

comment on function private.keep_claimed_counts is
  'Trigger function: counts a window as claimed or as free again.';

create or replace trigger keep_counts_of_claimed
  after update on parking.availabilities
  for each row
  when (
    new.is_claimed <> old.is_claimed
    and (new.start_time, new.end_time) = (old.start_time, old.end_time)
  )
  execute function private.keep_claimed_counts();
--! EndIncluded availabilities/keep_claimed_counts.sql
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
    private.utc_day(d.start_time),
    private.utc_day(d.end_time),
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
--! Included availabilities/lock_spot.sql
/* Two writers of one spot's windows run one after the other: concurrent checks of an exclusion constraint can deadlock. */
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
  'Trigger function: locks the spot of a window before the window is written.';

create or replace trigger lock_spot
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_spot();
--! EndIncluded availabilities/lock_spot.sql
--! Included availabilities/rules/availabilities_of_a_spot.sql
alter table parking.availabilities
  drop constraint if exists availabilities_of_a_spot,
  add constraint availabilities_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint availabilities_of_a_spot on parking.availabilities is
  E'@status 404\nParking spot not found';
--! EndIncluded availabilities/rules/availabilities_of_a_spot.sql
--! Included availabilities/rules/availabilities_start_before_end.sql
alter table parking.availabilities
  drop constraint if exists availabilities_start_before_end,
  add constraint availabilities_start_before_end
    check (start_time < end_time);

comment on constraint availabilities_start_before_end on parking.availabilities is
  E'@field end_time\nend_time must be after start_time';
--! EndIncluded availabilities/rules/availabilities_start_before_end.sql
--! Included availabilities/rules/availabilities_times_are_calendar_dates.sql
alter table parking.availabilities
  drop constraint if exists availabilities_times_are_calendar_dates,
  add constraint availabilities_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint availabilities_times_are_calendar_dates on parking.availabilities is
  'start_time and end_time must lie in the years 1 to 9999';
--! EndIncluded availabilities/rules/availabilities_times_are_calendar_dates.sql
--! Included availabilities/rules/availabilities_do_not_overlap.sql
-- during comes first because reports look up windows by time alone. The spot is there as bytes: for
-- the planner this index would cost as much as one that begins with spot_id, and it takes 100 times
-- as long to find the windows of a spot.
alter table parking.availabilities
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    exclude using gist (during with &&, uuid_send(spot_id) with =);

comment on constraint availabilities_do_not_overlap on parking.availabilities is
  'Availability overlaps an existing availability of this spot';
--! EndIncluded availabilities/rules/availabilities_do_not_overlap.sql
--! Included availabilities/rules/availabilities_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists availabilities_start_in_future on parking.availabilities;
create constraint trigger availabilities_start_in_future
  after insert or update of start_time on parking.availabilities
  for each row
  execute function private.enforce_start_in_future();

comment on trigger availabilities_start_in_future on parking.availabilities is
  E'@field start_time\nstart_time must be in the future';
--! EndIncluded availabilities/rules/availabilities_start_in_future.sql
--! Included availabilities/rules/availabilities_no_longer_than_allowed.sql
create or replace trigger availabilities_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(new.start_time, (private.building()).longest_window_days)
  )
  execute function private.enforce_limit('length');

comment on trigger availabilities_no_longer_than_allowed on parking.availabilities is
  E'@field end_time\nThe window is longer than the building allows';
--! EndIncluded availabilities/rules/availabilities_no_longer_than_allowed.sql
--! Included availabilities/rules/availabilities_within_horizon.sql
create or replace trigger availabilities_within_horizon
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time > private.days_after(clock_timestamp(), (private.building()).horizon_days)
  )
  execute function private.enforce_limit('end');

comment on trigger availabilities_within_horizon on parking.availabilities is
  E'@field end_time\nThe window ends further ahead than the building allows';
--! EndIncluded availabilities/rules/availabilities_within_horizon.sql
--! Included availabilities/rules/availabilities_claimed_are_not_updated.sql
create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  when (old.is_claimed)
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  'Cannot update a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_updated.sql
--! Included availabilities/rules/availabilities_claimed_are_not_deleted.sql
create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (old.is_claimed)
  execute function private.enforce_while_spot_exists();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  'Cannot delete a claimed availability';
--! EndIncluded availabilities/rules/availabilities_claimed_are_not_deleted.sql
--! Included availabilities/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.availabilities;
create policy approved_account_required on parking.availabilities
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.availabilities is
  'Account not approved';
--! EndIncluded availabilities/rules/approved_account_required.sql
--! Included availabilities/rules/availabilities_created_by_spot_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists availabilities_created_by_spot_owner on parking.availabilities;
create policy availabilities_created_by_spot_owner on parking.availabilities
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy availabilities_created_by_spot_owner on parking.availabilities is
  'You can only create availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_created_by_spot_owner.sql
--! Included availabilities/rules/availabilities_updated_by_spot_owner.sql
drop policy if exists availabilities_updated_by_spot_owner on parking.availabilities;
create policy availabilities_updated_by_spot_owner on parking.availabilities
  for update to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_updated_by_spot_owner on parking.availabilities is
  'You can only update availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_updated_by_spot_owner.sql
--! Included availabilities/rules/availabilities_deleted_by_spot_owner.sql
drop policy if exists availabilities_deleted_by_spot_owner on parking.availabilities;
create policy availabilities_deleted_by_spot_owner on parking.availabilities
  for delete to parking_api
  using (owner_id = (select private.caller_id()));

comment on policy availabilities_deleted_by_spot_owner on parking.availabilities is
  'You can only delete availabilities for your own spots';
--! EndIncluded availabilities/rules/availabilities_deleted_by_spot_owner.sql
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
grant insert (spot_id, owner_id, start_time, end_time) on parking.availabilities to parking_api;
-- No update of is_claimed: only claims change it. No update of spot_id: a window stays with its spot.
grant update (start_time, end_time) on parking.availabilities to parking_api;
--! EndIncluded availabilities/policies.sql
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
     where a.owner_id = any (private.suspended_owners())
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
    );
  end if;

  if v_start_midnight is not null then
    v_total := v_total - (
      select count(*)
        from parking.availabilities a
       where a.start_time >= v_start_midnight
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
    );
  end if;

  if v_start_midnight is not null and v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.during @> tstzrange(total_availabilities.start_date, total_availabilities.end_date)
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
    );
  end if;

  if v_each = 1 and not private.is_administrator() then
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
--! Included availabilities/count_availabilities.sql
create or replace function api.count_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
  security invoker
return private.total_availabilities(
  count_availabilities.is_claimed,
  count_availabilities.start_date,
  count_availabilities.end_date
);

comment on function api.count_availabilities is
  'How many windows of the whole building the caller sees; exact, and as fast with millions of them';
grant execute on function api.count_availabilities to parking_api;
--! EndIncluded availabilities/count_availabilities.sql
--! Included availabilities/availability_json.sql
/* The Availability of the interface (specification, Resources). */
create or replace function private.availability_json(a parking.availabilities)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', a.id,
  'spot_id', a.spot_id,
  'start_time', private.iso8601(a.start_time),
  'end_time', private.iso8601(a.end_time),
  'is_claimed', a.is_claimed,
  'created_at', private.iso8601(a.created_at),
  'updated_at', private.iso8601(a.updated_at)
);

comment on function private.availability_json is
  'An availability as clients see it.';
--! EndIncluded availabilities/availability_json.sql
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
        offset 0 -- else PostgreSQL reads all windows by start until it finds one that is open
      ) o
  ),
  open_since.moment
);

comment on function private.open_since is
  'No window that is open at the moment, or ends or starts then, starts before this.';
grant execute on function private.open_since to parking_api;
--! EndIncluded availabilities/open_since.sql
--! Included availabilities/list_availabilities.sql
create or replace function api.list_availabilities()
  returns setof parking.availabilities
  language sql
  stable
  security invoker
as $$
  select a.*
    from parking.availabilities a
$$;

comment on function api.list_availabilities is
  'The windows of all spots, by start';
grant execute on function api.list_availabilities to parking_api;
--! EndIncluded availabilities/list_availabilities.sql
--! Included availabilities/get_availability.sql
create or replace function api.get_availability(id uuid)
  returns setof parking.availabilities
  language sql
  stable
  security invoker
  rows 1
as $$
  select a.*
    from parking.availabilities a
   where a.id = get_availability.id
$$;

comment on function api.get_availability is
  'One window';
grant execute on function api.get_availability to parking_api;
--! EndIncluded availabilities/get_availability.sql
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

  if not found then
    perform private.require_approved(); -- still, after all the waiting
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
  perform private.require_approved();

  -- The spot before the window, as its deletion locks them, or the two could deadlock.
  perform
     from parking.spots s
    where s.id = (select a.spot_id from parking.availabilities a where a.id = update_availability.id)
      for no key update;

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

comment on table parking.claims is
  E'@absent Claim not found\nA resident''s use of another''s window (specification: Claim).';
comment on column parking.claims.id is
  'The claim.';
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
  'active, completed or cancelled.';
comment on column parking.claims.held is
  'What the claim takes of its window: its times as a range, null once cancelled.';
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
--! EndIncluded claims/table.sql
--! Included claims/keep_claim_counts.sql
/* The counts of days and of the claimer follow each claim. */
create or replace function private.keep_claim_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.add_day_counts(
      private.utc_day(old.start_time),
      private.utc_day(old.end_time),
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    perform private.add_person_count(old.claimer_id, old.status, -1);
  end if;
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    active => (new.status = 'active')::integer,
    completed => (new.status = 'completed')::integer,
    cancelled => (new.status = 'cancelled')::integer
  );
  perform private.add_person_count(new.claimer_id, new.status, 1);
  return null;
end;
$$;

comment on function private.keep_claim_counts is
  'Trigger function: counts a claim that was made, moved or closed.';

create or replace trigger keep_counts_of_made
  after insert on parking.claims
  for each row
  execute function private.keep_claim_counts();

create or replace trigger keep_counts_of_changed
  after update on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time)
      is distinct from (old.status, old.start_time, old.end_time)
  )
  execute function private.keep_claim_counts();
--! EndIncluded claims/keep_claim_counts.sql
--! Included claims/drop_claim_counts.sql
/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.drop_claim_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    private.utc_day(d.start_time),
    private.utc_day(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from deleted d
    group by private.utc_day(d.start_time), private.utc_day(d.end_time);

  perform private.add_person_count(d.claimer_id, d.status, -count(*))
     from deleted d
    group by d.claimer_id, d.status;
  return null;
end;
$$;

comment on function private.drop_claim_counts is
  'Trigger function: takes the claims that a statement deleted from the counts.';

create or replace trigger keep_counts_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.drop_claim_counts();
--! EndIncluded claims/drop_claim_counts.sql
--! Included claims/mark_availability.sql
/* Keeps is_claimed of the window: true while an active or completed claim holds it. */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  -- At most one claim of a window is not cancelled (claims_one_per_availability). Only that claim
  -- counts; a change of a cancelled one never frees the window.
  v_held_before constant boolean := tg_op <> 'INSERT' and old.status <> 'cancelled';
  v_held_now constant boolean := tg_op <> 'DELETE' and new.status <> 'cancelled';
begin
  if v_held_now is distinct from v_held_before then
    update parking.availabilities a
       set is_claimed = v_held_now
     where a.id = case tg_op when 'DELETE' then old.availability_id else new.availability_id end
       -- Not when the spot was deleted: its windows are deleted after its claims.
       and exists (select from parking.spots s where s.id = a.spot_id);
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the window that a claim takes or frees.';

create or replace trigger mark_availability
  after insert or delete or update of status on parking.claims
  for each row
  execute function private.mark_availability();
--! EndIncluded claims/mark_availability.sql
--! Included claims/delete_claims_of_spot.sql
/* The claims of a deleted spot go before its windows, which foreign keys delete. */
create or replace function private.delete_claims_of_spot()
  returns trigger
  language plpgsql
  security definer -- the claims belong to other residents
  set search_path = ''
as $$
begin
  perform private.notify_of_spot_deletion(old);
  delete from parking.claims c
   where c.spot_id = old.id;
  return null;
end;
$$;

comment on function private.delete_claims_of_spot is
  'Trigger function: deletes the claims of a spot that was deleted, and notifies those concerned.';

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_a_
-- and a number that differs between databases; the capital A makes this one run before them all.
-- So no foreign key finds a claim that holds a deleted window, in whatever order they run.
create or replace trigger "A_delete_claims"
  after delete on parking.spots
  for each row
  execute function private.delete_claims_of_spot();
--! EndIncluded claims/delete_claims_of_spot.sql
--! Included claims/claim_exists.sql
/* Other residents do not see a claim, but the answer to a change of it is 403 and not 404. */
create or replace function private.claim_exists(id uuid)
  returns boolean
  language sql
  stable
  security definer -- reads past the policies, and returns only whether the row exists
  set search_path = ''
return exists (select from parking.claims c where c.id = claim_exists.id);

comment on function private.claim_exists is
  'Whether there is a claim with this id, visible to the caller or not.';
grant execute on function private.claim_exists to parking_api;
--! EndIncluded claims/claim_exists.sql
--! Included claims/enforce_approved_owner.sql
/* The owner may be suspended while somebody claims: then one waits for the other. */
create or replace function private.enforce_approved_owner()
  returns trigger
  language plpgsql
  security definer -- locks a profile that the claimer may not see
  set search_path = ''
as $$
declare
  v_is_approved boolean;
begin
  -- Locked, not only read: a suspension under way ends first, and a later one waits for this claim.
  select p.is_approved into v_is_approved
    from parking.profiles p
   where p.id = new.owner_id
     for share;

  -- Null where there is no such owner: another rule refuses that.
  if not v_is_approved then
    perform private.refuse(tg_name, tg_argv[0]);
  end if;
  return new;
end;
$$;

comment on function private.enforce_approved_owner is
  'Trigger function: nobody claims a window whose owner is not approved.';
--! EndIncluded claims/enforce_approved_owner.sql
--! Included claims/enforce_cutoff.sql
/* The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. */
create or replace function private.enforce_cutoff()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
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
  'Trigger function: refuses to cancel or delete a claim, or to give up some of its time.';
--! EndIncluded claims/enforce_cutoff.sql
--! Included claims/enforce_most_active_claims.sql
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

create or replace function private.enforce_most_active_claims()
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
       and c.status = 'active'
       and c.end_time > clock_timestamp()
  ) > (private.building()).most_active_claims then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_most_active_claims is
  'Trigger function: refuses a claim to a resident who has as many as the building allows.';
--! EndIncluded claims/enforce_most_active_claims.sql
--! Included claims/rules/claims_not_by_owner.sql
-- PostgreSQL runs checks in the order of their names: the owner is checked before the times.
alter table parking.claims
  drop constraint if exists claims_not_by_owner,
  add constraint claims_not_by_owner
    check (claimer_id <> owner_id);

comment on constraint claims_not_by_owner on parking.claims is
  E'@status 403\nYou cannot claim your own parking spot';
--! EndIncluded claims/rules/claims_not_by_owner.sql
--! Included claims/rules/claims_of_an_approved_owner.sql
create or replace trigger claims_of_an_approved_owner
  before insert on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  'The owner of this parking spot is not approved';
--! EndIncluded claims/rules/claims_of_an_approved_owner.sql
--! Included claims/rules/claims_start_before_end.sql
alter table parking.claims
  drop constraint if exists claims_start_before_end,
  add constraint claims_start_before_end
    check (start_time < end_time);

comment on constraint claims_start_before_end on parking.claims is
  E'@field end_time\nend_time must be after start_time';
--! EndIncluded claims/rules/claims_start_before_end.sql
--! Included claims/rules/claims_status_is_known.sql
alter table parking.claims
  drop constraint if exists claims_status_is_known,
  add constraint claims_status_is_known
    check (status in ('active', 'completed', 'cancelled'));

comment on constraint claims_status_is_known on parking.claims is
  E'@field status\nstatus must be active, completed or cancelled';
--! EndIncluded claims/rules/claims_status_is_known.sql
--! Included claims/rules/claims_times_are_calendar_dates.sql
alter table parking.claims
  drop constraint if exists claims_times_are_calendar_dates,
  add constraint claims_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint claims_times_are_calendar_dates on parking.claims is
  'start_time and end_time must lie in the years 1 to 9999';
--! EndIncluded claims/rules/claims_times_are_calendar_dates.sql
--! Included claims/rules/claims_made_by_a_resident.sql
alter table parking.claims
  drop constraint if exists claims_made_by_a_resident,
  add constraint claims_made_by_a_resident
    foreign key (claimer_id)
    references parking.profiles (id);

comment on constraint claims_made_by_a_resident on parking.claims is
  E'@status 403\nThe claimer of a parking spot must be a resident';
--! EndIncluded claims/rules/claims_made_by_a_resident.sql
--! Included claims/rules/claims_of_an_availability.sql
alter table parking.claims
  drop constraint if exists claims_of_an_availability,
  add constraint claims_of_an_availability
    foreign key (availability_id, spot_id, owner_id)
    references parking.availabilities (id, spot_id, owner_id)
    on delete cascade;

comment on constraint claims_of_an_availability on parking.claims is
  E'@status 404\nAvailability not found';
--! EndIncluded claims/rules/claims_of_an_availability.sql
--! Included claims/rules/claims_within_availability.sql
alter table parking.claims
  drop constraint if exists claims_within_availability,
  add constraint claims_within_availability
    foreign key (availability_id, period held)
    references parking.availabilities (id, period during);

comment on constraint claims_within_availability on parking.claims is
  E'@status 400\nClaim times must be within the availability window';
--! EndIncluded claims/rules/claims_within_availability.sql
--! Included claims/rules/claims_one_per_availability.sql
create unique index if not exists claims_one_per_availability
  on parking.claims (availability_id)
  where status <> 'cancelled';

comment on index parking.claims_one_per_availability is
  E'@status 400\nThis availability has already been claimed';
--! EndIncluded claims/rules/claims_one_per_availability.sql
--! Included claims/rules/claims_start_in_future.sql
-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists claims_start_in_future on parking.claims;
create constraint trigger claims_start_in_future
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_start_in_future();

comment on trigger claims_start_in_future on parking.claims is
  E'@field start_time\nstart_time must be in the future';
--! EndIncluded claims/rules/claims_start_in_future.sql
--! Included claims/rules/claims_no_shorter_than_allowed.sql
create or replace trigger claims_no_shorter_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.end_time - new.start_time
      < make_interval(mins => (private.building()).shortest_claim_minutes)
  )
  execute function private.enforce_limit('length');

comment on trigger claims_no_shorter_than_allowed on parking.claims is
  E'@field end_time\nThe claim is shorter than the building allows';
--! EndIncluded claims/rules/claims_no_shorter_than_allowed.sql
--! Included claims/rules/claims_no_longer_than_allowed.sql
create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.end_time - new.start_time
      > make_interval(mins => (private.building()).longest_claim_minutes)
  )
  execute function private.enforce_limit('length');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\nThe claim is longer than the building allows';
--! EndIncluded claims/rules/claims_no_longer_than_allowed.sql
--! Included claims/rules/claims_within_horizon.sql
create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.end_time > private.days_after(clock_timestamp(), (private.building()).horizon_days)
  )
  execute function private.enforce_limit('end');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\nThe claim ends further ahead than the building allows';
--! EndIncluded claims/rules/claims_within_horizon.sql
--! Included claims/rules/claims_with_notice.sql
create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.start_time
      < clock_timestamp() + make_interval(mins => (private.building()).claim_notice_minutes)
  )
  execute function private.enforce_limit('start');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\nThe claim starts sooner than the building allows';
--! EndIncluded claims/rules/claims_with_notice.sql
--! Included claims/rules/claims_no_more_active_than_allowed.sql
create or replace trigger claims_no_more_active_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (
    new.status = 'active'
    and new.end_time > clock_timestamp()
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and (private.building()).most_active_claims is not null
  )
  execute function private.enforce_most_active_claims();

comment on trigger claims_no_more_active_than_allowed on parking.claims is
  E'@status 409\nYou have as many active claims as the building allows';
--! EndIncluded claims/rules/claims_no_more_active_than_allowed.sql
--! Included claims/rules/claims_begin_active.sql
create or replace trigger claims_begin_active
  before insert on parking.claims
  for each row
  when (new.status <> 'active')
  execute function private.enforce_rule();

comment on trigger claims_begin_active on parking.claims is
  E'@field status\nA new claim is active';
--! EndIncluded claims/rules/claims_begin_active.sql
--! Included claims/rules/claims_closed_stay_closed.sql
create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_rule();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';
--! EndIncluded claims/rules/claims_closed_stay_closed.sql
--! Included claims/rules/claims_close_with_their_times.sql
create or replace trigger claims_close_with_their_times
  before update of status, start_time, end_time on parking.claims
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
--! Included claims/rules/claims_kept_after_cutoff.sql
create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and clock_timestamp() > old.start_time
      - make_interval(mins => (private.building()).cancellation_cutoff_minutes)
    and private.reason() is null -- an administrator who gives a reason may
  )
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\nIt is too late to cancel or move this claim';
--! EndIncluded claims/rules/claims_kept_after_cutoff.sql
--! Included claims/rules/claims_completed_are_not_deleted.sql
create or replace trigger claims_completed_are_not_deleted
  before delete on parking.claims
  for each row
  when (old.status = 'completed')
  execute function private.enforce_while_spot_exists();

comment on trigger claims_completed_are_not_deleted on parking.claims is
  'Cannot delete a completed claim';
--! EndIncluded claims/rules/claims_completed_are_not_deleted.sql
--! Included claims/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.claims;
create policy approved_account_required on parking.claims
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.claims is
  'Account not approved';
--! EndIncluded claims/rules/approved_account_required.sql
--! Included claims/rules/claims_updated_by_claimer.sql
drop policy if exists claims_updated_by_claimer on parking.claims;
create policy claims_updated_by_claimer on parking.claims
  for update to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_updated_by_claimer on parking.claims is
  'You can only update your own claims';
--! EndIncluded claims/rules/claims_updated_by_claimer.sql
--! Included claims/rules/claims_cancelled_by_administrator.sql
-- A policy lets an administrator who gives a reason update any claim. This refuses other changes.
drop policy if exists claims_cancelled_by_administrator on parking.claims;
create policy claims_cancelled_by_administrator on parking.claims
  as restrictive
  for update to parking_api
  with check (claimer_id = (select private.caller_id()) or status = 'cancelled');

comment on policy claims_cancelled_by_administrator on parking.claims is
  'An administrator can only cancel the claim of another';
--! EndIncluded claims/rules/claims_cancelled_by_administrator.sql
--! Included claims/rules/claims_deleted_by_claimer.sql
drop policy if exists claims_deleted_by_claimer on parking.claims;
create policy claims_deleted_by_claimer on parking.claims
  for delete to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_deleted_by_claimer on parking.claims is
  'You can only delete your own claims';
--! EndIncluded claims/rules/claims_deleted_by_claimer.sql
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
grant insert (availability_id, spot_id, owner_id, start_time, end_time)
  on parking.claims to parking_api;
grant update (status, start_time, end_time) on parking.claims to parking_api;
--! EndIncluded claims/policies.sql
--! Included claims/total_claims.sql
/* How many claims a list of an administrator has, without counting millions of them. */
create or replace function private.total_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- reads counts past the policies, for administrators, who see every claim
  set search_path = ''
as $$
declare
  v_active constant integer := (coalesce(total_claims.status, 'active') = 'active')::integer;
  v_completed constant integer := (coalesce(total_claims.status, 'completed') = 'completed')::integer;
  v_cancelled constant integer := (coalesce(total_claims.status, 'cancelled') = 'cancelled')::integer;
  v_start_midnight constant timestamptz := date_trunc('day', total_claims.start_date, 'UTC');
  v_end_midnight constant timestamptz := date_trunc('day', total_claims.end_date, 'UTC');
  v_total bigint;
begin
  if not private.is_administrator() or total_claims.start_date >= total_claims.end_date then
    return 0;
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

  -- As in private.total_availabilities.
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
  'How many claims of the building an administrator sees, with these filters of GET /claims; 0 for everybody else. From counts of days; exact.';
grant execute on function private.total_claims to parking_api;
--! EndIncluded claims/total_claims.sql
--! Included claims/count_claims.sql
create or replace function api.count_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
  v_start_date constant timestamptz := coalesce(count_claims.start_date, '-infinity');
  v_end_date constant timestamptz := coalesce(count_claims.end_date, 'infinity');
begin
  if private.is_administrator() then
    return private.total_claims(count_claims.status, count_claims.start_date, count_claims.end_date);
  end if;

  -- Nobody claims their own spot, so each claim is in one of the two: an index has all of each.
  return (
    select count(*)
      from parking.claims c
     where c.claimer_id = v_caller_id
       and c.status = coalesce(count_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  ) + (
    select count(*)
      from parking.claims c
     where c.owner_id = v_caller_id
       and c.status = coalesce(count_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  );
end;
$$;

comment on function api.count_claims is
  'How many claims you made and how many are on your spots (administrators: all); exact, and as fast with millions of them';
grant execute on function api.count_claims to parking_api;
--! EndIncluded claims/count_claims.sql
--! Included claims/claims_made.sql
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
--! EndIncluded claims/claims_made.sql
--! Included claims/claim_json.sql
/* The Claim of the interface (specification, Resources). */
create or replace function private.claim_json(c parking.claims)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', c.id,
  'availability_id', c.availability_id,
  'claimer_id', c.claimer_id,
  'start_time', private.iso8601(c.start_time),
  'end_time', private.iso8601(c.end_time),
  'status', c.status,
  'created_at', private.iso8601(c.created_at),
  'updated_at', private.iso8601(c.updated_at)
);

comment on function private.claim_json is
  'A claim as clients see it.';
--! EndIncluded claims/claim_json.sql
--! Included claims/list_claims.sql
/*
 * A claim is in one of three parts: an index has each of them in the order of the list, and none has
 * all, because the policy has a branch for administrators, which says nothing about the row. With
 * 200,000 claims a page takes a resident 50 ms from all, and 1 ms from the parts.
 */
create or replace function api.list_claims(part text default null)
  returns setof parking.claims
  language sql
  stable
  security invoker
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
--! EndIncluded claims/list_claims.sql
--! Included claims/get_claim.sql
create or replace function api.get_claim(id uuid)
  returns setof parking.claims
  language sql
  stable
  security invoker
  rows 1
as $$
  select c.*
    from parking.claims c
   where c.id = get_claim.id
$$;

comment on function api.get_claim is
  'One claim, for its parties and administrators';
grant execute on function api.get_claim to parking_api;
--! EndIncluded claims/get_claim.sql
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

  if not found then
    perform private.require_approved(); -- still, after all the waiting
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
  'Cancel a resident''s claim, with a reason that both sides read';
grant execute on function api.cancel_claim to parking_api;
--! EndIncluded claims/cancel_claim.sql

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
--! Included totals/count_drifts.sql
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
  'Where the counts that totals are made of differ from the windows and claims: no row while all is well. Slow: reads all of them.';
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
--! EndIncluded totals/count_drifts.sql
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
  -- Writers wait until the counts are made; readers do not.
  lock table parking.availabilities, parking.claims in share row exclusive mode;

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
         case when p.shares_phone_number then p.phone_number end as phone_number
    from parking.claims c
    join parking.profiles p on p.id in (c.owner_id, c.claimer_id)
   where (select private.caller_id()) in (c.owner_id, c.claimer_id)
     and p.id <> (select private.caller_id())
     and c.status <> 'cancelled' -- there is nothing to agree on any more
     and (select private.is_approved());

comment on view parking.contacts is
  E'@absent Contact not found\nOf each claim that is not cancelled, on a spot of the caller or by the caller: the other person.';
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
grant select on parking.contacts to parking_api;
--! EndIncluded contacts/view.sql
--! Included contacts/get_claim_contacts.sql
create or replace function api.get_claim_contacts(id uuid)
  returns setof parking.contacts
  language sql
  stable
  security invoker
  rows 1
as $$
  select c.*
    from parking.contacts c
   where c.claim_id = get_claim_contacts.id
$$;

comment on function api.get_claim_contacts is
  'The other person of a claim that is not cancelled: the owner for the claimer, the claimer for the owner';
grant execute on function api.get_claim_contacts to parking_api;
--! EndIncluded contacts/get_claim_contacts.sql

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
  E'@absent Notification not found\nMessages to residents about changes of their account, spots and claims.';
comment on column parking.notifications.id is
  'The notification.';
comment on column parking.notifications.recipient_id is
  'The resident who receives it.';
comment on column parking.notifications.kind is
  'The type of the event, as in private.events.';
comment on column parking.notifications.message is
  'What happened, in a sentence.';
comment on column parking.notifications.claim_id is
  'The claim it is about, if it is about one.';
comment on column parking.notifications.availability_id is
  'The window it is about, if it is about one.';
comment on column parking.notifications.spot_id is
  'The spot it is about, if it is about one.';
comment on column parking.notifications.is_read is
  'Whether the recipient marked it read.';
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
--! Included notifications/rules/notifications_to_a_resident.sql
alter table parking.notifications
  drop constraint if exists notifications_to_a_resident,
  add constraint notifications_to_a_resident
    foreign key (recipient_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint notifications_to_a_resident on parking.notifications is
  E'@status 404\nUser profile not found';
--! EndIncluded notifications/rules/notifications_to_a_resident.sql
--! Included notifications/rules/notifications_kind_is_known.sql
alter table parking.notifications
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (
      kind in (
        'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
        'profile.approved', 'spot.verified', 'spot.deleted', 'availability.deleted'
      )
    );

comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
--! EndIncluded notifications/rules/notifications_kind_is_known.sql
--! Included notifications/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.notifications;
create policy approved_account_required on parking.notifications
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.notifications is
  'Account not approved';
--! EndIncluded notifications/rules/approved_account_required.sql
--! Included notifications/policies.sql
/* Only the recipient sees a notification. */
alter table parking.notifications enable row level security;

drop policy if exists select_own on parking.notifications;
create policy select_own on parking.notifications
  for select to parking_api
  using (recipient_id = (select private.caller_id()));

drop policy if exists update_own on parking.notifications;
create policy update_own on parking.notifications
  for update to parking_api
  using (recipient_id = (select private.caller_id()));

grant select on parking.notifications to parking_api;
-- No insert and no delete: triggers write notifications, and none is deleted.
grant update (is_read) on parking.notifications to parking_api;
--! EndIncluded notifications/policies.sql
--! Included notifications/notify.sql
/* Every notification is written here. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    message text,
    claim_id uuid default null,
    availability_id uuid default null,
    spot_id uuid default null
)
  returns void
  language sql
  volatile
begin atomic
  -- Nobody gets a notification about their own action.
  insert into parking.notifications
    (recipient_id, kind, message, claim_id, availability_id, spot_id)
  select
    notify.recipient_id, notify.kind, concat_ws('. Reason: ', notify.message, private.reason()),
    notify.claim_id, notify.availability_id, notify.spot_id
   where notify.recipient_id is distinct from private.caller_id();
end;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';
--! EndIncluded notifications/notify.sql
--! Included notifications/readable_span.sql
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
--! EndIncluded notifications/readable_span.sql
--! Included notifications/notify_of_spot_deletion.sql
/* Notifies those who lose something by the deletion of a spot. */
create or replace function private.notify_of_spot_deletion(spot parking.spots)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  perform private.notify(
    spot.owner_id,
    'spot.deleted',
    format('Your parking spot %s was deleted', spot.spot_number),
    spot_id => spot.id
  );

  -- One for each resident, however many claims they had.
  perform private.notify(
    c.claimer_id,
    'spot.deleted',
    format('Parking spot %s, which you had claimed, was deleted', spot.spot_number),
    spot_id => spot.id
  )
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
    format(
      'Your window of parking spot %s %s was deleted',
      s.spot_number,
      private.readable_span(d.start_time, d.end_time)
    ),
    availability_id => d.id,
    spot_id => d.spot_id
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
  v_spot_number text;
  v_happened text;
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

  select s.spot_number into v_spot_number
    from parking.spots s
   where s.id = v_claim.spot_id;

  -- The deletion of a spot has its own notification.
  if not found then
    return null;
  end if;

  v_happened := format(
    '%s %s was %s',
    v_spot_number,
    private.readable_span(v_claim.start_time, v_claim.end_time),
    split_part(v_kind, '.', 2)
  );

  perform private.notify(
    v_claim.owner_id,
    v_kind,
    'The claim of your parking spot ' || v_happened,
    v_claim.id,
    v_claim.availability_id,
    v_claim.spot_id
  );

  if v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled' then
    perform private.notify(
      v_claim.claimer_id,
      v_kind,
      'Your claim of parking spot ' || v_happened,
      v_claim.id,
      v_claim.availability_id,
      v_claim.spot_id
    );
  end if;
  return null;
end;
$$;

comment on function private.notify_of_claim is
  'Trigger function: notifies the owner that a claim was submitted, completed, cancelled or deleted, and the claimer that it was cancelled or deleted; these two resolve the earlier notifications about it.';

create or replace trigger notify_of_claim
  after insert or delete or update of status on parking.claims
  for each row
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
  perform private.notify(new.id, 'profile.approved', 'Your account was approved');
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
  perform private.notify(
    new.owner_id,
    'spot.verified',
    format('Your parking spot %s was verified', new.spot_number),
    spot_id => new.id
  );
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
--! Included notifications/list_notifications.sql
create or replace function api.list_notifications()
  returns setof parking.notifications
  language sql
  stable
  security invoker
as $$
  select n.*
    from parking.notifications n
$$;

comment on function api.list_notifications is
  'Messages to you, newest first';
grant execute on function api.list_notifications to parking_api;
--! EndIncluded notifications/list_notifications.sql
--! Included notifications/get_notification.sql
create or replace function api.get_notification(id uuid)
  returns setof parking.notifications
  language sql
  stable
  security invoker
  rows 1
as $$
  select n.*
    from parking.notifications n
   where n.id = get_notification.id
$$;

comment on function api.get_notification is
  'One of your notifications';
grant execute on function api.get_notification to parking_api;
--! EndIncluded notifications/get_notification.sql
--! Included notifications/update_notification.sql
create or replace function api.update_notification(id uuid, is_read boolean default null)
  returns parking.notifications
  language plpgsql
  volatile
  security invoker
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
  'The log of everything that happened to profiles, spots, availabilities and claims. Rows are added only.';
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
--! EndIncluded events/table.sql
--! Included events/rules/events_type_is_known.sql
alter table private.events
  drop constraint if exists events_type_is_known,
  add constraint events_type_is_known
    check (
      type in (
        'profile.registered', 'profile.updated', 'profile.approved', 'profile.erased',
        'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
        'availability.created', 'availability.updated', 'availability.deleted',
        'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted'
      )
    );

comment on constraint events_type_is_known on private.events is
  E'@field type\ntype must be a known type of event';
--! EndIncluded events/rules/events_type_is_known.sql
--! Included events/rules/events_reason_is_one_line.sql
alter table private.events
  drop constraint if exists events_reason_is_one_line,
  add constraint events_reason_is_one_line
    check (private.is_one_line(reason, 1, 300));

comment on constraint events_reason_is_one_line on private.events is
  E'@field reason\nreason must be 1 to 300 characters on one line';
--! EndIncluded events/rules/events_reason_is_one_line.sql
--! Included events/rules/events_are_only_added.sql
-- One exception: private.erase_person removes from past events what names a person. It alone sets
-- parking.erasing, while it does so. Only the owner of the database could set it otherwise: no other
-- role may change events at all.
create or replace trigger events_are_only_added
  before delete or update or truncate on private.events
  for each statement
  when (current_setting('parking.erasing', true) is distinct from 'on')
  execute function private.enforce_rule();

comment on trigger events_are_only_added on private.events is
  'Events can be added, not changed';
--! EndIncluded events/rules/events_are_only_added.sql
--! Included events/record_profile_event.sql
/* Profiles are registered, approved and updated; none is deleted. */
create or replace function private.record_profile_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'profile.registered'
      when new.is_approved and not old.is_approved then 'profile.approved'
      else 'profile.updated'
    end,
    new.id,
    private.profile_json(new)
  );
  return null;
end;
$$;

comment on function private.record_profile_event is
  'Trigger function: logs what happened to a profile.';

create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_profile_event();

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.is_approved, new.is_admin
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.is_approved, old.is_admin
    )
  )
  execute function private.record_profile_event();
--! EndIncluded events/record_profile_event.sql
--! Included events/record_spot_event.sql
/* Spots are registered, updated, verified and deleted. */
create or replace function private.record_spot_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_spot constant parking.spots := case tg_op when 'DELETE' then old else new end;
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'spot.registered'
      when tg_op = 'DELETE' then 'spot.deleted'
      when new.is_verified and not old.is_verified then 'spot.verified'
      else 'spot.updated'
    end,
    v_spot.id,
    private.spot_json(v_spot)
  );
  return null;
end;
$$;

comment on function private.record_spot_event is
  'Trigger function: logs what happened to a spot.';

create or replace trigger record_registration_or_deletion
  after insert or delete on parking.spots
  for each row
  execute function private.record_spot_event();

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section, new.is_verified)
      is distinct from (old.spot_number, old.building_section, old.is_verified)
  )
  execute function private.record_spot_event();
--! EndIncluded events/record_spot_event.sql
--! Included events/record_availability_event.sql
/* Windows are created and moved. A claim of a window is an event of the claim. */
create or replace function private.record_availability_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case tg_op when 'INSERT' then 'availability.created' else 'availability.updated' end,
    new.id,
    private.availability_json(new)
  );
  return null;
end;
$$;

comment on function private.record_availability_event is
  'Trigger function: logs that an availability was created or moved.';

create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_availability_event();

create or replace trigger record_update
  after update on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_availability_event();
--! EndIncluded events/record_availability_event.sql
--! Included events/record_availability_deletions.sql
/* A spot may have thousands of windows: all that are deleted with it are logged in one statement. */
create or replace function private.record_availability_deletions()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, actor_id, reason, data)
  select 'availability.deleted',
         d.id,
         (select private.caller_id()),
         (select private.reason()),
         private.availability_json(row(d.*)::parking.availabilities)
    from deleted d;
  return null;
end;
$$;

comment on function private.record_availability_deletions is
  'Trigger function: logs the availabilities that a statement deleted.';

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_availability_deletions();
--! EndIncluded events/record_availability_deletions.sql
--! Included events/record_claim_event.sql
/* Claims are submitted, moved, completed and cancelled. */
create or replace function private.record_claim_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'claim.submitted'
      when new.status is distinct from old.status then 'claim.' || new.status
      else 'claim.updated'
    end,
    new.id,
    private.claim_json(new)
  );
  return null;
end;
$$;

comment on function private.record_claim_event is
  'Trigger function: logs that a claim was submitted, moved, completed or cancelled.';

create or replace trigger record_submission
  after insert on parking.claims
  for each row
  execute function private.record_claim_event();

create or replace trigger record_update
  after update on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time)
      is distinct from (old.status, old.start_time, old.end_time)
  )
  execute function private.record_claim_event();
--! EndIncluded events/record_claim_event.sql
--! Included events/record_claim_deletions.sql
/* A spot may have thousands of claims: all that are deleted with it are logged in one statement. */
create or replace function private.record_claim_deletions()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, actor_id, reason, data)
  select 'claim.deleted',
         d.id,
         (select private.caller_id()),
         (select private.reason()),
         private.claim_json(row(d.*)::parking.claims)
    from deleted d;
  return null;
end;
$$;

comment on function private.record_claim_deletions is
  'Trigger function: logs the claims that a statement deleted.';

create or replace trigger record_deletions
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.record_claim_deletions();
--! EndIncluded events/record_claim_deletions.sql

--! Included profiles/pattern_of_names.sql
/* People write names into free texts: reasons and the descriptions of spots. */
create or replace function private.pattern_of_names(id uuid)
  returns text
  language sql
  stable
  set search_path = ''
begin atomic
  with known as (
    select p.full_name, p.email, p.phone_number
      from parking.profiles p
     where p.id = pattern_of_names.id
    union all
    select e.data ->> 'full_name', e.data ->> 'email', e.data ->> 'phone_number'
      from private.events e
     where e.subject_id = pattern_of_names.id
       and e.type like 'profile.%'
  ),
  names as (
    select distinct n.name
      from known k, unnest(array[k.full_name, k.email, k.phone_number]) as n (name)
     -- A shorter one would match too many other words.
     where char_length(n.name) >= 3
  )
  -- As whole words, the longest first.
  select format(
      '(?<!\w)(?:%s)(?!\w)',
      string_agg(
        regexp_replace(n.name, '([^\w\s])', '\\\1', 'g'), '|'
        order by char_length(n.name) desc
      )
    )
    from names n;
end;

comment on function private.pattern_of_names is
  'A regular expression that matches the names, addresses and phone numbers that a person has or had.';
--! EndIncluded profiles/pattern_of_names.sql
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace: name, address and phone number go from everywhere,
 * also from the event log. Rows stay, so that counts and reports stay true.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_names constant text := private.pattern_of_names(erase_person.id);
  v_profile parking.profiles;
begin
  -- The user, then the profile, as PUT /profile locks them. Claims of the person's windows wait here.
  perform from private.users u where u.id = erase_person.id for update;
  perform from parking.profiles p where p.id = erase_person.id for update;

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and erase_person.id in (c.claimer_id, c.owner_id);

  -- Windows with closed claims stay with these. Without an approved owner nobody can claim them.
  delete from parking.availabilities a
   where a.owner_id = erase_person.id
     and not exists (select from parking.claims c where c.availability_id = a.id);

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

  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when s.spot_number ~* v_names then 'erased ' || right(s.id::text, 12)
           else s.spot_number
         end,
         building_section =
           rtrim(left(regexp_replace(s.building_section, v_names, 'erased', 'gi'), 100))
   where s.owner_id = erase_person.id
     and (s.spot_number ~* v_names or s.building_section ~* v_names);

  delete from parking.notifications n
   where n.recipient_id = erase_person.id;

  update parking.notifications n
     set message = regexp_replace(n.message, v_names, 'erased', 'gi')
   where n.message ~* v_names;

  delete from private.idempotency_keys k
   where k.person_id = erase_person.id;

  insert into private.events (type, subject_id, data)
  values ('profile.erased', v_profile.id, private.profile_json(v_profile));

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

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', regexp_replace(e.data ->> 'spot_number', v_names, 'erased', 'gi'),
           'building_section', regexp_replace(e.data ->> 'building_section', v_names, 'erased', 'gi')
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_person.id::text;

  update private.events e
     set reason = rtrim(left(regexp_replace(e.reason, v_names, 'erased', 'gi'), 300))
   where e.reason ~* v_names;

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, the event log, the notifications and the answers kept under idempotency keys. Cancels their claims and those on their spots, and deletes their free windows. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
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
  perform private.require_administrator();
  perform private.erase_person(erase_as_administrator.id);
end;
$$;

comment on function private.erase_as_administrator is
  'Erases the personal data of the person with this id, for an administrator.';
grant execute on function private.erase_as_administrator to parking_api;
--! EndIncluded profiles/erase_as_administrator.sql
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
  'Erase a person''s name, address and phone number everywhere; their claims end, their account is closed';
grant execute on function api.erase_profile to parking_api;
--! EndIncluded profiles/erase_profile.sql

--! Included idempotency_keys/table.sql
/* The answers to requests that had a key, so that a client who did not get one can ask again. */
create table if not exists private.idempotency_keys (
  person_id uuid,
  key text,
  fingerprint text not null,
  body text not null,
  location_id uuid,
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  constraint idempotency_key_in_use primary key (person_id, key)
);

create index if not exists idempotency_keys_expires_at_idx
  on private.idempotency_keys (expires_at);

comment on table private.idempotency_keys is
  'What a POST with an Idempotency-Key answered, written in the transaction of its effect. Only successes: a failure had no effect.';
comment on column private.idempotency_keys.person_id is
  'Who sent the request. Another person''s key is another key.';
comment on column private.idempotency_keys.key is
  'The key, which the client chose.';
comment on column private.idempotency_keys.fingerprint is
  'A hash of the endpoint and the arguments: the same key with other arguments is a mistake of the client.';
comment on column private.idempotency_keys.body is
  'The body of the answer.';
comment on column private.idempotency_keys.location_id is
  'The id in the Location of the answer.';
comment on column private.idempotency_keys.expires_at is
  'From when on the key counts as unused. The row stays until its key is used again, or another answer is kept.';
comment on index private.idempotency_keys_expires_at_idx is
  'Finds answers that expired, to delete them.';

alter table private.idempotency_keys enable row level security;
-- No policy and no grant: the API role reaches its callers' own answers through two functions only.
--! EndIncluded idempotency_keys/table.sql
--! Included idempotency_keys/rules/idempotency_key_in_use.sql
/* The key itself is part of the table. private.take_idempotency_key refuses sooner, without waiting. */
comment on constraint idempotency_key_in_use on private.idempotency_keys is
  'A request with this Idempotency-Key is still running';
--! EndIncluded idempotency_keys/rules/idempotency_key_in_use.sql
--! Included idempotency_keys/rules/idempotency_key_reused.sql
-- An answer that is kept stays what it is; private.take_idempotency_key refuses under the same name.
create or replace trigger idempotency_key_reused
  before update on private.idempotency_keys
  for each row
  when (old.fingerprint <> new.fingerprint)
  execute function private.enforce_rule();

comment on trigger idempotency_key_reused on private.idempotency_keys is
  E'@status 422\nThis Idempotency-Key was used for another request';
--! EndIncluded idempotency_keys/rules/idempotency_key_reused.sql
--! Included idempotency_keys/rules/idempotency_keys_answers_are_short.sql
alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_answers_are_short,
  add constraint idempotency_keys_answers_are_short
    check (octet_length(body) <= 100000 and octet_length(fingerprint) <= 64);

comment on constraint idempotency_keys_answers_are_short on private.idempotency_keys is
  'An answer that is kept has at most 100 kB, and its fingerprint 64 bytes';
--! EndIncluded idempotency_keys/rules/idempotency_keys_answers_are_short.sql
--! Included idempotency_keys/rules/idempotency_keys_are_printable.sql
alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_are_printable,
  add constraint idempotency_keys_are_printable
    check (key collate "C" ~ '^[ -~]{1,255}$');

comment on constraint idempotency_keys_are_printable on private.idempotency_keys is
  'Idempotency-Key must be 1 to 255 printable ASCII characters';
--! EndIncluded idempotency_keys/rules/idempotency_keys_are_printable.sql
--! Included idempotency_keys/rules/idempotency_keys_of_a_user.sql
alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_of_a_user,
  add constraint idempotency_keys_of_a_user
    foreign key (person_id)
    references private.users (id)
    on delete cascade;

comment on constraint idempotency_keys_of_a_user on private.idempotency_keys is
  E'@status 403\nOnly somebody who has registered can use an Idempotency-Key';
--! EndIncluded idempotency_keys/rules/idempotency_keys_of_a_user.sql
--! Included idempotency_keys/take_idempotency_key.sql
/* The first step of a request with a key. Nobody waits for a request that is still running. */
create or replace function private.take_idempotency_key(key text, fingerprint text)
  returns table (body text, location_id uuid)
  language plpgsql
  volatile
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
--! Included idempotency_keys/keep_answer.sql
/* The last step of a request with a key. */
create or replace function private.keep_answer(
    key text,
    fingerprint text,
    body text,
    location_id uuid
)
  returns void
  language plpgsql
  volatile
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
  'The window and the caller, as <window>:<sub of the token>.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.ends_at is
  'When the window ends. The row stays until the next charge of its key, or until other windows are opened.';
comment on index private.rate_limits_ends_at_idx is
  'Finds windows that ended, to delete them.';

alter table private.rate_limits enable row level security;
-- No policy and no grant: the API role counts through private.charge_rate_limit only.
--! EndIncluded rate_limits/table.sql
--! Included rate_limits/charge_rate_limit.sql
/* Counts in the windows of callers, by the one clock that all services share. */
create or replace function private.charge_rate_limit(
    key text,
    points integer,
    most integer,
    seconds integer,
    out charged integer,
    out milliseconds integer
)
  language plpgsql
  volatile
  security definer -- the API role may count, and neither read nor forget what was counted
  set search_path = ''
as $$
declare
  v_now constant timestamptz(3) := clock_timestamp();
  v_window private.rate_limits;
begin
  select r.* into v_window
    from private.rate_limits r
   where r.key = charge_rate_limit.key
     and r.ends_at > v_now;

  -- Nothing is written for a request that is refused anyway, nor for a look.
  if charge_rate_limit.points > 0 and coalesce(v_window.points < charge_rate_limit.most, true) then
    insert into private.rate_limits as r (key, points, ends_at)
    values (
      charge_rate_limit.key,
      charge_rate_limit.points,
      v_now + make_interval(secs => charge_rate_limit.seconds)
    )
    on conflict on constraint rate_limits_pkey do update
      set points = excluded.points + case when r.ends_at > v_now then r.points else 0 end,
          ends_at = case when r.ends_at > v_now then r.ends_at else excluded.ends_at end
    returning r.* into v_window;
    charged := v_window.points;
  else
    charged := v_window.points + charge_rate_limit.points;
  end if;
  milliseconds := ceil(extract(epoch from v_window.ends_at - v_now) * 1000);

  -- A request that opens a window deletes two that ended, so that the table does not grow.
  if charged = charge_rate_limit.points then
    delete from private.rate_limits r
     where r.key in (
       select e.key
         from private.rate_limits e
        where e.ends_at <= v_now
        order by e.ends_at
        limit 2
          for update skip locked
     );
  end if;
end;
$$;

comment on function private.charge_rate_limit is
  'Charges a key points in a window that may hold so many of them and ends so many seconds after its first charge. Returns what the key was charged, and how long the window lasts; null where none is open and nothing is charged.';
grant execute on function private.charge_rate_limit to parking_api;
--! EndIncluded rate_limits/charge_rate_limit.sql

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
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_spots is
  'Your newest spots, for the dashboard.';
grant execute on function api.recent_spots to parking_api;
--! EndIncluded dashboard/recent_spots.sql
--! Included dashboard/recent_claims.sql
create or replace function api.recent_claims()
  returns setof parking.claims
  language sql
  stable
  security invoker
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
--! EndIncluded dashboard/recent_claims.sql

--! Included reports/midnight.sql
create or replace function private.midnight(day date)
  returns timestamptz
  language sql
  stable
return midnight.day::timestamp at time zone (private.building()).time_zone;

comment on function private.midnight is
  'The first moment of a day of the building''s calendar.';
grant execute on function private.midnight to parking_api;
--! EndIncluded reports/midnight.sql
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
    raise sqlstate 'PT400' using message = 'until must be after from';
  end if;
  if report_start.until - report_start."from" > 184 then
    raise sqlstate 'PT400' using message = 'The period of a report must not be longer than 184 days';
  end if;
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator and the period is one of 1 to 184 days.';
grant execute on function private.report_start to parking_api;
--! EndIncluded reports/report_start.sql
--! Included reports/limit_report.sql
/* A report is one answer, without pages: it must neither fill the memory of the service nor be cut off silently. */
create or replace function private.limit_report(number_of_rows bigint)
  returns void
  language plpgsql
  immutable
  set search_path = ''
as $$
begin
  if limit_report.number_of_rows > 10000 then
    raise sqlstate 'PT400' using
      message = 'The report would have more than 10000 rows: choose a shorter period or one section';
  end if;
end;
$$;

comment on function private.limit_report is
  'Fails where a report has more than 10,000 rows.';
grant execute on function private.limit_report to parking_api;
--! EndIncluded reports/limit_report.sql
--! Included reports/offered_spans.sql
/* An index has all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
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
  union all
  select s.building_section, offered_spans."from", least(o.end_time, offered_spans.until)
    from parking.spots s
   cross join lateral (
     select a.end_time
       from parking.availabilities a
      where a.spot_id = s.id
        and a.start_time < offered_spans."from"
      order by a.start_time desc
      limit 1
   ) o
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and o.end_time > offered_spans."from"
$$;

comment on function private.offered_spans is
  'What was offered in a period, of one section or of all: the windows, cut at its ends.';
grant execute on function private.offered_spans to parking_api;
--! EndIncluded reports/offered_spans.sql
--! Included reports/claimed_spans.sql
/* An index has all that this reads. Claims that hold their windows do not overlap either: one at most is open at the start. */
create or replace function private.claimed_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
  security invoker
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
--! EndIncluded reports/claimed_spans.sql
--! Included reports/use_by_hour.sql
/*
 * Between two moments at which anything changes, as many spots are offered, and claimed, all the time.
 * Many windows start and end at the same moments, so this is faster than cutting each into its hours.
 */
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
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with changes as (
      select coalesce(o.start_time, o.end_time) as moment,
             case when grouping(o.end_time) = 1 then count(*) else -count(*) end as offered,
             0 as claimed
        from private.offered_spans(v_from, v_until, use_by_hour.section) o
       group by grouping sets ((o.start_time), (o.end_time))
      union all
      select coalesce(c.start_time, c.end_time),
             0,
             case when grouping(c.end_time) = 1 then count(*) else -count(*) end
        from private.claimed_spans(v_from, v_until, use_by_hour.section) c
       group by grouping sets ((c.start_time), (c.end_time))
      union all
      -- Half hours, because there are zones that move their clocks by one.
      select h.moment, 0, 0
        from generate_series(v_from, v_until, interval '30 minutes') h (moment)
    ),
    moments as (
      select c.moment, sum(c.offered) as offered, sum(c.claimed) as claimed
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
    ),
    used as (
      select extract(isodow from s.moment) as weekday,
             extract(hour from s.moment) as hour,
             sum(s.offered * s.seconds) as offered,
             sum(s.claimed * s.seconds) as claimed
        from steps s
       group by 1, 2
    )
    select d.weekday,
           h.hour,
           coalesce(round(u.offered / 60), 0)::bigint,
           coalesce(round(u.claimed / 60), 0)::bigint,
           round(u.claimed / nullif(u.offered, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join used u on u.weekday = d.weekday and u.hour = h.hour
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
  v_from constant timestamptz := private.report_start(use_by_section."from", use_by_section.until);
  v_until constant timestamptz := private.midnight(use_by_section.until);
  v_rows bigint;
begin
  return query
    with days as materialized (
      select greatest(d.day::date, use_by_section."from") as day
        from generate_series(
               date_trunc(use_by_section.step, use_by_section."from"::timestamp),
               use_by_section.until - interval '1 day',
               ('1 ' || use_by_section.step)::interval
             ) d (day)
    ),
    steps as materialized (
      select array_agg(d.day order by d.day) as days,
             array_agg(private.midnight(d.day) order by d.day) || v_until as bounds
        from days d
    ),
    spans as (
      select o.building_section, o.start_time, o.end_time, false as is_claimed
        from private.offered_spans(v_from, v_until, use_by_section.section) o
      union all
      select c.building_section, c.start_time, c.end_time, true
        from private.claimed_spans(v_from, v_until, use_by_section.section) c
    ),
    placed as not materialized (
      select s.*, width_bucket(s.start_time, (select t.bounds from steps t)) as step
        from spans s
    ),
    -- Most spans are within one step. Cutting only the others is twice as fast.
    parts as (
      select p.building_section, p.step, p.is_claimed, p.start_time, p.end_time
        from placed p
       where p.end_time <= (select t.bounds from steps t)[p.step + 1]
      union all
      select p.building_section, c.step, p.is_claimed,
             greatest(p.start_time, (select t.bounds from steps t)[c.step]),
             least(p.end_time, (select t.bounds from steps t)[c.step + 1])
        from placed p
       cross join lateral generate_series(
         p.step,
         width_bucket(p.end_time - interval '1 microsecond', (select t.bounds from steps t))
       ) c (step)
       where p.end_time > (select t.bounds from steps t)[p.step + 1]
    ),
    used as (
      select p.building_section,
             (select t.days from steps t)[p.step] as day,
             extract(epoch from sum(p.end_time - p.start_time) filter (where not p.is_claimed)) as offered,
             extract(epoch from sum(p.end_time - p.start_time) filter (where p.is_claimed)) as claimed
        from parts p
       group by p.building_section, p.step
    )
    select s.building_section,
           d.day,
           coalesce(round(u.offered / 60), 0)::bigint,
           coalesce(round(u.claimed / 60), 0)::bigint,
           round(coalesce(u.claimed, 0) / u.offered, 4)
      from (
        select distinct p.building_section
          from parking.spots p
         where use_by_section.section is null or p.building_section = use_by_section.section
      ) s
     cross join days d
      left join used u on u.building_section = s.building_section and u.day = d.day
     order by s.building_section, d.day
     limit 10001;

  get diagnostics v_rows = row_count;
  perform private.limit_report(v_rows);
end;
$$;

comment on function api.use_by_section is
  'How much each section was offered and claimed, by days or weeks';
grant execute on function api.use_by_section to parking_api;
--! EndIncluded reports/use_by_section.sql
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
         order by a.start_time desc
         limit 1
      ) l on true
     where (spots_never_offered.section is null or s.building_section = spots_never_offered.section)
       and s.created_at < v_until
       and (l.end_time > v_from) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform private.limit_report(v_rows);
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
       and (windows_never_claimed.section is null or s.building_section = windows_never_claimed.section)
     order by a.end_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform private.limit_report(v_rows);
end;
$$;

comment on function api.windows_never_claimed is
  'The windows that ended in the period and that nobody had claimed';
grant execute on function api.windows_never_claimed to parking_api;
--! EndIncluded reports/windows_never_claimed.sql

--! Included support/rule_catalogue.sql
/* The rules as the service shows them: every commented constraint, index, trigger and policy. */
create or replace view private.rules
  with (security_invoker)
as
  with tables as materialized (
    select t.oid, t.relname
      from pg_catalog.pg_class t
     where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
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
      join tables t on t.oid = o.table_id
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
         ) end as columns
    from commented c;

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time; the rest is the message). Without @status a duplicate is 409, a policy and a trigger with the argument 42501 are 403, all else is 400.';
comment on column private.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column private.rules."table" is
  'The table it is about.';
comment on column private.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, trigger or policy.';
comment on column private.rules.status is
  'The HTTP status of a refusal.';
comment on column private.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column private.rules.message is
  'What the caller reads; null where the comment has tags only.';
comment on column private.rules.verbs is
  'The statements that can break it: insert, update, delete; a policy may also limit select.';
comment on column private.rules.columns is
  'The columns that it looks at: an update that writes none of them cannot break it. Null where any write can.';
grant select on private.rules to parking_api;
--! EndIncluded support/rule_catalogue.sql
--! Included support/absences.sql
/* What a caller reads when a row is not there: the tag @absent in the comment of its table. */
create or replace view private.absences
  with (security_invoker)
as
  select t.relname::text as "table",
         substring(d.description from '^(?:@\w+ [^\n]*\n)*@absent ([^\n]+)') as message
    from pg_catalog.pg_class t
    join pg_catalog.pg_description d
      on d.classoid = 'pg_class'::regclass and d.objoid = t.oid and d.objsubid = 0
   where t.relnamespace = 'parking'::regnamespace
     and d.description ~ '^(?:@\w+ [^\n]*\n)*@absent ';

comment on view private.absences is
  'For each table whose rows clients name by id: the message of a 404.';
comment on column private.absences."table" is
  'The table.';
comment on column private.absences.message is
  'What the caller reads.';
grant select on private.absences to parking_api;
--! EndIncluded support/absences.sql

--! Included reporting/hours.sql
/* Reports count in hours. */
create or replace function private.hours(span tstzrange)
  returns numeric
  language sql
  immutable
  parallel safe
return round(extract(epoch from upper(span) - lower(span)) / 3600, 3);

comment on function private.hours is
  'The length of a range in hours, to a thousandth; null for an empty one.';
grant execute on function private.hours to parking_reporter;
--! EndIncluded reporting/hours.sql
--! Included reporting/reported_until.sql
/* A window may last until the year 9999. A report lists days and hours, so it must stop earlier. */
create or replace function private.reported_until()
  returns timestamptz
  language sql
  stable
begin atomic
  select date_trunc('day', now() at time zone b.time_zone + interval '1 year') at time zone b.time_zone
    from private.building() b;
end;

comment on function private.reported_until is
  'The midnight at which reports of days and hours end: a year from today, in the time zone of the building.';
grant execute on function private.reported_until to parking_reporter;
--! EndIncluded reporting/reported_until.sql
--! Included reporting/spot_utilisation.sql
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
    select s.day, a.spot_id, a.during * s.span as time, c.held * s.span as taken
      from spans s
      join parking.availabilities a on a.during && s.span
      left join parking.claims c on c.availability_id = a.id and c.held && s.span
  )
  select o.day,
         p.id as spot_id,
         p.spot_number,
         p.building_section,
         p.is_verified,
         sum(private.hours(o.time)) as offered_hours,
         sum(coalesce(private.hours(o.taken), 0)) as claimed_hours,
         round(sum(coalesce(private.hours(o.taken), 0)) / sum(private.hours(o.time)), 4) as utilisation
    from offered o
    join parking.spots p on p.id = o.spot_id
   group by o.day, p.id;

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
--! EndIncluded reporting/spot_utilisation.sql
--! Included reporting/section_utilisation.sql
/* Offered and claimed hours of each section, day by day. */
create or replace view reporting.section_utilisation as
  select u.day,
         u.building_section,
         count(*) as offered_spots,
         sum(u.offered_hours) as offered_hours,
         sum(u.claimed_hours) as claimed_hours,
         round(sum(u.claimed_hours) / sum(u.offered_hours), 4) as utilisation
    from reporting.spot_utilisation u
   group by u.day, u.building_section;

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
--! Included reporting/spots.sql
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
         w.last_end_time
    from parking.spots s
   cross join lateral (
     select count(*) as windows,
            count(*) filter (where a.is_claimed) as claimed_windows,
            min(a.start_time) as first_start_time,
            max(a.end_time) as last_end_time
       from parking.availabilities a
      where a.spot_id = s.id
   ) w;

comment on view reporting.spots is
  'One row for each spot, also for those that were never offered.';
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
grant select on reporting.spots to parking_reporter;
--! EndIncluded reporting/spots.sql
--! Included reporting/availabilities.sql
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
         private.hours(a.during) as duration_hours
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
grant select on reporting.availabilities to parking_reporter;
--! EndIncluded reporting/availabilities.sql
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
         private.hours(tstzrange(c.start_time, c.end_time)) as duration_hours
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
grant select on reporting.claims to parking_reporter;
--! EndIncluded reporting/claims.sql
--! Included reporting/occupancy_by_hour.sql
/* Offered and claimed hours for each hour of the week. */
create or replace view reporting.occupancy_by_hour as
  with hours as (
    select b.time_zone,
           generate_series(
             date_trunc('hour', a.start_time, b.time_zone),
             least(a.end_time, (select private.reported_until())) - interval '1 microsecond',
             interval '1 hour'
           ) as hour,
           a.during,
           c.held
      from parking.building b
     cross join parking.availabilities a
      left join parking.claims c on c.availability_id = a.id and c.held is not null
  ),
  taken as (
    select h.hour at time zone h.time_zone as hour,
           private.hours(h.during * tstzrange(h.hour, h.hour + interval '1 hour')) as offered_hours,
           coalesce(private.hours(h.held * tstzrange(h.hour, h.hour + interval '1 hour')), 0) as claimed_hours
      from hours h
  )
  select extract(isodow from t.hour)::integer as weekday,
         extract(hour from t.hour)::integer as hour,
         sum(t.offered_hours) as offered_hours,
         sum(t.claimed_hours) as claimed_hours,
         round(sum(t.claimed_hours) / sum(t.offered_hours), 4) as occupancy
    from taken t
   group by 1, 2;

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
--! Included reporting/approvals.sql
/* How long people wait for the approval of their account. */
create or replace view reporting.approvals as
  select p.id as profile_id,
         p.created_at as registered_at,
         a.approved_at,
         p.is_approved,
         p.is_admin,
         private.hours(tstzrange(p.created_at, greatest(a.approved_at, p.created_at))) as waiting_hours
    from parking.profiles p
    left join lateral (
      select min(e.occurred_at) as approved_at
        from private.events e
       where e.subject_id = p.id
         and e.type = 'profile.approved'
    ) a on true;

comment on view reporting.approvals is
  'One row for each account: when it was registered and first approved.';
comment on column reporting.approvals.profile_id is
  'The account; a key to count by, not a name.';
comment on column reporting.approvals.registered_at is
  'When the account was registered.';
comment on column reporting.approvals.approved_at is
  'When it was first approved; null if it never was.';
comment on column reporting.approvals.is_approved is
  'Whether it is approved now.';
comment on column reporting.approvals.is_admin is
  'Whether it has administrator privileges now.';
comment on column reporting.approvals.waiting_hours is
  'Hours from registration to first approval; null if it never was.';
grant select on reporting.approvals to parking_reporter;
--! EndIncluded reporting/approvals.sql
--! Included reporting/events.sql
/* The event log without the data of the events, which may contain names. */
create or replace view reporting.events as
  select e.id,
         e.type,
         e.subject_id,
         e.actor_id,
         e.occurred_at
    from private.events e;

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
--! EndIncluded reporting/events.sql
--! Included reporting/rules.sql
/* What the database enforces, for people who wonder why something was refused. */
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
  'The table it is about.';
comment on column reporting.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, trigger or policy.';
comment on column reporting.rules.status is
  'The HTTP status of a refusal.';
comment on column reporting.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column reporting.rules.message is
  'What the caller reads.';
grant select on reporting.rules to parking_reporter;
--! EndIncluded reporting/rules.sql

-- The rules of the building come last, because they may need everything above.
--! Included house/all.sql
/*
 * The rules of this building, which other buildings do not have. A rule is written as in
 * sql/<thing>/rules: one named constraint, index, trigger or policy in a file of its name, with the
 * message in its comment. This list includes it; a function that it needs stands before it, in a
 * file of its own. Beside it <rule>.test.sql tests it, which `npm test` runs. The project's own tests
 * run without these rules. docs/dba.md shows one from end to end.
 */
--! EndIncluded house/all.sql
--! EndIncluded all.sql
