--! Previous: sha1:3a6586bb07028b338f5ae4a9ab8c2490a9128e0d
--! Hash: sha1:e021439b68aa121ad8f46a9dd552465f9b0611ca
--! Message: Rules of reports, described columns and faster reads

-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.
drop function if exists private.limit_report;
--! Included support/invisible_characters.sql
/* What no text may have: it would look like another text. */
-- Regular expressions of PostgreSQL do not know Unicode's categories. These are, of Unicode 17.0, Cc,
-- Cf, Zl, Zp and Default_Ignorable_Code_Point, and two blanks that NFKC does not make a space: U+1680
-- and U+2800. A test compares them with every code point. The service reads them at its start.
create or replace function private.invisible_characters()
  returns text
  language sql
  immutable
  parallel safe
  set search_path = ''
return
  '\u0001-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f'
  '\u0890-\u0891\u08e2\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u200b-\u200f'
  '\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
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
begin
  return char_length(value) >= shortest
    and char_length(value) <= longest
    and value !~ ('[' || private.invisible_characters() || ']')
    and value !~ '^[ \u00a0\u2000-\u200a\u202f\u205f\u3000]|[ \u00a0\u2000-\u200a\u202f\u205f\u3000]$';
end;
$$;

comment on function private.is_one_line is
  'Whether a text has shortest to longest characters, none of them invisible, and no white space around it. Null gives null.';
grant execute on function private.is_one_line to parking_api;
--! EndIncluded support/is_one_line.sql
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
         ) end as columns
    from commented c;

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time; the rest is the message). Without @status a duplicate is 409, a policy and a trigger with the argument 42501 are 403, all else is 400.';
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
comment on column private.rules.verbs is
  'The statements that can break it: insert, update, delete; a policy may also limit select.';
comment on column private.rules.columns is
  'The columns that it looks at: an update that writes none of them cannot break it. Null where any write can.';
grant select on private.rules to parking_api;
--! EndIncluded support/rule_catalogue.sql
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

create or replace trigger touch
  before update on private.users
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded users/table.sql
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

  if v_known.erased_at is not null then
    return v_known;
  end if;

  select said.email, said.email_confirmed_at into v_email, v_confirmed_at
    from private.said_by_token(v_known.email, v_known.email_confirmed_at) said;

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
      said.email,
      coalesce(
        (t.claims ->> 'email_confirmed_at')::timestamptz(3),
        case
          when said.email = said_by_token.known_email then said_by_token.known_confirmed_at
        end,
        case when t.claims -> 'email_verified' = 'true'::jsonb then now() end
      )
    from (select private.token_claims() as claims offset 0) t -- parsed once
   cross join lateral (
     select coalesce(t.claims ->> 'email', said_by_token.known_email) as email
   ) said;
end;

comment on function private.said_by_token is
  'The address and when it was confirmed: what the claims email, email_confirmed_at and email_verified say, else what is stored.';
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
comment on column parking.profiles.is_approved is
  'Whether an administrator approved the account; until then the resident sees only their own profile.';
comment on column parking.profiles.is_admin is
  'Whether the account has administrator privileges; they apply only while it is approved.';
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
--! Included identity/give_reason.sql
create or replace function private.give_reason(reason text)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  -- What else a reason must be, the rule says when the act comes into the event log.
  if coalesce(give_reason.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;
  perform set_config('request.reason', give_reason.reason, true);
end;
$$;

comment on function private.give_reason is
  'Sets the reason of an administrator for the rest of the transaction. The event log and the notifications repeat it.';
grant execute on function private.give_reason to parking_api;
--! EndIncluded identity/give_reason.sql
--! Included identity/refuse_unchanged.sql
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
--! EndIncluded identity/refuse_unchanged.sql
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
   where u.id = (select private.caller_id())
     and (
       u.erased_at is not null -- nothing refreshes it (private.remember_user)
       or (u.email, u.email_confirmed_at)
          is not distinct from (said.email, said.email_confirmed_at)
     )
$$;

comment on function private.known_profile is
  'The profile of the caller; no row where private.remember_user would write, or there is none.';
grant execute on function private.known_profile to parking_api;
--! EndIncluded profiles/known_profile.sql
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
--! Included profiles/get_known_profile.sql
/*
 * GET /profile reads this first, beside other reads. Hardly any token says something new, and only
 * then api.get_profile has something to write.
 */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  security invoker
  rows 1
as $$
  select p.*
    from private.known_profile() p
$$;

comment on function api.get_known_profile is
  'Your profile, where your token says nothing new about you; otherwise no row.';
grant execute on function api.get_known_profile to parking_api;
--! EndIncluded profiles/get_known_profile.sql
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
    perform private.refuse_unchanged('profiles');
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account or make an administrator, or take that back';
grant execute on function api.update_profile_flags to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
--! Included profiles/rules/profiles_phone_number_is_dialable.sql
alter table parking.profiles
  drop constraint if exists profiles_phone_number_is_dialable,
  add constraint profiles_phone_number_is_dialable
    check (private.is_one_line(phone_number, 3, 32) and phone_number ~ '^[-0-9 +()./]*$');

comment on constraint profiles_phone_number_is_dialable on parking.profiles is
  E'@field phone_number\nphone_number must be 3 to 32 digits, spaces and +().-/';
--! EndIncluded profiles/rules/profiles_phone_number_is_dialable.sql
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
comment on column parking.building.created_at is
  'When the database was made.';
comment on column parking.building.updated_at is
  'When the row last changed.';

-- What administrators may change.
grant update (
    name, time_zone,
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
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
    perform private.refuse_unchanged('building');
  end if;

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
begin
  perform private.require_approved();

  delete from parking.spots s
   where s.id = delete_spot.id;

  if not found then
    perform private.refuse_unchanged(
      'spots', 'spots_deleted_by_owner',
      exists (select from parking.spots s where s.id = delete_spot.id)
    );
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

  select d.message, d.deleted_spot_id
    into remove_spot.message, remove_spot.deleted_spot_id
    from api.delete_spot(remove_spot.id) d;
end;
$$;

comment on function api.remove_spot is
  'Remove a resident''s spot with its windows and past claims, with a reason that they read';
grant execute on function api.remove_spot to parking_api;
--! EndIncluded spots/remove_spot.sql
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
    perform private.refuse_unchanged(
      'spots', 'spots_updated_by_owner',
      exists (select from parking.spots s where s.id = update_spot.id)
    );
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
    perform private.refuse_unchanged('spots');
  end if;

  return v_spot;
end;
$$;

comment on function api.verify_spot is
  'Verify a spot, or take that back';
grant execute on function api.verify_spot to parking_api;
--! EndIncluded spots/verify_spot.sql
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

  select d.message, d.deleted_availability_id
    into remove_availability.message, remove_availability.deleted_availability_id
    from api.delete_availability(remove_availability.id) d;
end;
$$;

comment on function api.remove_availability is
  'Withdraw a resident''s window that nobody has claimed, with a reason that they read';
grant execute on function api.remove_availability to parking_api;
--! EndIncluded availabilities/remove_availability.sql
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
--! Included claims/total_own_claims.sql
/* Without the policies an index alone answers: they would be asked again for each of the two counts. */
create or replace function private.total_own_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- counts past the policies what they show: the claims of an approved caller
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
  v_start_date constant timestamptz := coalesce(total_own_claims.start_date, '-infinity');
  v_end_date constant timestamptz := coalesce(total_own_claims.end_date, 'infinity');
begin
  if not private.is_approved() then
    return 0;
  end if;

  -- Nobody claims their own spot, so each claim is in one of the two: an index has all of each.
  return (
    select count(*)
      from parking.claims c
     where c.claimer_id = v_caller_id
       and c.status = coalesce(total_own_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  ) + (
    select count(*)
      from parking.claims c
     where c.owner_id = v_caller_id
       and c.status = coalesce(total_own_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  );
end;
$$;

comment on function private.total_own_claims is
  'How many claims the caller made and how many are on their spots, with these filters of GET /claims.';
grant execute on function private.total_own_claims to parking_api;
--! EndIncluded claims/total_own_claims.sql
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
    perform private.refuse_unchanged('claims');
  end if;

  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read';
grant execute on function api.cancel_claim to parking_api;
--! EndIncluded claims/cancel_claim.sql
--! Included claims/count_claims.sql
create or replace function api.count_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
  security invoker
return case
  when private.is_administrator()
    then private.total_claims(count_claims.status, count_claims.start_date, count_claims.end_date)
  else private.total_own_claims(
    count_claims.status,
    count_claims.start_date,
    count_claims.end_date
  )
end;

comment on function api.count_claims is
  'How many claims you made and how many are on your spots (administrators: all); exact, and as fast with millions of them';
grant execute on function api.count_claims to parking_api;
--! EndIncluded claims/count_claims.sql
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
  'Complete or cancel your active claim, or move its times';
grant execute on function api.update_claim to parking_api;
--! EndIncluded claims/update_claim.sql
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
grant select on parking.contacts to parking_api;
--! EndIncluded contacts/view.sql
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
  'Identifies the notification.';
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
grant execute on function private.reported_until to parking_reporter;
--! EndIncluded reports/reported_until.sql
--! Included reports/reported_period.sql
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
--! EndIncluded reports/reported_period.sql
--! Included reports/domain.sql
/* What every report is. A value of this domain is checked where a report begins and where it ends. */
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
--! Included reports/report_start.sql
/* Of what others may see, a report would be wrong. */
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
--! EndIncluded reports/report_start.sql
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
  perform row(spots_never_offered."from", spots_never_offered.until, v_rows)::private.reports;
end;
$$;

comment on function api.spots_never_offered is
  'The spots that nobody could claim for any part of the period';
grant execute on function api.spots_never_offered to parking_api;
--! EndIncluded reports/spots_never_offered.sql
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
       and (windows_never_claimed.section is null or s.building_section = windows_never_claimed.section)
     order by a.end_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(windows_never_claimed."from", windows_never_claimed.until, v_rows)::private.reports;
end;
$$;

comment on function api.windows_never_claimed is
  'The windows that ended in the period and that nobody had claimed';
grant execute on function api.windows_never_claimed to parking_api;
--! EndIncluded reports/windows_never_claimed.sql
--! Included reports/views/rules.sql
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
--! Included reports/rules/reports_end_after_they_begin.sql
alter domain private.reports drop constraint if exists reports_end_after_they_begin;
alter domain private.reports add constraint reports_end_after_they_begin
  check (((value).until > (value)."from") is true);

comment on constraint reports_end_after_they_begin on domain private.reports is
  E'@field until\nuntil must be after from';
--! EndIncluded reports/rules/reports_end_after_they_begin.sql
--! Included reports/rules/reports_of_10000_rows_at_most.sql
-- A report is one answer, without pages: it must neither fill the memory of the service nor be cut off.
alter domain private.reports drop constraint if exists reports_of_10000_rows_at_most;
alter domain private.reports add constraint reports_of_10000_rows_at_most
  check ((value).number_of_rows <= 10000);

comment on constraint reports_of_10000_rows_at_most on domain private.reports is
  'The report would have more than 10000 rows: choose a shorter period or one section';
--! EndIncluded reports/rules/reports_of_10000_rows_at_most.sql
--! Included reports/rules/reports_of_half_a_year_at_most.sql
-- The longest period keeps a report under a second.
alter domain private.reports drop constraint if exists reports_of_half_a_year_at_most;
alter domain private.reports add constraint reports_of_half_a_year_at_most
  check ((value).until - (value)."from" <= 184);

comment on constraint reports_of_half_a_year_at_most on domain private.reports is
  E'@field until\nThe period of a report must not be longer than 184 days';
--! EndIncluded reports/rules/reports_of_half_a_year_at_most.sql
