--! Previous: sha1:dd852945c85c02716ed4f24fbd033c544b704443
--! Hash: sha1:78eb26eb0f85e40a531b60ea17717fa8199802d5
--! Message: series push keys sign-in concierge

-- Pushes: what has other arguments, another name or another condition is made anew.
drop function if exists api.update_preferences(text[], text, integer);
drop function if exists private.add_due_mails();
drop index if exists private.jobs_of_recipient_idx;
drop view if exists private.mail_recipients;
drop function if exists private.is_mail_on();

-- An erasure finds notifications by their claim, also resolved ones: sql/notifications/table.sql makes it anew.
drop index if exists parking.notifications_claim_id_idx;

-- sql/claims/table.sql makes it anew, with the end of the claim.
drop index if exists parking.claims_plate_idx;

drop function if exists api.create_claim(uuid, timestamptz, timestamptz, text, text);
drop function if exists api.update_profile_flags(uuid, boolean, boolean, text, boolean);
drop policy if exists select_as_party_or_administrator on parking.spot_reports;
drop policy if exists update_as_administrator on parking.spot_reports;
drop trigger if exists z_check_administrator on parking.spot_reports;
-- What reports are made of, they alone call.
drop function if exists private.wished_hours(timestamptz, timestamptz, text);
revoke execute on function private.claimed_spans, private.hour_use, private.offered_spans, private.report_start,
  private.report_steps, private.section_use from parking_api;
drop function if exists private.known_profile;

-- The dashboard counts claims from their index.
drop view if exists private.count_drifts, private.actual_counts, private.exports, private.subjects;
drop function if exists private.add_person_count, private.claims_made;
drop table if exists private.person_counts;

-- One policy says whose a row is, for all that the grants allow.
drop policy if exists select_own on parking.calendar_feeds;
drop policy if exists insert_own on parking.calendar_feeds;
drop policy if exists update_own on parking.calendar_feeds;
drop policy if exists delete_own on parking.calendar_feeds;
drop policy if exists select_own on parking.exceptions;
drop policy if exists delete_own on parking.exceptions;
drop policy if exists select_own on parking.favorite_spots;
drop policy if exists insert_own on parking.favorite_spots;
drop policy if exists delete_own on parking.favorite_spots;
drop policy if exists select_all on parking.invitations;
drop policy if exists insert_own on parking.invitations;
drop policy if exists delete_all on parking.invitations;
drop policy if exists select_own on parking.notifications;
drop policy if exists update_own on parking.notifications;
drop policy if exists select_own on parking.patterns;
drop policy if exists update_own on parking.patterns;
drop policy if exists delete_own on parking.patterns;
drop policy if exists select_own on parking.preferences;
drop policy if exists insert_own on parking.preferences;
drop policy if exists update_own on parking.preferences;
drop policy if exists select_own on parking.push_subscriptions;
drop policy if exists insert_own on parking.push_subscriptions;
drop policy if exists delete_own on parking.push_subscriptions;
drop policy if exists select_own on parking.spot_access;
drop policy if exists update_own on parking.spot_access;
drop policy if exists select_own on parking.wishes;
drop policy if exists insert_own on parking.wishes;
drop policy if exists delete_own on parking.wishes;

-- With their triggers, which the files of sql/ make anew with other functions.
drop function if exists private.keep_spot, private.enforce_claim_limit, private.note_suspension cascade;
drop function if exists private.require_spot;

-- A turn of private.turns is as good.
drop table if exists private.administrators_lock;



-- The views have the comments of the tables.
--! Included schemas.sql
/* The schemas: tables in parking, operations in api, and in private what clients must not call. */
create schema if not exists parking;
create schema if not exists api;
create schema if not exists private;
create schema if not exists reporting;
create schema if not exists identity;

comment on schema parking is
  'Tables, their rules and their policies.';
comment on schema api is
  'One function per operation of the service; REST and GraphQL call the same ones.';
comment on schema private is
  'Helpers, trigger functions, sign-in data and the event log. Not for clients.';
comment on schema reporting is
  'Read-only views for reporting tools, without e-mail addresses, phone numbers or names.';

comment on schema identity is
  'What the sign-in by mail (SIGN_IN=mail) stores. Only the service calls it, and for nobody: requests of people cannot reach it.';

-- PostgreSQL lets everyone execute a new function; here each grant is written down.
alter default privileges revoke execute on functions from public;

-- An exclusion constraint needs it to compare uuids.
create extension if not exists btree_gist with schema private;

grant usage on schema parking, api, private, identity to parking_api;
grant usage on schema reporting to parking_reporter, parking_analyst;
--! EndIncluded schemas.sql
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
    'key.created', 'key.deleted',
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
grant execute on function private.iso8601 to parking_api;

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

create or replace function private.base64url(bytes bytea)
  returns text
  language sql
  immutable
  parallel safe
return translate(encode(base64url.bytes, 'base64'), '+/=', '-_');

comment on function private.base64url is
  'Bytes as an address or a header may have them, without padding; up to 57 of them, for more would have a line break.';
grant execute on function private.base64url to parking_api;

create or replace function private.new_secret()
  returns bytea
  language sql
  volatile
return sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

comment on function private.new_secret is
  'A secret that nobody guesses: 244 random bits, as 32 bytes. private.base64url makes 43 characters of it.';
grant execute on function private.new_secret to parking_api;
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

/* All of them at once, because the catalogue reads a great many objects for one of them, too. */
create or replace function private.rule_messages(tables text[], language text)
  returns jsonb
  language sql
  stable
return (
  select jsonb_object_agg(r.name, coalesce(r.translations ->> rule_messages.language, r.message))
    from private.rules r
   where r."table" = any (rule_messages.tables)
);

comment on function private.rule_messages is
  'The messages of the rules of these tables in a language, by the names of the rules.';
grant execute on function private.rule_messages to parking_api;

/* The message for a row that is not there: the tag @absent in the comment of its table. */
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
--! EndIncluded support/rule_catalogue.sql
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
  -- Written, not only locked: a transaction with a snapshot from before the other rows, which If-Match takes, fails
  -- here and is tried again.
  insert into private.turns (key)
  values (hashtextextended(concat_ws(' ', take_turn.rule, take_turn.person_id), 0))
  on conflict on constraint turns_pkey do update
     set key = excluded.key
$$;

comment on function private.take_turn is
  'Makes those who insert rows that this rule counts, of this person or of the building, wait for each other, and fail where they do not see each other.';

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

/*
 * A resident for whom somebody of the staff acts is the caller, so that all rules bind as if it was their own
 * request. The staff stand in the member "act", as in RFC 8693. Only private.act_for writes it: the service takes
 * no such claim from a token.
 */
create or replace function private.act_member(name text)
  returns text
  language plpgsql -- no expression: to prepare JSON's in each statement would cost a claim more than all else of this
  stable
  parallel safe
  set search_path = ''
as $$
begin
  return private.token_claims() -> 'act' ->> act_member.name;
end;
$$;

comment on function private.act_member is
  'For private.acting_id and private.given_reason: who acts for the caller (sub), and why (reason).';
grant execute on function private.act_member to parking_api;

/* An expression that the planner puts in its place. Each claim asks several times, and mostly nothing is parsed. */
create or replace function private.acting_id()
  returns uuid
  language sql
  stable
  parallel safe
return case
  when strpos(current_setting('request.jwt.claims', true), '"act"') > 0
    then private.act_member('sub')::uuid
end;

comment on function private.acting_id is
  'Who of the staff acts for the caller; null where callers act for themselves.';
grant execute on function private.acting_id to parking_api;

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

/* A machine's claims are {"key": …} without sub. So it is nobody to each policy that asks for a person. */
create or replace function private.key_id()
  returns uuid
  language sql
  stable
  parallel safe
return json_value(private.token_claims(), 'strict $.key' returning uuid);

comment on function private.key_id is
  'The id of the key that is the caller (setting request.jwt.claims). Null where a person is, or nobody.';
grant execute on function private.key_id to parking_api;
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
  add column if not exists token_issued_at timestamptz(3),
  add column if not exists subject text,
  drop constraint if exists users_subject_key,
  add constraint users_subject_key unique (subject);

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

comment on column private.users.subject is
  'The sub of the person''s tokens, where it is not the id: the building moved from one identity provider to another (npm run identity).';

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
      perform private.take_turn('administrators');
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
  add column if not exists rejection_reason text,
  add column if not exists is_concierge boolean not null default false,
  add column if not exists is_concierge_by_groups boolean not null default false;

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
comment on column parking.profiles.is_concierge is
  'Whether the person is a concierge, who sees who may park, deals with reports and claims for residents; only while the account is approved.';
comment on column parking.profiles.is_concierge_by_groups is
  'Whether the groups of the identity provider decided is_concierge when the person last came.';
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

-- For the gate. Few people say which vehicle is theirs.
create index if not exists profiles_plate_idx
  on parking.profiles (private.plate(vehicle))
  where vehicle is not null;

create or replace trigger touch
  before update on parking.profiles
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded profiles/table.sql
--! Included identity/act_for.sql
/* Until private.stop_acting restores what this returns: no function of api leaves its caller changed. */
create or replace function private.act_for(person_id uuid, reason text)
  returns text
  language plpgsql
  volatile
  security definer -- a concierge does not see whether the person is approved
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
begin
  perform private.require_approved();
  if not private.is_staff() then
    perform private.refuse('claims_for_others_by_staff');
  end if;
  if not exists (select from parking.profiles p where p.id = act_for.person_id and p.is_approved) then
    perform private.refuse('claims_made_by_a_resident');
  end if;
  -- A rule of the event log checks the rest when the act is recorded.
  if coalesce(act_for.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;

  perform set_config(
    'request.jwt.claims',
    jsonb_build_object(
      'sub', act_for.person_id,
      'act', jsonb_build_object('sub', private.caller_id(), 'reason', act_for.reason)
    )::text,
    true
  );
  return v_claims;
end;
$$;

comment on function private.act_for is
  'Makes an approved resident the caller, for whom an administrator or concierge acts for this reason. Returns the claims of the actor, for private.stop_acting.';
grant execute on function private.act_for to parking_api;

create or replace function private.stop_acting(claims text, rule text)
  returns void
  language plpgsql
  volatile -- for a new snapshot
  set search_path = ''
as $$
begin
  perform set_config('request.jwt.claims', stop_acting.claims, true);
  if current_setting('transaction_isolation') <> 'read committed' then -- as in private.check_rights
    perform from parking.profiles p where p.id = (select private.caller_id()) for share skip locked;
  end if;
  perform private.require_approved(); -- still, after all the waiting
  if not private.is_staff() then
    perform private.refuse(stop_acting.rule);
  end if;
end;
$$;

comment on function private.stop_acting is
  'The end of private.act_for. Fails under the rule where the actor has lost the right meanwhile.';
grant execute on function private.stop_acting to parking_api;
--! EndIncluded identity/act_for.sql
--! Included identity/reads.sql
/* The service sets these members where its settings name a group (AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP, AUTH_CONCIERGE_GROUP). */
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
      select case claimed_by_groups.flag
               when 'is_admin' then p.is_admin
               when 'is_concierge' then p.is_concierge
               else p.is_approved
             end
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
  when strpos(current_setting('request.jwt.claims', true), '"is_') > 0
    then private.claimed_by_groups(flag)
end;

comment on function private.decided_by_groups is
  'What the groups in the caller''s token say of is_approved, is_admin or is_concierge; null where the identity provider does not decide it, and for an account that was erased.';
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

create or replace function private.is_concierge_by_token(profile parking.profiles)
  returns boolean
  language sql
  stable
  parallel safe
return coalesce(private.decided_by_groups('is_concierge'), profile.is_concierge);

comment on function private.is_concierge_by_token is
  'Whether the caller''s profile is a concierge''s: as the groups in the token decide it, else as it is stored.';

/* An administrator may do all that a concierge may. */
create or replace function private.is_staff()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- a concierge sees no profiles but their own
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
     and (flags.is_admin or private.is_concierge_by_token(p))
);

comment on function private.is_staff is
  'Whether the caller is an approved administrator or concierge.';
grant execute on function private.is_staff to parking_api;

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

create or replace function private.actor_id()
  returns uuid
  language sql
  stable
  parallel safe
return coalesce(private.acting_id(), private.caller_id());

comment on function private.actor_id is
  'Who acts: the caller, or who of the staff acts for the caller.';
grant execute on function private.actor_id to parking_api;

create or replace function private.given_reason()
  returns text
  language sql
  stable
  parallel safe
return coalesce(
  private.reason(),
  case
    when strpos(current_setting('request.jwt.claims', true), '"act"') > 0
      then private.act_member('reason')
  end
);

comment on function private.given_reason is
  'Why the actor acts on what belongs to another resident, for the event log and notifications.';
grant execute on function private.given_reason to parking_api;
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

create or replace function private.require_staff()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  if not private.is_staff() then
    perform private.refuse('administrator_required');
  end if;
end;
$$;

comment on function private.require_staff is
  'Fails under the rule administrator_required unless the caller is an approved administrator or concierge.';
grant execute on function private.require_staff to parking_api;

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
  actor_id uuid default private.actor_id(),
  data jsonb not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  reason text default private.given_reason(),
  constraint events_pkey primary key (id)
);

alter table private.events
  add column if not exists position bigint,
  drop constraint if exists events_position_key,
  add constraint events_position_key unique (position),
  alter column actor_id set default private.actor_id(),
  alter column reason set default private.given_reason();

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
  'Who did it; null for the owner of the database.';
comment on column private.events.data is
  'The subject as clients saw it afterwards; for a deletion, as it was. Without a position yet: its row.';
comment on column private.events.reason is
  'Why, where an administrator or a concierge acted on what belongs to another resident.';
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

/* Only administrators see, make and delete invitations. Nobody changes one. */
alter table parking.invitations enable row level security;

drop policy if exists all_of_administrators on parking.invitations;
create policy all_of_administrators on parking.invitations
  to parking_api
  using (true)
  with check (inviter_id = (select private.caller_id()));

grant select, delete on parking.invitations to parking_api;
-- No insert of inviter_id: it is the caller by default. No insert of status: an invitation begins open.
grant insert (email, full_name, apartment_number, spots) on parking.invitations to parking_api;
--! EndIncluded invitations/table.sql
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

create or replace function private.mail_invitation()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  if private.is_sent('mail') then
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
--! EndIncluded invitations/effects.sql
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
  add column if not exists colour text,
  add column if not exists gate_minutes integer not null default 10,
  add column if not exists passage_days integer not null default 0,
  add column if not exists session_days integer not null default 30;

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
comment on column parking.building.gate_minutes is
  'How long before a claim starts, and after it ends, the gate lets its vehicle pass.';
comment on column parking.building.passage_days is
  'For how many days it is kept which vehicles the gate saw. 0: nothing is kept.';
comment on column parking.building.session_days is
  'For how many days a sign-in by mail lasts.';
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
    mark, colour, gate_minutes, passage_days, session_days
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
         b.colour,
         b.gate_minutes,
         b.passage_days,
         b.session_days
    from parking.building b
    left join parking.limits l on l.building_section is null;

comment on view parking.buildings is
  E'@absent Building not found\n@primaryKey id\nThe building, one row: its name, its time zone and its limits.';
grant select on parking.buildings to parking_api;
--! EndIncluded building/view.sql
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
    colour text default null,
    gate_minutes integer default null,
    passage_days integer default null,
    session_days integer default null
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
         colour = nullif(coalesce(update_building.colour, b.colour), ''),
         gate_minutes = coalesce(update_building.gate_minutes, b.gate_minutes),
         passage_days = coalesce(update_building.passage_days, b.passage_days),
         session_days = coalesce(update_building.session_days, b.session_days);

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
--! Included building/rules/building_gate_is_in_range.sql
alter table parking.building
  drop constraint if exists building_gate_is_in_range,
  add constraint building_gate_is_in_range
    check (
      gate_minutes >= 0
      and gate_minutes <= 240
      and passage_days >= 0
      and passage_days <= 90
    );

comment on constraint building_gate_is_in_range on parking.building is
  E'@de Die Kulanz an der Schranke ist 0 bis 240 Minuten; Durchfahrten werden 0 bis 90 Tage aufbewahrt.\ngate_minutes are 0 to 240, passage_days 0 to 90';
--! EndIncluded building/rules/building_gate_is_in_range.sql
--! Included building/rules/building_sessions_within_a_year.sql
alter table parking.building
  drop constraint if exists building_sessions_within_a_year,
  add constraint building_sessions_within_a_year
    check (session_days >= 1 and session_days <= 365);

comment on constraint building_sessions_within_a_year on parking.building is
  E'@field session_days\n@de Eine Anmeldung gilt für 1 bis 365 Tage.\nA sign-in lasts for 1 to 365 days';
--! EndIncluded building/rules/building_sessions_within_a_year.sql
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
--! EndIncluded spots/table.sql
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
  security definer -- claims, wishes, reports and stars belong to other residents
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
  delete from parking.favorite_spots f
   where f.spot_id = old.id;

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
--! Included spots/rules/spots_with_active_claims_stay.sql
/* A spot that somebody has an active claim on stays: the claimer relies on it. */
create or replace function private.enforce_no_active_claims()
  returns trigger
  language plpgsql
  security definer -- reads and locks the claims of all residents
  set search_path = ''
as $$
begin
  -- The lock of the spot keeps new claims out (private.lock_spot). These may be closed or made to
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

/*
 * The owner and administrators read it here; the claimer reads it in parking.contacts, whose
 * conditions say for how long.
 */
alter table parking.spot_access enable row level security;

drop policy if exists own on parking.spot_access;
create policy own on parking.spot_access
  to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists select_as_administrator on parking.spot_access;
create policy select_as_administrator on parking.spot_access
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists insert_any on parking.spot_access;
create policy insert_any on parking.spot_access
  for insert to parking_api
  with check (true);

grant select on parking.spot_access to parking_api;
grant insert (spot_id, owner_id, access_notes) on parking.spot_access to parking_api;
-- No update of spot_id and owner_id: spots do not change hands. No delete: null is as good.
grant update (access_notes) on parking.spot_access to parking_api;
--! EndIncluded spot_access/table.sql
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
--! EndIncluded limits/view.sql
--! Included limits/enforce_limit.sql
/*
 * Limits bind what a statement writes, and people, not the owner of the table. What was there before a
 * limit was set stays valid.
 */
-- Not in the conditions of the triggers: each statement reads those anew, which costs it more than this.
create or replace function private.enforce_limit()
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
  if not row_security_active(tg_relid) then
    return null;
  end if;

  v_length := new.end_time - new.start_time;
  if (case tg_argv[0]
    when 'longest_claim_minutes' then
      v_length > make_interval(mins => v_limits.longest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and to_jsonb(new) ->> 'status' = 'active' -- one that is completed early becomes shorter
    when 'shortest_claim_minutes' then
      v_length < make_interval(mins => v_limits.shortest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and to_jsonb(new) ->> 'status' = 'active'
    when 'longest_window_days' then
      new.end_time > private.days_after(new.start_time, v_limits.longest_window_days)
      and v_length is distinct from old.end_time - old.start_time
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
--! EndIncluded limits/enforce_limit.sql
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

drop policy if exists own on parking.patterns;
create policy own on parking.patterns
  to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists insert_any on parking.patterns;
create policy insert_any on parking.patterns
  for insert to parking_api
  with check (true);

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
  ) stored,
  add column if not exists series_id uuid,
  add column if not exists made_by uuid default private.acting_id();

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
  'Who parks, where it is not the claimer. The claimer, the owner of the spot, administrators and concierges see it.';
comment on column parking.claims.vehicle is
  'The plate of the vehicle. The claimer, the owner of the spot, administrators and concierges see it.';
comment on column parking.claims.series_id is
  'The series that it was claimed with, if it was.';
comment on column parking.claims.made_by is
  'The administrator or concierge who claimed for the claimer; null: the claimer did.';
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

-- For the gate, which reads no claims of the past. Most claims name no vehicle.
create index if not exists claims_plate_idx
  on parking.claims (private.plate(vehicle), end_time)
  where vehicle is not null;

create index if not exists claims_series_id_idx
  on parking.claims (series_id)
  where series_id is not null;

-- For an erasure.
create index if not exists claims_made_by_idx
  on parking.claims (made_by)
  where made_by is not null;

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
-- No insert of claimer_id and made_by: they are the caller, and who acts for the caller (private.act_for). No insert of status: a claim begins active.
grant insert (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle, series_id)
  on parking.claims to parking_api;
grant update (status, start_time, end_time, guest, vehicle) on parking.claims to parking_api;
--! EndIncluded claims/table.sql
--! Included claims/cancel_claim.sql
/* A concierge does not see the claims of residents, but knows which they made. */
create or replace function private.claimer_of_made(id uuid)
  returns uuid
  language sql
  stable
  security definer -- reads past the policies, and returns only for whom the caller made the claim
  set search_path = ''
return (
  select c.claimer_id
    from parking.claims c
   where c.id = claimer_of_made.id
     and c.made_by = (select private.caller_id())
     and (select private.is_staff())
);

comment on function private.claimer_of_made is
  'For whom the caller, of the staff, made the claim with this id; null where somebody else made it.';
grant execute on function private.claimer_of_made to parking_api;

create or replace function api.cancel_claim(id uuid, status text, reason text)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_actor text; -- the claims of a concierge
  v_claimer_id uuid;
  v_claim parking.claims;
begin
  perform private.keep_spot_of_claim(cancel_claim.id);
  if not private.is_administrator() then
    v_claimer_id := private.claimer_of_made(cancel_claim.id);
  end if;
  if v_claimer_id is null then
    perform private.require_administrator();
    perform private.give_reason(cancel_claim.reason);
  else
    v_actor := private.act_for(v_claimer_id, cancel_claim.reason);
  end if;

  update parking.claims c
     set status = cancel_claim.status
   where c.id = cancel_claim.id
  returning * into v_claim;

  if not found then
    perform private.refuse_unchanged('claims');
  end if;

  if v_actor is not null then
    perform private.stop_acting(v_actor, 'administrator_required');
  end if;
  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read; a concierge one that they made';
grant execute on function api.cancel_claim to parking_api;
--! EndIncluded claims/cancel_claim.sql
--! Included claims/create_claim.sql
create or replace function api.create_claim(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz,
    guest text default null,
    vehicle text default null,
    claimer_id uuid default null,
    reason text default null
)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_actor text; -- the claims of who acts for another
  v_claim parking.claims;
begin
  -- The token is parsed for the caller only where somebody is named.
  if create_claim.claimer_id is not null and create_claim.claimer_id <> private.caller_id() then
    v_actor := private.act_for(create_claim.claimer_id, create_claim.reason);
  end if;

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

  if v_actor is not null then
    perform private.stop_acting(v_actor, 'claims_for_others_by_staff');
  end if;
  return v_claim;
end;
$$;

comment on function api.create_claim is
  'Claim another''s window, or part of it; administrators and concierges also for a resident, with a reason that the resident and the owner read';
grant execute on function api.create_claim to parking_api;
--! EndIncluded claims/create_claim.sql
--! Included claims/effects.sql
/* Sets anew what is free of the window, and keeps the counts of days: the claim and its window are mostly of one day. */
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
    and (new.availability_id, new.status, new.start_time, new.end_time, new.takes)
      is not distinct from
      (old.availability_id, old.status, old.start_time, old.end_time, old.takes)
  then
    return null;
  end if;

  -- Mostly a claim takes a whole window, or gives it back: then nothing of it was, or is, another's.
  if new.holds is null or old.holds is null then
    update parking.availabilities a
       set is_claimed = new.holds is not null,
           free_since = case when new.holds is null then clock_timestamp() else a.free_since end
     where a.id = coalesce(new.holds, old.holds)
       -- With =, the planner would look through all windows of this time.
       and a.during is not distinct from coalesce(new.takes, old.takes)
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
      new.cancelled_by := private.actor_id(); -- the event log is pruned, and reports ask years later
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
--! Included claims/rules/claims_for_others_by_staff.sql
/* By the profile, not the token: the caller is the claimer. */
create or replace function private.is_acted_for()
  returns boolean
  language sql
  stable
  security definer -- the caller sees no profile but their own
  set search_path = ''
return exists (
  select from parking.profiles p
   where p.id = (select private.acting_id())
     and p.is_approved
     and (p.is_admin or p.is_concierge)
);

comment on function private.is_acted_for is
  'Whether an approved administrator or concierge acts for the caller.';
grant execute on function private.is_acted_for to parking_api;

drop policy if exists claims_for_others_by_staff on parking.claims;
create policy claims_for_others_by_staff on parking.claims
  as restrictive
  for insert to parking_api
  with check (made_by is null or (select private.is_acted_for()));

comment on policy claims_for_others_by_staff on parking.claims is
  E'@de Sie können nur für sich selbst reservieren.\nYou can only claim for yourself';
--! EndIncluded claims/rules/claims_for_others_by_staff.sql
--! Included claims/rules/claims_cancelled_by_administrator.sql
-- A policy lets an administrator who gives a reason update any claim, and a concierge acts for the claimer. This
-- refuses other changes.
drop policy if exists claims_cancelled_by_administrator on parking.claims;
create policy claims_cancelled_by_administrator on parking.claims
  as restrictive
  for update to parking_api
  with check (
    status = 'cancelled'
    or claimer_id = (select private.caller_id()) and (select private.acting_id()) is null
  );

comment on policy claims_cancelled_by_administrator on parking.claims is
  E'@de Die Verwaltung kann eine fremde Reservierung nur stornieren.\nAn administrator can only cancel the claim of another';
--! EndIncluded claims/rules/claims_cancelled_by_administrator.sql
--! Included claims/rules/claims_no_longer_than_allowed.sql
create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('longest_claim_minutes');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist länger, als hier erlaubt ist.\nThe claim is longer than the building allows';
--! EndIncluded claims/rules/claims_no_longer_than_allowed.sql
--! Included claims/rules/claims_no_shorter_than_allowed.sql
create or replace trigger claims_no_shorter_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('shortest_claim_minutes');

comment on trigger claims_no_shorter_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist kürzer, als hier erlaubt ist.\nThe claim is shorter than the building allows';
--! EndIncluded claims/rules/claims_no_shorter_than_allowed.sql
--! Included claims/rules/claims_with_notice.sql
create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_limit('claim_notice_minutes');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\n@de Die Reservierung beginnt früher, als hier erlaubt ist.\nThe claim starts sooner than the building allows';
--! EndIncluded claims/rules/claims_with_notice.sql
--! Included claims/rules/claims_within_horizon.sql
create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('horizon_days');

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

drop policy if exists own on parking.exceptions;
create policy own on parking.exceptions
  to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists insert_any on parking.exceptions;
create policy insert_any on parking.exceptions
  for insert to parking_api
  with check (true);

grant select, delete on parking.exceptions to parking_api;
-- No update: another time is another exception.
grant insert (spot_id, owner_id, start_time, end_time, kind) on parking.exceptions to parking_api;
--! EndIncluded exceptions/table.sql
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
--! EndIncluded contacts/view.sql
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
  on parking.notifications (claim_id);
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

/* Only the recipient sees a notification. */
alter table parking.notifications enable row level security;

drop policy if exists own on parking.notifications;
create policy own on parking.notifications
  to parking_api
  using (recipient_id = (select private.caller_id()));

grant select on parking.notifications to parking_api;
-- No insert and no delete: triggers write notifications, and none is deleted.
grant update (is_read) on parking.notifications to parking_api;
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
  if notify.recipient_id is not distinct from private.actor_id() then
    return;
  end if;

  v_reason := private.given_reason();
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
  v_actor_name text;
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

  if v_claim.made_by is not null then
    v_actor_name := (select p.full_name from parking.profiles p where p.id = (select private.acting_id()));
  end if;

  foreach v_recipient_id in array case
    when (v_kind = 'claim.submitted' and v_claim.made_by is not null)
      or (v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled')
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
      v_claim.end_time,
      jsonb_strip_nulls(jsonb_build_object(
        'claimer_name', case
          when v_recipient_id = v_claim.owner_id
            then (select p.full_name from parking.profiles p where p.id = v_claim.claimer_id)
        end,
        'actor_name', v_actor_name
      ))
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

  -- One after the other, each with the notification of the one before. Not by the turn of
  -- administrators: who approves this person has it, and waits for the profile.
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
    when kind = 'claim.submitted' and v_is_owner
      then format('Your parking spot %s was claimed %s', spot.spot_number, v_span)
    when kind = 'claim.submitted'
      then format('Parking spot %s was claimed for you %s', spot.spot_number, v_span)
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
  where data ->> 'recipient_id' is not null;

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
  'Counts the mails and pushes to a person.';

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

  -- Without a process that sends mails, or pushes, nothing is kept for it. Three days are more than an outage lasts.
  delete from private.jobs j
   using private.jobs r
   where r.key = 'timed'
     and r.run_at < now() - interval '3 days'
     and j.ended_at is null
     and (
       r.kind = 'reminders' and j.kind in ('reminders', 'mail')
       or r.kind = 'pushreminders' and j.kind in ('pushreminders', 'push')
     );

  for v_table, v_column, v_days in
    values ('private.jobs', 'ended_at', v_building.job_days),
           -- Its mails are jobs; the log has who gave an address to whom, and why.
           ('private.address_changes', 'ended_at', v_building.job_days),
           ('parking.notifications', 'created_at', v_building.notification_days),
           ('parking.spot_reports', 'created_at', v_building.notification_days),
           ('parking.passages', 'passed_at', v_building.passage_days),
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
  v_pruned := greatest(v_pruned, identity.prune(prune.most));

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
          -- An erasure learns from these events alone whom an inbox still names because of a deleted claim.
          and not exists (
            select
              from parking.notifications n
             where (
                 o.type = 'claim.deleted' and n.data ? 'claimer_name'
                 or o.type = 'claim.submitted' and n.data ? 'actor_name'
               )
               and n.claim_id = o.subject_id
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
  'Deletes old jobs, changes of addresses, notifications, reports of cars, passages, wishes, events and sign-ins, and returns how many of the table with the most: as many as asked for where there may be more. Deletes nothing, and returns null, where nothing happened in the week before: the clock may run ahead.';
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
   where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace, 'identity'::regnamespace)
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
  if private.caller_id() is not null or private.key_id() is not null then
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

drop policy if exists own on parking.wishes;
create policy own on parking.wishes
  to parking_api
  using (wisher_id = (select private.caller_id()));

grant select, delete on parking.wishes to parking_api;
grant insert (start_time, end_time, building_section, spot_id) on parking.wishes to parking_api;
-- No update: a resident who wants another time asks again, and waits behind those who asked before.
--! EndIncluded wishes/table.sql
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
  'The other of these two, who was told; null: nobody but the administrators and concierges.';
comment on column parking.spot_reports.vehicle is
  'The plate of the car.';
comment on column parking.spot_reports.note is
  'What else there is to say.';
comment on column parking.spot_reports.is_resolved is
  'Whether an administrator or a concierge has dealt with it.';
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

drop policy if exists select_as_party_or_staff on parking.spot_reports;
create policy select_as_party_or_staff on parking.spot_reports
  for select to parking_api
  using (
    reporter_id = (select private.caller_id())
    or holder_id = (select private.caller_id())
    or (select private.is_staff())
  );

drop policy if exists insert_own on parking.spot_reports;
create policy insert_own on parking.spot_reports
  for insert to parking_api
  with check (reporter_id = (select private.caller_id()));

drop policy if exists update_as_staff on parking.spot_reports;
create policy update_as_staff on parking.spot_reports
  for update to parking_api
  using ((select private.is_staff()));

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
  'Report that a stranger''s car stands on your spot, or on one that you have claimed now: the other of you and the administrators and concierges are told';
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

/* Notifies those who can do something about a stranger's car: who shares the spot, and the staff. */
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
          and (p.is_admin or p.is_concierge or p.id = new.holder_id)
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
           select p.id
             from parking.profiles p
            where p.is_admin or p.is_concierge or p.id = new.holder_id
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
  'Strangers'' cars that you reported, or were told of; administrators and concierges: all, newest first';
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
  perform private.require_staff();

  update parking.spot_reports r
     set is_resolved = coalesce(resolve_spot_report.is_resolved, r.is_resolved)
   where r.id = resolve_spot_report.id
  returning * into v_report;

  if not found then
    perform private.require_staff(); -- still, after all the waiting
    perform private.refuse_absent('spot_reports');
  end if;

  return v_report;
end;
$$;

comment on function api.resolve_spot_report is
  'Mark the report of a stranger''s car as dealt with, or take that back';
grant execute on function api.resolve_spot_report to parking_api;
--! EndIncluded spot_reports/resolve_spot_report.sql
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
  'event: type, timestamp and data; chat: a text, as Slack and Mattermost take it; teams: a card, as a workflow of Teams takes it.';
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
--! Included keys/table.sql
/* A machine, such as a barrier, has a key instead of an account. It may only what its scopes say. */
create table if not exists parking.keys (
  id uuid default uuidv7(),
  name text not null,
  scopes text[] not null,
  expires_at timestamptz(3) not null,
  maker_id uuid not null default private.caller_id(),
  secret_hash bytea not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint keys_pkey primary key (id),
  constraint keys_secret_hash_key unique (secret_hash)
);

comment on table parking.keys is
  E'@absent Key not found\nA key with which a machine, such as a barrier, uses the API. It stays when its maker is no administrator any more.';
comment on column parking.keys.id is
  'Identifies the key.';
comment on column parking.keys.name is
  'What administrators call the machine.';
comment on column parking.keys.scopes is
  'What it may, and nothing else. gate: ask who may park, and note who passed; reports: read the reports; events: follow all that administrators see in GET /events.';
comment on column parking.keys.expires_at is
  'When it ends.';
comment on column parking.keys.maker_id is
  'The administrator who made it.';
comment on column parking.keys.secret_hash is
  'The SHA-256 of the secret. The secret itself is kept nowhere.';
comment on column parking.keys.last_used_at is
  'When it was last used, to ten minutes; null: not yet.';
comment on column parking.keys.created_at is
  'When it was made.';

create index if not exists keys_created_at_id_idx
  on parking.keys (created_at desc, id);
create index if not exists keys_maker_id_idx
  on parking.keys (maker_id);

/* Only administrators see, make and delete keys: administrator_required. */
alter table parking.keys enable row level security;

drop policy if exists all_of_administrators on parking.keys;
create policy all_of_administrators on parking.keys
  to parking_api
  using (true)
  with check (true);

-- No select of secret_hash: private.identify_key compares it.
grant select (id, name, scopes, expires_at, maker_id, last_used_at, created_at), delete
  on parking.keys to parking_api;
-- No insert of maker_id: it is the caller by default. No update: what a machine may does not change.
grant insert (name, scopes, expires_at, secret_hash) on parking.keys to parking_api;
--! EndIncluded keys/table.sql
--! Included keys/create_key.sql
create or replace function api.create_key(
    inout name text,
    inout scopes text[],
    inout expires_at timestamptz,
    out id uuid,
    out maker_id uuid,
    out last_used_at timestamptz,
    out created_at timestamptz,
    out secret text
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  secret := 'parking_' || private.base64url(private.new_secret());
  insert into parking.keys as k (name, scopes, expires_at, secret_hash)
  values (
    create_key.name, create_key.scopes, create_key.expires_at,
    sha256(convert_to(create_key.secret, 'UTF8'))
  )
  returning k.id, k.maker_id, k.expires_at, k.created_at
       into create_key.id, create_key.maker_id, create_key.expires_at, create_key.created_at;
end;
$$;

comment on function api.create_key is
  'Make a key for a machine. Only this answer has its secret, which is sent as a bearer token';
grant execute on function api.create_key to parking_api;
--! EndIncluded keys/create_key.sql
--! Included keys/delete_key.sql
create or replace function api.delete_key(
    id uuid,
    out message text,
    out deleted_key_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.keys k
   where k.id = delete_key.id;

  if not found then
    perform private.refuse_unchanged('keys');
  end if;

  message := 'Key deleted successfully';
  deleted_key_id := delete_key.id;
end;
$$;

comment on function api.delete_key is
  'Withdraw a key: it ends at once';
grant execute on function api.delete_key to parking_api;
--! EndIncluded keys/delete_key.sql
--! Included keys/note_key.sql
/* Not at each request, so that what a barrier asks writes nothing. */
create or replace function private.note_key()
  returns void
  language sql
  volatile
  security definer -- nobody changes a key
  set search_path = ''
begin atomic
  update parking.keys k
     set last_used_at = now()
   where k.id = (select private.key_id())
     and k.last_used_at > now() - interval '10 minutes' is not true;
end;

comment on function private.note_key is
  'Notes that the key that is the caller is used, unless that was noted in the last ten minutes.';
grant execute on function private.note_key to parking_api;
--! EndIncluded keys/note_key.sql
--! Included keys/reads.sql
create or replace function api.list_keys()
  returns table (
    id uuid,
    name text,
    scopes text[],
    expires_at timestamptz,
    maker_id uuid,
    last_used_at timestamptz,
    created_at timestamptz
  )
  language sql
  stable
as $$
  select k.id, k.name, k.scopes, k.expires_at, k.maker_id, k.last_used_at, k.created_at
    from parking.keys k
$$;

comment on function api.list_keys is
  'The keys of machines, newest first, without their secrets';
grant execute on function api.list_keys to parking_api;

create or replace function api.get_key(id uuid)
  returns table (
    id uuid,
    name text,
    scopes text[],
    expires_at timestamptz,
    maker_id uuid,
    last_used_at timestamptz,
    created_at timestamptz
  )
  language sql
  stable
  rows 1
as $$
  select k.*
    from api.list_keys() k
   where k.id = get_key.id
$$;

comment on function api.get_key is
  'One key of a machine, without its secret';
grant execute on function api.get_key to parking_api;

/* The service asks this with the hash of a secret, before there is a caller. */
create or replace function private.identify_key(
    secret_hash bytea,
    out id uuid,
    out is_noted boolean
)
  language sql
  stable
  security definer -- finds the key of a secret, which the API role may not read
  set search_path = ''
begin atomic
  select k.id, coalesce(k.last_used_at > now() - interval '10 minutes', false)
    from parking.keys k
   where k.secret_hash = identify_key.secret_hash
     and k.expires_at > now();
end;

comment on function private.identify_key is
  'The key with this hash of its secret, and whether its use was noted in the last ten minutes; null where there is none, or it has ended.';
grant execute on function private.identify_key to parking_api;

create or replace function private.has_scope(scope text)
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- a key may not read what keys may do
  set search_path = ''
return exists (
  select
    from parking.keys k
   where k.id = (select private.key_id())
     and (select private.caller_id()) is null
     and k.expires_at > now()
     and has_scope.scope = any (k.scopes)
);

comment on function private.has_scope is
  'Whether the caller is a key, still there, that may do this.';
grant execute on function private.has_scope to parking_api;

create or replace function private.require_scope(scope text, of_residents boolean default false)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if private.key_id() is not null then
    if not private.has_scope(require_scope.scope) then
      perform private.refuse('key_scope_required');
    end if;
  elsif require_scope.of_residents then
    perform private.require_approved();
  else
    perform private.require_administrator();
  end if;
end;
$$;

comment on function private.require_scope is
  'Fails under the rule key_scope_required where the caller is a key that may not do this; of people it asks that they are approved administrators, or approved.';
grant execute on function private.require_scope to parking_api;
--! EndIncluded keys/reads.sql
--! Included keys/rules/keys_scopes_are_known.sql
create or replace function private.are_scopes(scopes text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return array_ndims(scopes) = 1
    and scopes <@ array['gate', 'reports', 'events']
    and cardinality(scopes) = (select count(distinct s.scope) from unnest(scopes) s (scope));
end;
$$;

comment on function private.are_scopes is
  'Whether these are different scopes of keys, one at least.';
grant execute on function private.are_scopes to parking_api;

alter table parking.keys
  drop constraint if exists keys_scopes_are_known,
  add constraint keys_scopes_are_known
    check (private.are_scopes(scopes) is true);

comment on constraint keys_scopes_are_known on parking.keys is
  E'@field scopes\n@de Wählen Sie, was der Schlüssel darf, jedes einmal.\nscopes must be one or more of gate, reports and events, each once';
--! EndIncluded keys/rules/keys_scopes_are_known.sql
--! Included keys/rules/key_scope_required.sql
drop policy if exists key_scope_required on parking.keys;
create policy key_scope_required on parking.keys
  as restrictive to parking_api
  using ((select private.key_id()) is null);

comment on policy key_scope_required on parking.keys is
  E'@de Dieser Schlüssel darf das nicht.\nThis key may not do that';
--! EndIncluded keys/rules/key_scope_required.sql
--! Included keys/rules/keys_expire_within_ten_years.sql
alter table parking.keys
  drop constraint if exists keys_expire_within_ten_years,
  add constraint keys_expire_within_ten_years
    check (expires_at > created_at and expires_at <= created_at + interval '3653 days');

comment on constraint keys_expire_within_ten_years on parking.keys is
  E'@field expires_at\n@de Das Ende muss in der Zukunft liegen, höchstens zehn Jahre von heute.\nexpires_at must be in the future, ten years from now at most';
--! EndIncluded keys/rules/keys_expire_within_ten_years.sql
--! Included keys/rules/keys_made_by_a_resident.sql
alter table parking.keys
  drop constraint if exists keys_made_by_a_resident,
  add constraint keys_made_by_a_resident
    foreign key (maker_id)
    references parking.profiles (id);

comment on constraint keys_made_by_a_resident on parking.keys is
  E'@status 404\nUser profile not found';
--! EndIncluded keys/rules/keys_made_by_a_resident.sql
--! Included keys/rules/keys_name_is_one_line.sql
alter table parking.keys
  drop constraint if exists keys_name_is_one_line,
  add constraint keys_name_is_one_line
    check (private.is_one_line(name, 1, 100));

comment on constraint keys_name_is_one_line on parking.keys is
  E'@field name\n@de Der Name hat 1 bis 100 Zeichen in einer Zeile.\nname must be 1 to 100 characters on one line';
--! EndIncluded keys/rules/keys_name_is_one_line.sql
--! Included keys/rules/keys_secrets_are_hashed.sql
alter table parking.keys
  drop constraint if exists keys_secrets_are_hashed,
  add constraint keys_secrets_are_hashed
    check (octet_length(secret_hash) = 32);

comment on constraint keys_secrets_are_hashed on parking.keys is
  E'@de Dieses Geheimnis taugt nicht für einen Schlüssel.\nThe secret of a key is kept as its SHA-256';
--! EndIncluded keys/rules/keys_secrets_are_hashed.sql
--! Included keys/rules/keys_twenty_at_most.sql
create or replace trigger keys_twenty_at_most
  before insert on parking.keys
  for each row
  execute function private.enforce_few('20');

comment on trigger keys_twenty_at_most on parking.keys is
  E'@status 409\n@de Es gibt zwanzig Schlüssel, mehr können es nicht sein.\nA building has twenty keys at most; delete one first';
--! EndIncluded keys/rules/keys_twenty_at_most.sql
--! Included address_changes/table.sql
/*
 * Changes of the address with which a person signs in by mail. A person changes their own with a code from both
 * mailboxes. Who lost the mailbox asks an administrator, who gives the account another address. It can be used a
 * day later, and only while nobody signs in with the old one: nobody becomes somebody else unnoticed.
 */
create table if not exists private.address_changes (
  id uuid default uuidv7(),
  account_id uuid not null,
  old_address text not null,
  new_address text not null,
  given_by uuid default private.caller_id(),
  reason text default private.reason(),
  starts_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint address_changes_pkey primary key (id)
);

create index if not exists address_changes_account_id_idx on private.address_changes (account_id);

alter table private.address_changes enable row level security;
-- No policy and no grant: api.give_address, and the service, write it.

comment on table private.address_changes is
  'The addresses with which people signed in by mail before, and those that administrators gave them.';
comment on column private.address_changes.id is
  'Identifies the change.';
comment on column private.address_changes.account_id is
  'Whose address it is.';
comment on column private.address_changes.old_address is
  'The address until then.';
comment on column private.address_changes.new_address is
  'The address from then on, in lower case.';
comment on column private.address_changes.given_by is
  'The administrator who gave it; null where the person changed it.';
comment on column private.address_changes.reason is
  'Why the administrator gave it.';
comment on column private.address_changes.starts_at is
  'From when on it can be used.';
comment on column private.address_changes.ended_at is
  'When the person signed in: with it, or with the old one, so that it is of no use; null before.';
comment on column private.address_changes.created_at is
  'When it was given.';
--! EndIncluded address_changes/table.sql
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

/* Approved residents have a feed of their own, and see no other. */
alter table parking.calendar_feeds enable row level security;

drop policy if exists own on parking.calendar_feeds;
create policy own on parking.calendar_feeds
  to parking_api
  using (person_id = (select private.caller_id()));

-- No select of secret_hash: private.enter_calendar_feed compares it.
grant select (person_id, language, created_at), delete on parking.calendar_feeds to parking_api;
-- No insert of person_id: it is the caller by default. No update of it: feeds do not change hands.
grant insert (secret_hash, language) on parking.calendar_feeds to parking_api;
grant update (secret_hash, language) on parking.calendar_feeds to parking_api;
--! EndIncluded calendar_feeds/table.sql
--! Included claim_series/domain.sql
/* A request for the same hours of several days, and what came of it. */
do $$
begin
  create type private.claim_series_request as (
    id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid,
    building_section text,
    guest text,
    vehicle text,
    all_or_none boolean,
    number_of_days integer,
    number_of_claims integer
  );
  create domain private.claim_series as private.claim_series_request;
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on domain private.claim_series is
  'The hours and days of a series of claims, and how many of them were claimed.';
--! EndIncluded claim_series/domain.sql
--! Included favorite_spots/table.sql
create table if not exists parking.favorite_spots (
  id uuid default uuidv7(),
  person_id uuid not null default private.caller_id(),
  spot_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint favorite_spots_pkey primary key (id),
  constraint favorite_spots_person_id_spot_id_key unique (person_id, spot_id)
);

comment on table parking.favorite_spots is
  E'@absent Favorite spot not found\nA spot to which a resident has given a star. Only they see it.';
comment on column parking.favorite_spots.id is
  'Identifies the star.';
comment on column parking.favorite_spots.person_id is
  'Whose star it is.';
comment on column parking.favorite_spots.spot_id is
  'The spot.';
comment on column parking.favorite_spots.created_at is
  'When the resident gave the star.';

create index if not exists favorite_spots_person_id_created_at_idx
  on parking.favorite_spots (person_id, created_at desc, id);
create index if not exists favorite_spots_spot_id_idx
  on parking.favorite_spots (spot_id);

-- Own stars only: neither the owner of a spot nor administrators see who likes it.
alter table parking.favorite_spots enable row level security;

drop policy if exists own on parking.favorite_spots;
create policy own on parking.favorite_spots
  to parking_api
  using (person_id = (select private.caller_id()));

grant select, delete on parking.favorite_spots to parking_api;
-- No insert of person_id: it is the caller by default. No update: a star is there or not.
grant insert (spot_id) on parking.favorite_spots to parking_api;
--! EndIncluded favorite_spots/table.sql
--! Included passages/table.sql
/* Only as long as the building says, by default not at all: it says when people come and go. */
create table if not exists parking.passages (
  id uuid default uuidv7(),
  vehicle text not null,
  direction text not null,
  passed_at timestamptz(3) not null,
  constraint passages_pkey primary key (id),
  constraint passages_vehicle_passed_at_direction_key unique (vehicle, passed_at, direction)
);

comment on table parking.passages is
  E'@absent Passage not found\nThat a vehicle passed the gate.';
comment on column parking.passages.id is
  'Identifies the passage.';
comment on column parking.passages.vehicle is
  'The plate: its letters and digits alone.';
comment on column parking.passages.direction is
  'in or out.';
comment on column parking.passages.passed_at is
  'When it passed.';

create index if not exists passages_passed_at_idx
  on parking.passages (passed_at);

-- Only administrators see passages: administrator_required.
alter table parking.passages enable row level security;

drop policy if exists select_as_administrator on parking.passages;
create policy select_as_administrator on parking.passages
  for select to parking_api
  using (true);

-- No insert: api.create_passage writes them, for keys. No update and no delete: they end with their days.
grant select on parking.passages to parking_api;
--! EndIncluded passages/table.sql
--! Included preferences/table.sql
create table if not exists parking.preferences (
  person_id uuid default private.caller_id(),
  mail text[],
  language text,
  remind_minutes integer,
  constraint preferences_pkey primary key (person_id)
);

alter table parking.preferences
  add column if not exists push text[];

comment on table parking.preferences is
  E'@absent User profile not found\nWhat a resident wants by mail and at once on their devices, in which language, and when. Null: as the building has it.';
comment on column parking.preferences.person_id is
  'Whose preferences they are.';
comment on column parking.preferences.mail is
  'The kinds of mail that the resident gets; none: no mail at all. Null: those of the building.';
comment on column parking.preferences.push is
  'The kinds of messages that the resident gets at once, on the devices that they chose. Null: the kinds of mail of the building.';
comment on column parking.preferences.language is
  'The language of mails and messages. Null: that of the building.';
comment on column parking.preferences.remind_minutes is
  'How long before a claim starts, and before it ends, the resident is reminded. Null: as the building says.';

/* People see and change their own preferences, also before they are approved: the mail about it is one. */
alter table parking.preferences enable row level security;

drop policy if exists own on parking.preferences;
create policy own on parking.preferences
  to parking_api
  using (person_id = (select private.caller_id()));

grant select on parking.preferences to parking_api;
-- No insert of person_id: it is the caller by default. No delete: null is as good.
grant insert (mail, push, language, remind_minutes) on parking.preferences to parking_api;
grant update (mail, push, language, remind_minutes) on parking.preferences to parking_api;
--! EndIncluded preferences/table.sql
--! Included push_key/table.sql
/* Signs what is sent to push services (VAPID, RFC 8292). Browsers subscribe for this key, so it never changes. */
create table if not exists private.push_key (
  public_key text not null,
  private_key text not null
);

alter table private.push_key enable row level security;
-- No policy and no grant: only functions write and read it.

comment on table private.push_key is
  'The key pair that signs pushes: one row, of the first process that sent any. With another, no device gets anything until its owner opens the page there.';
comment on column private.push_key.public_key is
  'The public key, as the page gives it to browsers: an uncompressed point of P-256 in base64url.';
comment on column private.push_key.private_key is
  'The private key: 32 bytes in base64url.';

-- See private.new_events.
alter table private.push_key replica identity full;
--! EndIncluded push_key/table.sql
--! Included push_subscriptions/table.sql
/* A browser that gets messages at once, through its push service (RFC 8030). */
create table if not exists parking.push_subscriptions (
  id uuid default uuidv7(),
  person_id uuid not null default private.caller_id(),
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now(),
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint_key unique (endpoint)
);

create index if not exists push_subscriptions_person_id_created_at_idx
  on parking.push_subscriptions (person_id, created_at desc, id);

comment on table parking.push_subscriptions is
  E'@absent Push subscription not found\nA device of a resident that gets messages at once (Web Push).';
comment on column parking.push_subscriptions.id is
  'Identifies the subscription.';
comment on column parking.push_subscriptions.person_id is
  'Whose device it is.';
comment on column parking.push_subscriptions.endpoint is
  'Where the messages go: an address of the browser''s push service, which the browser made.';
comment on column parking.push_subscriptions.p256dh is
  'The public key of the browser, in base64url: an uncompressed point of P-256 (RFC 8291).';
comment on column parking.push_subscriptions.auth is
  'The secret that the browser shares with the service, in base64url: 16 bytes (RFC 8291).';
comment on column parking.push_subscriptions.created_at is
  'When it was made.';

/* People see and change their own devices, also before they are approved: the message about it is one. */
alter table parking.push_subscriptions enable row level security;

drop policy if exists own on parking.push_subscriptions;
create policy own on parking.push_subscriptions
  to parking_api
  using (person_id = (select private.caller_id()));

-- No select of the keys: private.get_push alone reads them.
grant select (id, person_id, endpoint, created_at), delete on parking.push_subscriptions to parking_api;
-- No update: a browser makes another one instead.
grant insert (person_id, endpoint, p256dh, auth) on parking.push_subscriptions to parking_api;
--! EndIncluded push_subscriptions/table.sql
--! Included reports/reads.sql
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

/* A report of only those rows that others may see would be wrong. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_scope('reports');
  perform row(report_start."from", report_start.until, null)::private.reports; -- or its rules refuse
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator or a key for reports, and under the rules of private.reports.';

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
--! EndIncluded reports/reads.sql
--! Included sign_in/first_administrator.sql
/*
 * The operator of a new building names its administrator by the address: nobody has an account yet. One row, so
 * that another address takes the place of one that was mistyped.
 */
create table if not exists identity.expected_administrator (
  only_row boolean default true,
  address text not null,
  expected_at timestamptz(3) not null default now(),
  constraint expected_administrator_pkey primary key (only_row)
);

alter table identity.expected_administrator enable row level security;
-- No policy and no grant: the owner of the database writes it.

comment on table identity.expected_administrator is
  'Who becomes an administrator at registration (npm run admin with SIGN_IN=mail): one row, until they register.';
comment on column identity.expected_administrator.only_row is
  'Always true.';
comment on column identity.expected_administrator.address is
  'The address that they must have confirmed, in lower case.';
comment on column identity.expected_administrator.expected_at is
  'When the operator named them. After two weeks this is of no use.';

create or replace function identity.expect_administrator(address text)
  returns boolean
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A registration waits for it, or comes first and is found.
  perform private.take_turn('administrators');

  if exists (
    select from parking.profiles p
     where private.address_key(p.email) = private.address_key(expect_administrator.address)
  ) then
    return false;
  end if;

  insert into identity.expected_administrator as e (address)
  values (private.address_key(expect_administrator.address))
  on conflict on constraint expected_administrator_pkey do update
    set address = excluded.address,
        expected_at = now();
  return true;
end;
$$;

comment on function identity.expect_administrator is
  'Makes whoever registers with this confirmed address an administrator; false where somebody has registered with it already. For the owner of the database (npm run admin).';

create or replace function identity.welcome_administrator()
  returns trigger
  language plpgsql
  security definer -- the operator decided it, not the person
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
begin
  delete from identity.expected_administrator e
   using private.users u
   where u.id = new.id
     and u.email_confirmed_at is not null
     and e.address = private.address_key(u.email)
     and e.expected_at > now() - interval '14 days';

  if found then
    -- The log names nobody, as after private.make_administrator.
    perform set_config('request.jwt.claims', '', true);
    update parking.profiles p
       set is_approved = true,
           is_admin = true
     where p.id = new.id;
    perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
  end if;
  return null;
end;
$$;

-- After record_registration, for the log: triggers run in the order of their names.
create or replace trigger welcome_administrator
  after insert on parking.profiles
  for each row
  execute function identity.welcome_administrator();
--! EndIncluded sign_in/first_administrator.sql
--! Included sign_in/table.sql
/*
 * The sign-in by mail (SIGN_IN=mail). Each secret of a browser is stored as a hash, so that a copy of these tables
 * lets nobody in.
 */
create table if not exists identity.accounts (
  id uuid default uuidv7(),
  address text not null,
  signed_in_at timestamptz(3),
  signed_out_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint accounts_pkey primary key (id),
  constraint accounts_address_key unique (address),
  constraint accounts_address_is_lower_case
    check (char_length(address) <= 320 and address = lower(address))
);

create index if not exists accounts_signed_in_at_idx on identity.accounts (signed_in_at);

comment on table identity.accounts is
  'People who can sign in by mail. An account is made when a code from a mail is typed. It gives nothing in the building: administrators or invitations approve people. It goes with the sign-in of a person who never registers.';
comment on index identity.accounts_signed_in_at_idx is
  'Finds the accounts of people who never registered, to delete them.';
comment on column identity.accounts.id is
  'The sub of the person''s tokens.';
comment on column identity.accounts.address is
  'The confirmed address, in lower case.';
comment on column identity.accounts.signed_in_at is
  'When the person last signed in with a code or a passkey.';
comment on column identity.accounts.signed_out_at is
  'When the person last ended what was signed in elsewhere. A token from before changes no passkeys.';
comment on column identity.accounts.created_at is
  'When the first code was typed.';

create table if not exists identity.documents (
  model text,
  id_hash bytea,
  uid_hash bytea,
  account_id uuid,
  payload jsonb not null,
  signed_in_at timestamptz(3),
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3),
  constraint documents_pkey primary key (id_hash, model),
  constraint documents_model_is_known
    check (model in ('Interaction', 'Session', 'Grant', 'AuthorizationCode', 'RefreshToken')),
  constraint documents_account_id_fkey
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade
);

create index if not exists documents_uid_hash_idx
  on identity.documents (uid_hash) where uid_hash is not null;
create index if not exists documents_account_id_idx
  on identity.documents (account_id);
create index if not exists documents_expires_at_idx on identity.documents (expires_at);
create index if not exists documents_signed_in_at_idx
  on identity.documents (signed_in_at) where signed_in_at is not null;

comment on table identity.documents is
  'What the provider stores: sign-ins that have not ended (Interaction), sessions, grants, authorization codes and refresh tokens.';
comment on column identity.documents.model is
  'What it is, by the provider''s name.';
comment on column identity.documents.id_hash is
  'The SHA-256 of its id, which is the secret that the browser has.';
comment on column identity.documents.uid_hash is
  'Of a session: the SHA-256 of the name that tokens have for it.';
comment on column identity.documents.account_id is
  'The person whom it is about.';
comment on column identity.documents.payload is
  'Its content, without its id.';
comment on column identity.documents.signed_in_at is
  'When the person signed in. It ends as many days later as the building says (session_days).';
comment on column identity.documents.expires_at is
  'When it ends at the latest.';
comment on column identity.documents.consumed_at is
  'When it was used, of what can be used once.';
comment on index identity.documents_uid_hash_idx is
  'Finds the session of a token.';
comment on index identity.documents_account_id_idx is
  'Finds what ends with an account.';
comment on index identity.documents_expires_at_idx is
  'Finds what has ended, to delete it.';
comment on index identity.documents_signed_in_at_idx is
  'Finds what has ended by the building''s setting, to delete it.';

create table if not exists identity.codes (
  interaction_hash bytea,
  address text not null,
  new_address text,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  constraint codes_pkey primary key (interaction_hash),
  constraint codes_address_is_lower_case
    check (char_length(address) <= 320 and address = lower(address)),
  constraint codes_new_address_is_lower_case
    check (char_length(new_address) <= 320 and new_address = lower(new_address))
);

create index if not exists codes_expires_at_idx on identity.codes (expires_at);

comment on table identity.codes is
  'The codes that were mailed and not yet used, one for each sign-in that has not ended, and for each change of an address.';
comment on column identity.codes.interaction_hash is
  'The SHA-256 of the id of the sign-in, or of the session that changes its address. Only one browser has the id, so the code is of use there only.';
comment on column identity.codes.address is
  'Where the mail went, in lower case.';
comment on column identity.codes.new_address is
  'Of a change: the address from then on, where the second mail went, in lower case.';
comment on column identity.codes.code_hash is
  'An HMAC of the code, or of both codes of a change, with a key that is not in the database.';
comment on column identity.codes.tries is
  'How many codes were typed. After five this one is of no use.';
comment on column identity.codes.expires_at is
  'When it ends: ten minutes after it was made.';
comment on index identity.codes_expires_at_idx is
  'Finds what has ended, to delete it.';

create table if not exists identity.keys (
  kid text,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint keys_pkey primary key (kid),
  constraint keys_kid_is_short check (char_length(kid) <= 100)
);

comment on table identity.keys is
  'The keys that sign tokens, two at most. The newest one signs, the one before it still proves older tokens.';
comment on column identity.keys.kid is
  'Identifies the key in the header of a token.';
comment on column identity.keys.sealed is
  'The private key, and with it the public one, as a JWK, encrypted (AES-256-GCM) with IDENTITY_SECRET.';
comment on column identity.keys.created_at is
  'When it was made.';

create table if not exists identity.passkeys (
  id uuid default uuidv7(),
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_name_is_one_line check (private.is_one_line(name, 1, 60)),
  constraint passkeys_account_id_fkey
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade
);

create index if not exists passkeys_account_id_idx on identity.passkeys (account_id);

comment on table identity.passkeys is
  'Passkeys (WebAuthn), with which people sign in without a mail. The secret part never leaves the person''s device.';
comment on column identity.passkeys.id is
  'Identifies the passkey.';
comment on column identity.passkeys.account_id is
  'Whom it signs in.';
comment on column identity.passkeys.credential_id is
  'The name that the device gave it.';
comment on column identity.passkeys.public_key is
  'What proves its signatures (a COSE key).';
comment on column identity.passkeys.counter is
  'How many signatures the device had counted at the last one; 0 of a device that does not count. A lower one is of a copy.';
comment on column identity.passkeys.transports is
  'How a browser reaches the device, such as usb.';
comment on column identity.passkeys.is_backed_up is
  'Whether its owner''s other devices have it too.';
comment on column identity.passkeys.name is
  'What the person reads, such as the kind of the device.';
comment on column identity.passkeys.last_used_at is
  'When it last signed the person in.';
comment on column identity.passkeys.created_at is
  'When it was added.';
comment on index identity.passkeys_account_id_idx is
  'Finds the passkeys of a person.';

alter table identity.accounts enable row level security;
alter table identity.documents enable row level security;
alter table identity.codes enable row level security;
alter table identity.keys enable row level security;
alter table identity.passkeys enable row level security;
-- No policy and no grant: the service calls the functions of this schema, as nobody in particular.
--! EndIncluded sign_in/table.sql
--! Included address_changes/change_address.sql
/* The codes from both mailboxes are typed at once, by the person who is signed in, and compared as one. */
create or replace function identity.change_address(
    account_id uuid,
    interaction_hash bytea,
    code_hash bytea,
    network text,
    kept_hashes bytea[],
    out outcome text,
    out wait integer
)
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  v_address text;
  v_new_address text;
begin
  perform private.require_service();

  -- First, as an erasure and a registration do: what is compared below stays so.
  perform private.lock_person(change_address.account_id);

  select s.outcome, s.wait, s.address, s.new_address
    into change_address.outcome, change_address.wait, v_address, v_new_address
    from identity.spend_code(
      change_address.interaction_hash, change_address.code_hash, change_address.network, false
    ) s;

  if outcome <> 'right' then
    return;
  elsif not exists (
    select from identity.accounts a
     where a.id = change_address.account_id
       and a.address = v_address
       and v_new_address is not null
  ) then
    outcome := 'ended';
  elsif not identity.use_address(change_address.account_id, v_new_address) then
    outcome := 'taken';
  else
    perform identity.end_elsewhere(change_address.account_id, change_address.kept_hashes);
  end if;
end;
$$;

comment on function identity.change_address is
  'Changes the address of an account, where the codes from both mailboxes are right, and ends what is signed in elsewhere. outcome: as of identity.try_code, or taken, where another person has the address.';
grant execute on function identity.change_address to parking_api;

/*
 * An account without a profile gives way: the person who has the mailbox made it, and it has nothing. A change
 * that still waits is dropped.
 */
create or replace function identity.use_address(account_id uuid, address text)
  returns boolean
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_change private.address_changes;
  v_holder_id uuid;
begin
  -- The account before its changes: identity.enter_account locks in this order, too.
  perform from identity.accounts a where a.id = use_address.account_id for update;

  if identity.is_of_another(use_address.address, use_address.account_id) then
    return false;
  end if;

  -- A first sign-in with the address at this moment comes before, or waits and finds this account.
  insert into identity.accounts as a (address)
  values (use_address.address)
  on conflict on constraint accounts_address_key do update
    set address = excluded.address
  returning a.id into v_holder_id;
  delete from identity.accounts a
   where a.id = v_holder_id;

  -- The change that an administrator gave, or the person's own.
  update private.address_changes c
     set ended_at = clock_timestamp()
   where c.account_id = use_address.account_id
     and c.new_address = use_address.address
     and c.ended_at is null
  returning c.* into v_change;

  if not found then
    delete from private.address_changes c
     where c.account_id = use_address.account_id
       and c.ended_at is null;
    insert into private.address_changes (account_id, old_address, new_address, ended_at)
    select a.id, a.address, use_address.address, clock_timestamp()
      from identity.accounts a
     where a.id = use_address.account_id
    returning * into v_change;
  end if;

  update identity.accounts a
     set address = use_address.address
   where a.id = use_address.account_id;

  -- The act of the person. Their older tokens have the old address, and overwrite nothing.
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', use_address.account_id)::text, true
  );
  update private.users u
     set email = use_address.address,
         email_confirmed_at = now(),
         token_issued_at = clock_timestamp()
   where u.id = use_address.account_id
     and u.erased_at is null;
  perform set_config('request.jwt.claims', '', true);

  perform identity.mail_change(v_change, 'changed');
  return true;
end;
$$;

comment on function identity.use_address is
  'Sets the address of an account, and of the profile. Tells the person at both addresses. False where another person has it.';

create or replace function identity.is_of_another(address text, account_id uuid)
  returns boolean
  language sql
  stable
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
return exists (
    select from identity.accounts a
      join parking.profiles p on p.id = a.id
     where a.address = is_of_another.address
       and a.id <> is_of_another.account_id
  )
  or exists (
    select from private.address_changes c
     where c.new_address = is_of_another.address
       and c.account_id <> is_of_another.account_id
       and c.ended_at is null
  );

comment on function identity.is_of_another is
  'Whether another resident signs in with the address, or an administrator gave it to another.';

/*
 * A person who can still read the old mailbox needs no other address, or does not want the one that an
 * administrator gave: it is dropped, and the administrator learns it.
 */
create or replace function identity.enter_account(
    address text,
    out account_id uuid,
    out opens_in integer
)
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_change private.address_changes;
begin
  select c.* into v_change
    from private.address_changes c
   where c.new_address = enter_account.address
     and c.ended_at is null
     and not identity.is_of_another(c.new_address, c.account_id);

  if v_change.starts_at > clock_timestamp() then
    opens_in := ceil(extract(epoch from v_change.starts_at - clock_timestamp()));
    return;
  elsif found then
    -- The person before the change, as private.give_address locks them.
    perform private.lock_person(v_change.account_id);
    if exists (
        select from private.address_changes c where c.id = v_change.id and c.ended_at is null
      )
      and identity.use_address(v_change.account_id, enter_account.address)
    then
      -- A person who is signed in, or has a passkey, may be the one who took the mailbox.
      perform identity.end_elsewhere(v_change.account_id, '{}');
      delete from identity.passkeys k
       where k.account_id = v_change.account_id;
    end if;
  end if;

  insert into identity.accounts as a (address, signed_in_at)
  values (enter_account.address, now())
  on conflict on constraint accounts_address_key do update
    set signed_in_at = excluded.signed_in_at
  returning a.id into enter_account.account_id;

  update private.address_changes c
     set ended_at = clock_timestamp()
   where c.account_id = enter_account.account_id
     and c.ended_at is null
  returning c.* into v_change;

  if found then
    perform identity.mail_change(v_change, 'kept');
  end if;
end;
$$;

comment on function identity.enter_account is
  'The account that a confirmed address signs in to. A new one, where it has none; null, and in how many seconds, where an administrator gave the address and it cannot be used yet.';
--! EndIncluded address_changes/change_address.sql
--! Included address_changes/give_address.sql
create or replace function api.give_address(id uuid, email text, reason text)
  returns parking.profiles
  language plpgsql
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();
  perform private.give_reason(give_address.reason);

  select p.* into v_profile
    from parking.profiles p
   where p.id = give_address.id;

  if not found then
    perform private.refuse_absent('profiles');
  end if;

  perform private.give_address(give_address.id, give_address.email);
  return v_profile;
end;
$$;

comment on function api.give_address is
  'Give somebody who lost their mailbox another address to sign in with, from the next day on';
grant execute on function api.give_address to parking_api;

create or replace function private.give_address(id uuid, address text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
declare
  c_delay constant interval := interval '1 day';
  v_change private.address_changes;
begin
  perform private.lock_person_as_administrator(give_address.id);

  delete from private.address_changes c
   where c.account_id = give_address.id
     and c.ended_at is null;

  insert into private.address_changes (account_id, old_address, new_address, starts_at)
  values (
    give_address.id,
    -- Without an account, the rule address_changes_of_an_account refuses.
    coalesce((select a.address from identity.accounts a where a.id = give_address.id), ''),
    private.address_key(give_address.address),
    clock_timestamp() + c_delay
  )
  returning * into v_change;

  -- The log says who did it and why.
  insert into private.new_events (type, subject_id, data)
  select 'profile.updated', p.id, to_jsonb(p)
    from parking.profiles p
   where p.id = give_address.id;
  perform identity.mail_change(v_change, 'given');
end;
$$;

comment on function private.give_address is
  'Gives the account of a person another address, for an administrator. Tells the person at both addresses.';
grant execute on function private.give_address to parking_api;

create or replace function identity.mail_change(change private.address_changes, what text)
  returns void
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job(
           'mail',
           concat_ws('.', 'address', mail_change.what, (mail_change.change).id, s.side),
           jsonb_build_object(
             'kind', 'address.' || mail_change.what,
             'change_id', (mail_change.change).id,
             'side', s.side
           )
         )
    from unnest(
           case mail_change.what when 'kept' then '{giver}'::text[] else '{old,new}'::text[] end
         ) s (side);
end;

comment on function identity.mail_change is
  'Adds the mails that tell of a change of an address: given, changed or kept.';
--! EndIncluded address_changes/give_address.sql
--! Included address_changes/rules/address_changes_to_nobody_elses.sql
/* One of two accounts of the same person is erased first: then its address is nobody's. */
create or replace function private.enforce_address_is_free()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  if identity.is_of_another(new.new_address, new.account_id) then
    perform private.refuse(tg_name, '23505');
  end if;
  return null;
end;
$$;

create or replace trigger address_changes_to_nobody_elses
  after insert on private.address_changes
  for each row
  execute function private.enforce_address_is_free();

comment on trigger address_changes_to_nobody_elses on private.address_changes is
  E'@status 409\n@field email\n@de Diese Adresse gehört schon zu einem anderen Konto. Ist es dieselbe Person, löschen Sie zuerst das Konto, das sie nicht mehr braucht.\nThis address belongs to another account; if it is the same person, first erase the account that they no longer need';
--! EndIncluded address_changes/rules/address_changes_to_nobody_elses.sql
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
  v_secret constant text := private.base64url(private.new_secret());
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
--! EndIncluded calendar_feeds/reads.sql
--! Included claim_series/cancel_claim_series.sql
create or replace function api.cancel_claim_series(
    id uuid,
    status text, -- only cancelled, as the contract says
    first_day date default null,
    out series_id uuid,
    out cancelled_claim_ids uuid[]
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_claim_series(cancel_claim_series.id);
  series_id := cancel_claim_series.id;
  perform private.keep_spots(
    array(
      select c.spot_id
        from parking.claims c
       where c.series_id = cancel_claim_series.id
         and c.claimer_id = (select private.caller_id())
    ),
    to_claim => false
  );

  with cancelled as (
    update parking.claims c
       set status = cancel_claim_series.status
     where c.series_id = cancel_claim_series.id
       and c.claimer_id = (select private.caller_id())
       and c.status = 'active'
       and c.start_time >= greatest(clock_timestamp(), private.midnight(cancel_claim_series.first_day))
    returning c.id, c.start_time
  )
  select coalesce(array_agg(d.id order by d.start_time), '{}')
    into cancelled_claim_ids
    from cancelled d;
end;
$$;

comment on function api.cancel_claim_series is
  'Cancel those of your claims of a series that have not begun, from a day on where one is given';
grant execute on function api.cancel_claim_series to parking_api;
--! EndIncluded claim_series/cancel_claim_series.sql
--! Included claim_series/claim_days.sql
/*
 * Each claim is one like any other: all rules judge it, and a day that one of them refuses is left out. The spot that
 * serves most of the days comes first, so that people need not look for another each time. Of equals, a favorite one
 * does, then one of the section where the caller has a spot.
 */
create or replace function private.claim_days(series private.claim_series, language text)
  returns json
  language plpgsql
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
  v_spans tstzrange[];
  v_windows jsonb;
  v_spot_ids uuid[];
  v_window_id uuid;
  v_spot_number text;
  v_reason text;
  v_rule text;
  v_hint text;
  v_messages jsonb; -- of the rules of claims, once one of them refuses
  v_days json[] := '{}';
begin
  perform private.require_approved();

  -- With both bounds, because a change of the clock may leave a day no time: then a rule says so.
  v_spans := array(
    select tstzrange(t.start_time, t.end_time, '[]')
      from private.pattern_spans(
        series.weekdays,
        series.starts_at,
        series.ends_at,
        greatest(series.first_day, (clock_timestamp() at time zone v_zone)::date),
        series.last_day,
        v_zone
      ) t
     where t.start_time > clock_timestamp()
     order by t.day
  );
  series.number_of_days := cardinality(v_spans); -- or a rule refuses

  with days as materialized (
    select d.day, d.span, private.open_since(lower(d.span)) as since
      from unnest(v_spans) with ordinality d (span, day)
  ),
  fitting as materialized (
    select d.day,
           a.id,
           s.id as spot_id,
           count(*) over (partition by s.id) as days,
           s.id in (select f.spot_id from parking.favorite_spots f) as is_favorite,
           s.building_section in (
             select o.building_section from parking.spots o where o.owner_id = (select private.caller_id())
           ) as is_near,
           s.spot_number
      from days d
     cross join lateral (
       select w.id, w.spot_id
         from parking.availabilities w
        where w.start_time between d.since and lower(d.span)
          and w.end_time >= upper(d.span)
          and not w.is_claimed
          and (w.free is null or private.has_free(w.free, lower(d.span), upper(d.span)))
          and w.owner_id <> (select private.caller_id())
       offset 0 -- by the index of each day, not all windows for each day
     ) a
      join parking.spots s on s.id = a.spot_id
     -- The planner sees which of the two are given.
     where (series.spot_id is null or s.id = series.spot_id)
       and (series.building_section is null or s.building_section = series.building_section)
  ),
  best as (
    select f.*,
           row_number() over (
             partition by f.day
             order by f.days desc, f.is_favorite desc, f.is_near desc, f.spot_number
           ) as rank
      from fitting f
  )
  select coalesce(jsonb_object_agg(b.day, b.windows), '{}'),
         array(select o.spot_id from best o where o.rank <= 3)
    into v_windows, v_spot_ids
    from (
      select o.day, jsonb_agg(o.id order by o.rank) as windows
        from best o
       where o.rank <= 3 -- what refuses one of them mostly refuses all
       group by o.day
    ) b;
  perform private.keep_spots(v_spot_ids, to_claim => true);

  for v_day in 1..cardinality(v_spans) loop
    v_spot_number := null;
    v_reason := null;
    for v_window_id in select jsonb_array_elements_text(v_windows -> v_day::text) loop
      begin
        with claimed as (
          insert into parking.claims
            (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle, series_id)
          select a.id, a.spot_id, a.owner_id, lower(v_spans[v_day]), upper(v_spans[v_day]),
                 series.guest, series.vehicle, series.id
            from parking.availabilities a
           where a.id = v_window_id
          returning spot_id
        )
        select s.spot_number into v_spot_number
          from claimed c
          join parking.spots s on s.id = c.spot_id;
      exception
        when integrity_constraint_violation or insufficient_privilege then
          get stacked diagnostics v_rule = constraint_name, v_hint = pg_exception_hint;
          v_messages := coalesce(v_messages, private.rule_messages('{claims}', claim_days.language));
          v_reason := v_messages ->> v_rule;
          if v_reason is null then
            raise; -- no rule of claims, but a fault
          elsif v_hint <> '' then
            v_reason := replace(
              v_reason,
              '{until}',
              -- private.enforce_offers gives a moment and a time zone.
              to_char(split_part(v_hint, ' ', 1)::timestamptz at time zone split_part(v_hint, ' ', 2), 'YYYY-MM-DD HH24:MI')
            );
          end if;
      end;
      exit when v_spot_number is not null;
    end loop;

    v_days := v_days || json_build_object(
      'day', (lower(v_spans[v_day]) at time zone v_zone)::date,
      'start_time', private.iso8601(lower(v_spans[v_day])),
      'end_time', private.iso8601(upper(v_spans[v_day])),
      'spot_number', v_spot_number,
      'availability_id', case when v_spot_number is not null then v_window_id end,
      'reason', case when v_spot_number is null then v_reason end
    );
  end loop;
  return array_to_json(v_days);
end;
$$;

comment on function private.claim_days is
  'Claims the hours of a series on each of its days that has not begun. Says of each day which window was claimed, or which rule refused it; neither where nothing is free.';
grant execute on function private.claim_days to parking_api;
--! EndIncluded claim_series/claim_days.sql
--! Included claim_series/create_claim_series.sql
create or replace function api.create_claim_series(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid default null,
    building_section text default null,
    guest text default null,
    vehicle text default null,
    all_or_none boolean default false,
    language text default 'en',
    out series_id uuid,
    out days json
)
  language plpgsql
  set search_path = ''
as $$
declare
  v_series private.claim_series := row(
    uuidv7(),
    create_claim_series.weekdays,
    create_claim_series.starts_at,
    create_claim_series.ends_at,
    create_claim_series.first_day,
    create_claim_series.last_day,
    create_claim_series.spot_id,
    create_claim_series.building_section,
    create_claim_series.guest,
    create_claim_series.vehicle,
    create_claim_series.all_or_none,
    null,
    null
  ); -- or its rules refuse
begin
  series_id := v_series.id;
  days := private.claim_days(v_series, create_claim_series.language);
  v_series.number_of_days := json_array_length(days);
  v_series.number_of_claims := (
    select count(d.day ->> 'availability_id') from json_array_elements(days) d (day)
  ); -- or its rules refuse
end;
$$;

comment on function api.create_claim_series is
  'Claim the same hours of several days: all that can be had or, with all_or_none, all or none of them';
grant execute on function api.create_claim_series to parking_api;
--! EndIncluded claim_series/create_claim_series.sql
--! Included claim_series/preview_claim_series.sql
/* It does what POST does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_claim_series(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid default null,
    building_section text default null,
    language text default 'en',
    out days json
)
  language plpgsql
  set search_path = ''
  set lock_timeout = '250ms' -- who looks waits shorter than who claims
as $$
begin
  days := private.claim_days(
    row(
      null,
      preview_claim_series.weekdays,
      preview_claim_series.starts_at,
      preview_claim_series.ends_at,
      preview_claim_series.first_day,
      preview_claim_series.last_day,
      preview_claim_series.spot_id,
      preview_claim_series.building_section,
      null, null, null, null, null
    )::private.claim_series, -- or its rules refuse
    preview_claim_series.language
  );
  raise sqlstate 'PT001'; -- takes all of it back, but for the answer
exception
  when sqlstate 'PT001' then
    null;
end;
$$;

comment on function api.preview_claim_series is
  'Which spot would be claimed on each day of a series, or why none; nothing is changed';
grant execute on function api.preview_claim_series to parking_api;
--! EndIncluded claim_series/preview_claim_series.sql
--! Included claim_series/reads.sql
create or replace function private.require_claim_series(id uuid)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not exists (select from api.get_claim_series(require_claim_series.id)) then
    perform private.refuse_absent('claims');
  end if;
end;
$$;

comment on function private.require_claim_series is
  'Refuses where the caller has made no claim of this series.';
grant execute on function private.require_claim_series to parking_api;

create or replace function api.get_claim_series(id uuid)
  returns setof parking.claims
  language sql
  stable
as $$
  select c.*
    from parking.claims c
   where c.series_id = get_claim_series.id
     and c.claimer_id = (select private.caller_id())
   order by c.start_time, c.id
$$;

comment on function api.get_claim_series is
  'The claims that you made as one series, cancelled ones too, first start first';
grant execute on function api.get_claim_series to parking_api;
--! EndIncluded claim_series/reads.sql
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
  select s.total, s.active, c.total, c.active
    from (
      -- Windows of one spot do not overlap: only the last that has started can still be open.
      select count(*) as total, count(*) filter (where latest.end_time > now()) as active
        from parking.spots own
        left join lateral (
          select a.end_time
            from parking.availabilities a
           where a.spot_id = own.id
             and a.start_time <= now()
           order by a.start_time desc
           limit 1
        ) latest on true
       where own.owner_id = (select private.caller_id())
         and own.retired_at is null
    ) s,
    (
      -- From an index alone, ten years of them too.
      select count(*) as total, count(*) filter (where own.status = 'active') as active
        from parking.claims own
       where own.claimer_id = (select private.caller_id())
    ) c
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
--! Included deliveries/queue.sql
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
--! EndIncluded deliveries/queue.sql
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
--! EndIncluded deliveries/reads.sql
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
           (select private.actor_id()),
           (select private.given_reason()),
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

/* Keys of machines are made and withdrawn. */
create or replace trigger record_creation
  after insert on parking.keys
  for each row
  execute function private.record_event('key.created');

create or replace trigger record_deletions
  after delete on parking.keys
  referencing old table as deleted
  for each statement
  execute function private.record_event('key.deleted');

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
      new.vehicle, new.is_approved, new.is_admin, new.is_concierge, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.is_concierge, old.rejection_reason
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
  return v_last;
end;
$$;

comment on function private.order_events is
  'Gives committed events their positions, at most so many at once, and returns the last position; null where another process is about it.';
grant execute on function private.order_events to parking_api;
--! EndIncluded events/order_events.sql
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
      or (select private.has_scope('events'))
);

comment on function private.current_position is
  'The position of the last event; null, where the caller is neither approved nor a key for events.';
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
    when 'key' then array['secret_hash', 'last_used_at']
    when 'availability' then
      array['owner_id', 'during', 'source_id', 'offered', 'free_since', 'is_hidden']
        || case when jsonb_typeof(subject -> 'free') = 'array' then '{}' else array['free'] end
    when 'pattern' then array['owner_id', 'time_zone', 'withdrawn']
    when 'claim' then
      array['spot_id', 'owner_id', 'held', 'holds', 'takes', 'cancelled_by']
        || case when subject ->> 'series_id' is null then array['series_id'] else '{}' end
        || case when subject ->> 'made_by' is null then array['made_by'] else '{}' end
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
      from unnest(array['start_time', 'end_time', 'created_at', 'updated_at', 'expires_at']) t (name)
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
--! Included events/visibility.sql
create or replace view private.listeners
  with (security_invoker)
as
  select p.id, p.is_admin
    from parking.profiles p
   where p.is_approved
  union all
  select k.id, true
    from parking.keys k
   where 'events' = any (k.scopes)
     and k.expires_at > now();

comment on view private.listeners is
  'Who may follow the events: approved people, and keys for events, which see what administrators see.';
comment on column private.listeners.id is
  'The person, or the key.';
comment on column private.listeners.is_admin is
  'Whether they see what administrators see.';

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
  select 1, event.type, event.data, false, true, '{}'::uuid[]
   where event.type like 'key.%'

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
           || array(select p.id from parking.profiles p where p.is_concierge)
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
      select a.id, a.at::integer as at, l.is_admin
        from unnest(read_events.people) with ordinality a (id, at)
        join private.listeners l on l.id = a.id
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
             join private.listeners l on l.id = a.id
         );
end;
$$;

comment on function private.read_events is
  'What happened after a position, in order, with the numbers of those of these people who may see it, and null for all who are approved; each sees the rows of a position that are theirs. The last row says how far it came, and who of them is approved. Where events after the position are no longer kept, or it is none of this log, the first row is a reset.';
grant execute on function private.read_events to parking_api;
--! EndIncluded events/visibility.sql
--! Included favorite_spots/create_favorite_spot.sql
create or replace function api.create_favorite_spot(spot_id uuid)
  returns parking.favorite_spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_favorite parking.favorite_spots;
begin
  perform private.require_approved();

  insert into parking.favorite_spots (spot_id)
  select s.id
    from api.get_spot(create_favorite_spot.spot_id) s
  on conflict on constraint favorite_spots_person_id_spot_id_key do nothing
  returning * into v_favorite;

  if not found then
    select f.*
      into v_favorite
      from parking.favorite_spots f
     where f.spot_id = create_favorite_spot.spot_id;
  end if;

  if v_favorite.id is null then
    perform private.refuse('favorite_spots_of_a_spot', '23503');
  end if;

  return v_favorite;
end;
$$;

comment on function api.create_favorite_spot is
  'Give a spot a star. Where it has one of yours, that is the answer';
grant execute on function api.create_favorite_spot to parking_api;
--! EndIncluded favorite_spots/create_favorite_spot.sql
--! Included favorite_spots/delete_favorite_spot.sql
create or replace function api.delete_favorite_spot(
    id uuid,
    out message text,
    out deleted_favorite_spot_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.favorite_spots f
   where f.id = delete_favorite_spot.id;

  if not found then
    perform private.refuse_absent('favorite_spots');
  end if;

  message := 'Favorite spot removed successfully';
  deleted_favorite_spot_id := delete_favorite_spot.id;
end;
$$;

comment on function api.delete_favorite_spot is
  'Take your star from a spot';
grant execute on function api.delete_favorite_spot to parking_api;
--! EndIncluded favorite_spots/delete_favorite_spot.sql
--! Included favorite_spots/reads.sql
create or replace function api.get_favorite_spot(id uuid)
  returns setof parking.favorite_spots
  language sql
  stable
  rows 1
as $$
  select f.*
    from parking.favorite_spots f
   where f.id = get_favorite_spot.id
$$;

comment on function api.get_favorite_spot is
  'One of your stars';
grant execute on function api.get_favorite_spot to parking_api;

create or replace function api.list_favorite_spots()
  returns setof parking.favorite_spots
  language sql
  stable
as $$
  select f.*
    from parking.favorite_spots f
$$;

comment on function api.list_favorite_spots is
  'The spots to which you have given a star, the latest first';
grant execute on function api.list_favorite_spots to parking_api;
--! EndIncluded favorite_spots/reads.sql
--! Included gate/create_passage.sql
/* A barrier that got no answer sends a passage again: it is kept once. Its clock may run ahead: what is to come was now. */
create or replace function api.create_passage(
    vehicle text,
    direction text,
    at timestamptz default now(),
    out is_kept boolean
)
  language plpgsql
  security definer -- a key writes no table; private.require_scope refuses all who may not note
  set search_path = ''
as $$
declare
  v_days integer;
begin
  perform private.require_scope('gate');
  select b.passage_days into v_days from parking.building b;

  is_kept := v_days > 0 and create_passage.at > now() - make_interval(days => v_days);
  insert into parking.passages (vehicle, direction, passed_at)
  select private.plate(create_passage.vehicle), create_passage.direction, least(create_passage.at, now())
   where is_kept
  on conflict on constraint passages_vehicle_passed_at_direction_key do nothing;
end;
$$;

comment on function api.create_passage is
  'Note that a vehicle passed the gate. It is kept for as many days as the building says; without any, not at all';
grant execute on function api.create_passage to parking_api;
--! EndIncluded gate/create_passage.sql
--! Included gate/reads.sql
/*
 * It says the same as GET /admin/parked, but of one vehicle and with grace. Claims are found by their plate,
 * and those without one by the usual plate of the claimer.
 */
create or replace function api.gate(vehicle text, at timestamptz default now())
  returns table (
    allowed boolean,
    until timestamptz,
    spot_number text,
    building_section text,
    reason text
  )
  language plpgsql
  stable
  rows 1
  security definer -- no policy shows a row to a key; private.require_scope refuses all who may not ask
  set search_path = ''
  set plan_cache_mode = force_generic_plan -- planning takes ten times as long as the answer
as $$
declare
  v_plate constant text := private.plate(gate.vehicle);
  v_grace interval;
  v_at timestamptz;
begin
  perform private.require_scope('gate');
  -- A stolen key must not tell who stood where for years.
  v_at := case
    when private.key_id() is null then gate.at
    else greatest(gate.at, now() - interval '1 day')
  end;
  select make_interval(mins => b.gate_minutes) into v_grace from parking.building b;

  return query
    with owners as (
      select p.id, p.is_approved
        from parking.profiles p
       where p.vehicle is not null
         and private.plate(p.vehicle) = v_plate
    ),
    claims as (
      select c.*
        from parking.claims c
       where c.vehicle is not null
         and private.plate(c.vehicle) = v_plate
      union all
      select c.*
        from owners o
        join parking.claims c on c.claimer_id = o.id
       where c.vehicle is null
         and c.guest is null
    ),
    -- A claim that was completed before its end ended at that moment.
    claimed as (
      select c.spot_id,
             c.start_time,
             case when c.status = 'completed' then least(c.end_time, c.updated_at) else c.end_time end as end_time
        from claims c
       where c.status <> 'cancelled'
         and c.end_time > v_at - v_grace
    ),
    found as (
      select c.start_time <= v_at + v_grace as allowed,
             c.end_time::timestamptz as until,
             c.spot_id,
             case
               when c.start_time > v_at + v_grace then 'not_now'
               when c.start_time > v_at then 'early'
               when c.end_time <= v_at then 'late'
               else 'claim'
             end as reason
        from claimed c
       where c.end_time > v_at - v_grace
      union all
      select o.id is null, n.start_time::timestamptz, s.id,
             case when o.id is null then 'owner' else 'lent' end
        from owners p
        join parking.spots s on s.owner_id = p.id
        -- Claims that hold their windows do not overlap: of a spot, only the last that has started can be open.
        left join lateral (
          select l.id
            from (
              select c.id, c.end_time, c.status, c.updated_at
                from parking.claims c
               where c.spot_id = s.id
                 and c.start_time <= v_at
                 and c.status <> 'cancelled'
               order by c.start_time desc
               limit 1
            ) l
           where l.end_time > v_at
             and (l.status = 'active' or l.updated_at > v_at)
        ) o on true
        left join lateral (
          select c.start_time
            from parking.claims c
           where c.spot_id = s.id
             and c.start_time > v_at
             and c.status = 'active'
           order by c.start_time
           limit 1
        ) n on true
       where p.is_approved
         and s.is_verified
         and (s.retired_at <= v_at) is not true
    )
    select coalesce(f.allowed, false),
           case when f.allowed then f.until end,
           case when f.allowed then s.spot_number end,
           case when f.allowed then s.building_section end,
           coalesce(f.reason, 'unknown')
      from (select) one
      left join found f on true
      left join parking.spots s on s.id = f.spot_id
     order by f.allowed desc nulls last, f.until desc nulls first
     limit 1;
end;
$$;

comment on function api.gate is
  'Whether a vehicle may pass the gate, to which spot, and until when it may stand there';
grant execute on function api.gate to parking_api;

/* The spans of api.gate without their grace, which the answer says: of claims, and of owners between them. */
create or replace function api.gate_today()
  returns table (
    vehicle text,
    start_time timestamptz,
    end_time timestamptz,
    spot_number text,
    building_section text
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.require_scope refuses all who may not ask
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.midnight((now() at time zone (private.building()).time_zone)::date);
  v_day constant tstzrange := tstzrange(v_from, v_from + interval '48 hours');
begin
  perform private.require_scope('gate');

  return query
    with open as (
      select c.spot_id, c.claimer_id, c.guest, c.vehicle, tstzrange(c.start_time, c.end_time) as span
        from parking.claims c
       where c.status = 'active'
         and c.end_time > lower(v_day)
         and c.start_time < upper(v_day)
    ),
    spans as (
      select private.plate(coalesce(o.vehicle, case when o.guest is null then p.vehicle end)) as plate,
             o.span,
             o.spot_id
        from open o
        join parking.profiles p on p.id = o.claimer_id
      union all
      select private.plate(p.vehicle), free.span, s.id
        from parking.profiles p
        join parking.spots s on s.owner_id = p.id
        left join (
          select o.spot_id, range_agg(o.span) as spans
            from open o
           group by o.spot_id
        ) c on c.spot_id = s.id
       cross join lateral unnest(
         tstzmultirange(v_day) - coalesce(c.spans, '{}')
       ) free (span)
       where p.vehicle is not null
         and p.is_approved
         and s.is_verified
         and s.retired_at is null
    )
    select f.plate, lower(f.span), upper(f.span), s.spot_number, s.building_section
      from spans f
      join parking.spots s on s.id = f.spot_id
     where f.plate is not null
     order by f.plate, lower(f.span), s.spot_number
     limit 10000;
end;
$$;

comment on function api.gate_today is
  'Which vehicles may pass the gate today and tomorrow, for a barrier to keep while the network is away';
grant execute on function api.gate_today to parking_api;

create or replace function api.overstays()
  returns table (
    vehicle text,
    entered_at timestamptz,
    spot_number text,
    building_section text,
    ended_at timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; everybody else is refused
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  return query
    select l.vehicle, l.passed_at::timestamptz, s.spot_number, s.building_section,
           c.end_time::timestamptz
      from (
        select distinct on (p.vehicle) p.vehicle, p.direction, p.passed_at
          from parking.passages p
         order by p.vehicle, p.passed_at desc
      ) l
     cross join lateral api.gate(l.vehicle) g
      left join lateral (
        select o.spot_id, o.end_time
          from parking.claims o
         where o.id = any (private.claims_of_vehicle(l.vehicle))
           and o.status <> 'cancelled'
           and o.end_time <= now()
         order by o.end_time desc
         limit 1
      ) c on true
      left join parking.spots s on s.id = c.spot_id
     where l.direction = 'in'
       and not g.allowed
     order by l.passed_at, l.vehicle
     limit 1000;
end;
$$;

comment on function api.overstays is
  'The vehicles that came in and may not stand here any more, with the claim of them that ended last';
grant execute on function api.overstays to parking_api;
--! EndIncluded gate/reads.sql
--! Included idempotency_keys/answers.sql
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
--! EndIncluded idempotency_keys/answers.sql
--! Included locks/effects.sql
/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: the turn of administrators, users,
 * profiles, invitations, spots, plans, patterns, claims, windows, wishes; several of a kind in the order
 * of their ids. A new claim locks its window before there is a row.
 */

/*
 * An UPDATE or a DELETE locks its row before its triggers run, so the functions of api lock the spot
 * first. A trigger for each statement can, too (private.lock_own_spots_before). A statement that ends a
 * claim whose window is offered anew (private.reconcile_freed) locks the spot last, and may have to try
 * again.
 */

/*
 * Nobody adds rows about a retired spot, although foreign keys would find it. "shared" waits for its deletion
 * alone: claims of one spot do not wait for each other, those of one window do (private.take_time).
 */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  if tg_argv[1] = 'shared' then
    perform from parking.spots s where s.id = new.spot_id and s.retired_at is null for key share;
  else
    perform from parking.spots s where s.id = new.spot_id and s.retired_at is null for no key update;
  end if;
  if not found and new.spot_id is not null then
    if private.caller_id() is not null then -- not where the owner of the database writes
      perform private.require_approved(); -- still, after all the waiting
    end if;
    perform private.refuse(tg_argv[0], '23503');
  end if;
  return new;
end;
$$;

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.lock_spot('claims_of_an_availability', 'shared');

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_ and a
-- number. This one runs before them, so an account that is no longer approved is refused for that reason.
create or replace trigger "A_keep_spot"
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.lock_spot('exceptions_of_a_spot', 'shared');

create or replace trigger "A_keep_spot"
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.lock_spot('wishes_of_a_spot', 'shared');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_reports
  for each row
  execute function private.lock_spot('spot_reports_of_a_spot', 'shared');

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
 * The first lock of what claims or ends several claims at once: two who claim the same days wait for each other, and
 * owners who change their plans. Others may claim meanwhile, for who claims one window waits for nobody who has this.
 */
create or replace function private.keep_spots(ids uuid[], to_claim boolean)
  returns void
  language plpgsql
  security definer -- the spots belong to other residents; the policies check who may act
  set search_path = ''
as $$
begin
  perform private.require_approved();
  perform
     from parking.profiles p
    where (keep_spots.to_claim and p.id = (select private.caller_id()))
       or p.id in (select s.owner_id from parking.spots s where s.id = any (keep_spots.ids))
    order by p.id
      for share;
  perform
     from parking.spots s
    where s.id = any (keep_spots.ids)
    order by s.id
      for no key update;
  perform private.require_approved(); -- still, after all the waiting
end;
$$;

comment on function private.keep_spots is
  'Locks these spots, and keeps their owners, and who claims them, from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spots to parking_api;

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
  perform private.take_turn('administrators');
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
  security definer -- the API role may take no turn, and has no access to private.users
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
--! Included mail_key/unsubscribe.sql
/* The person and a signature, in 43 characters that an address may have. Both parts have a fixed length. */
create or replace function private.unsubscribe_key(person_id uuid)
  returns text
  language sql
  stable
  set search_path = ''
begin atomic
  select private.base64url(
           uuid_send(unsubscribe_key.person_id)
             || substring(sha256(k.key || uuid_send(unsubscribe_key.person_id)) for 16)
         )
    from private.mail_key k;
end;

comment on function private.unsubscribe_key is
  'The secret part of the address that ends the mails of this person.';

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
 * Mails, or pushes, that are due by the clock: reminders, and the list of those who wait for approval. It reads claims as
 * they are now, so one that was moved or cancelled needs no care. The key of a job says what it is about and
 * when, so that none is sent twice.
 */
create or replace function private.add_due_mails(channel text default 'mail')
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

  perform private.add_message(
    add_due_mails.channel,
    format('%s.%s.%s', d.kind, c.id, extract(epoch from d.due_at)),
    jsonb_build_object('kind', d.kind, 'recipient_id', r.id, 'claim_id', c.id, 'at', d.due_at)
  )
     from parking.claims c
    cross join lateral (
      values ('claim.starts', c.start_time, c.created_at), ('claim.ends', c.end_time, c.start_time)
    ) d (kind, due_at, since)
     join private.recipients r on r.id = c.claimer_id and d.kind = any (r.kinds)
    where (
        c.start_time > v_now and c.start_time <= v_furthest
        or c.end_time > v_now and c.end_time <= v_furthest
      )
      and d.due_at > v_now
      and d.due_at <= v_now + make_interval(mins => r.remind_minutes)
      -- Not of a claim that is made in the last minute, or is so short.
      and d.since < d.due_at - make_interval(mins => r.remind_minutes)
      and c.status = 'active'
      and r.channel = add_due_mails.channel;

  -- Somebody who is left waiting on purpose is not listed every day for ever.
  if extract(hour from v_local) >= c_hour_of_lists
    and exists (
      select from private.waiting_people w where w.created_at > v_now - interval '7 days'
    )
  then
    perform private.add_message(
      add_due_mails.channel,
      format('profiles.waiting.%s.%s', r.id, v_local::date),
      jsonb_build_object('kind', 'profiles.waiting', 'recipient_id', r.id)
    )
       from private.recipients r
      where r.channel = add_due_mails.channel
        and r.is_admin
        and 'profiles.waiting' = any (r.kinds);
  end if;
end;
$$;

comment on function private.add_due_mails is
  'Adds the reminders by mail, or by push, that are due, and, once a day, the message to administrators about who waits for approval.';
grant execute on function private.add_due_mails to parking_api;
--! EndIncluded mails/add_due_mails.sql
--! Included mails/add_mails.sql
create or replace function private.message_lane(channel text, recipient_id uuid)
  returns text
  language sql
  immutable
return case message_lane.channel when 'mail' then 'mail' else 'push:' || message_lane.recipient_id end;

comment on function private.message_lane is
  'The lane of the messages to a person: that of all mails, or the person''s own for pushes.';

/* A mail is one job. A push is one for each device, which are tried apart; those of a person wait for nobody else's. */
create or replace function private.add_message(
    channel text,
    key text,
    data jsonb,
    run_at timestamptz default now()
)
  returns void
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job('mail', add_message.key, add_message.data, add_message.run_at)
   where add_message.channel = 'mail';
  select private.add_job(
           'push',
           concat_ws('.', add_message.key, s.id),
           add_message.data || jsonb_build_object('subscription_id', s.id),
           add_message.run_at,
           lane => private.message_lane('push', s.person_id)
         )
    from parking.push_subscriptions s
   where add_message.channel = 'push'
     and s.person_id = (add_message.data ->> 'recipient_id')::uuid;
end;

comment on function private.add_message is
  'Adds the jobs that send a message to a person by a channel, unless there are or were any with this key.';

/*
 * The mails and pushes of notifications, in the transaction that gives their events a position. What happens
 * within seconds of one another, such as a series of claims, is one message: it leaves a moment later. Once
 * there were many of a kind in a day, that moment is an hour: a neighbour with a script floods nobody.
 */
create or replace function private.add_mails(after bigint, until bigint)
  returns void
  language plpgsql
  security invoker -- for private.order_events: no grant to the API role
  set search_path = ''
as $$
declare
  c_many constant integer := 10;
  c_moment_after_many constant interval := interval '1 hour';
  v_channels constant text[] := array(
    select c.channel from unnest('{mail,push}'::text[]) c (channel) where private.is_sent(c.channel)
  );
  v_message record;
begin
  if cardinality(v_channels) = 0 then
    return;
  end if;

  for v_message in
    select r.channel,
           case r.channel when 'mail' then interval '10 seconds' else interval '2 seconds' end as moment,
           n.recipient_id,
           n.kind,
           to_jsonb(array_agg(n.id order by e.position)) as notifications,
           min(e.position) as position
      from private.events e
      join parking.notifications n on n.id = e.subject_id
      join private.recipients r on r.id = n.recipient_id and n.kind = any (r.kinds)
     where e.position > add_mails.after
       and e.position <= add_mails.until
       and e.type = 'notification.created'
       and r.channel = any (v_channels)
     group by r.channel, n.recipient_id, n.kind
  loop
    update private.jobs j
       set data = j.data || jsonb_build_object(
             'notifications', (j.data -> 'notifications') || v_message.notifications
           )
     where j.lane = private.message_lane(v_message.channel, v_message.recipient_id)
       and j.ended_at is null
       and not private.is_due(j.run_at, j.pause)
       and j.attempts = 0
       and j.data ->> 'recipient_id' = v_message.recipient_id::text
       and j.data ->> 'kind' = v_message.kind;

    if not found then
      -- Positions are never given twice, so neither is a key.
      perform private.add_message(
        v_message.channel,
        'event.' || v_message.position,
        jsonb_build_object(
          'kind', v_message.kind,
          'recipient_id', v_message.recipient_id,
          'notifications', v_message.notifications
        ),
        clock_timestamp() + case
          when c_many > (
            -- The pushes of a message to several devices have one position.
            select count(distinct split_part(j.key, '.', 2))
              from private.jobs j
             where j.kind = v_message.channel
               and j.data ->> 'recipient_id' = v_message.recipient_id::text
               and j.created_at > now() - interval '1 day'
               and j.created_at <= clock_timestamp()::timestamptz(3) -- not while the clock ran ahead
               and j.data ->> 'kind' = v_message.kind
          )
            then v_message.moment
          else c_moment_after_many
        end
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_mails is
  'Adds the mails and pushes of the notifications whose events have a position after the first and up to the second.';
--! EndIncluded mails/add_mails.sql
--! Included mails/channels.sql
/* Without a process that sends them nothing is made that nobody would send. */
create or replace function private.is_sent(channel text)
  returns boolean
  language sql
  stable
  set search_path = ''
begin atomic
  select exists (
    select
      from private.jobs j
     where j.kind = case is_sent.channel when 'mail' then 'reminders' else 'pushreminders' end
       and j.key = 'timed'
  );
end;

comment on function private.is_sent is
  'Whether a process sends by this channel, mail or push, or one did in the last days.';

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
  perform private.begin_reminders('reminders');
end;
$$;

comment on function private.use_mail is
  'Begins to make mails, or goes on.';
grant execute on function private.use_mail to parking_api;

create or replace function private.begin_reminders(kind text)
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
begin
  perform private.add_job(begin_reminders.kind, 'timed');
  update private.jobs j
     set run_at = clock_timestamp()
   where j.kind = begin_reminders.kind
     and j.key = 'timed'
     and j.run_at < clock_timestamp();
end;
$$;

comment on function private.begin_reminders is
  'Adds the job of reminders of this kind, or makes it due.';

/* Each process that sends pushes offers a key pair at its start. The first one is kept, for all of them. */
create or replace function private.use_push(public_key text, private_key text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the key and the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  insert into private.push_key (public_key, private_key)
  values (use_push.public_key, use_push.private_key)
  on conflict do nothing;
  perform private.begin_reminders('pushreminders');
end;
$$;

comment on function private.use_push is
  'Begins to make pushes, or goes on, with this key pair unless there is one.';
grant execute on function private.use_push to parking_api;
--! EndIncluded mails/channels.sql
--! Included mails/get_mail.sql
/*
 * The contents are read when the mail or the push is sent. So it does not tell of what was cancelled, read or
 * erased since, nor of a turn that is over.
 */
create or replace function private.message_items(
    about jsonb,
    recipient_id uuid,
    is_admin boolean,
    out items jsonb,
    out people jsonb
)
  language plpgsql
  stable
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_kind constant text := about ->> 'kind';
begin
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
       where c.id = (message_items.about ->> 'claim_id')::uuid
         and c.claimer_id = message_items.recipient_id
         and c.status = 'active'
         and (message_items.about ->> 'at')::timestamptz > clock_timestamp()
         and (message_items.about ->> 'at')::timestamptz
               = case v_kind when 'claim.starts' then c.start_time else c.end_time end;
    when v_kind = 'profiles.waiting' then
      select jsonb_agg(
               jsonb_build_object('name', w.full_name, 'apartment', w.apartment_number)
               order by w.created_at
             )
        into people
        from private.waiting_people w
       where message_items.is_admin;
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
       where n.id in (select i.id::uuid from jsonb_array_elements_text(message_items.about -> 'notifications') i (id))
         and n.recipient_id = message_items.recipient_id
         and n.resolved_at is null
         and not n.is_read
         and coalesce((n.data ->> 'offered_until')::timestamptz > clock_timestamp(), true);
  end case;
end;
$$;

comment on function private.message_items is
  'What the message of a job says to a person, and names below it; null where there is nothing to be said any more.';

/* A person who was suspended or wants no mail any more gets none. */
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

  if v_kind like 'address.%' then
    return query
    select case v_about ->> 'side'
             when 'old' then c.old_address
             when 'new' then c.new_address
             else (select u.email from private.users u where u.id = c.given_by)
           end,
           coalesce(f.language, b.language),
           b.name,
           b.time_zone,
           jsonb_build_array(
             jsonb_build_object(
               'message', '',
               'change', jsonb_build_object(
                 'side', v_about ->> 'side',
                 'old_address', c.old_address,
                 'new_address', c.new_address,
                 'starts_at', private.iso8601(c.starts_at),
                 'reason', c.reason
               )
             )
           ),
           '[]'::jsonb,
           null::text
      from private.address_changes c
     cross join parking.building b
      left join parking.preferences f
        on f.person_id = case v_about ->> 'side' when 'giver' then c.given_by else c.account_id end
     where c.id = (v_about ->> 'change_id')::uuid;
    return;
  end if;

  select r.* into v_recipient
    from private.recipients r
   where r.id = (v_about ->> 'recipient_id')::uuid
     and r.channel = 'mail'
     and v_kind = any (r.kinds);

  if not found then
    return;
  end if;

  select m.items, m.people
    into get_mail.items, get_mail.people
    from private.message_items(v_about, v_recipient.id, v_recipient.is_admin) m;

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
--! Included mails/get_push.sql
/*
 * A lock screen shows it to anybody who holds the device, so it has neither names nor plates, reasons or codes: only
 * the facts that are named here. It is of no use once what it tells of is over, at the latest after a day.
 */
create or replace function private.get_push(job_id uuid)
  returns table (
    endpoint text,
    p256dh text,
    auth text,
    public_key text,
    private_key text,
    kind text,
    language text,
    time_zone text,
    items jsonb,
    seconds integer -- for which it is of use; not until when: the clock of the process may be another
  )
  language plpgsql
  security definer -- the API role has no access to the keys and to what is others'
  rows 1
  set search_path = ''
as $$
declare
  c_facts constant text[] := '{spot_number,is_owner,start_time,end_time,offered_from,offered_until,count}';
begin
  perform private.require_service();

  return query
  select s.endpoint,
         s.p256dh,
         s.auth,
         k.public_key,
         k.private_key,
         j.data ->> 'kind',
         r.language,
         b.time_zone,
         i.items,
         floor(extract(epoch from i.expires_at - clock_timestamp()))::integer
    from private.jobs j
    join parking.push_subscriptions s
      on s.id = (j.data ->> 'subscription_id')::uuid
    join private.recipients r
      on r.id = s.person_id
     and r.channel = 'push'
     and j.data ->> 'kind' = any (r.kinds)
   cross join private.push_key k
   cross join parking.building b
   cross join lateral (
     select jsonb_agg(
              (m.item - '{message,data}'::text[]) || jsonb_build_object(
                'data', (
                  select jsonb_object_agg(d.key, d.value)
                    from jsonb_each(m.item -> 'data') d
                   where d.key = any (c_facts)
                ),
                'claim', (
                  select jsonb_build_object(
                           'window', w.availability_id,
                           'from', private.iso8601(w.start_time),
                           'until', private.iso8601(w.end_time)
                         )
                    from parking.wishes w
                   where w.id = (m.item ->> 'id')::uuid
                     and w.availability_id is not null
                     and w.claim_id is null
                     and coalesce(w.offered_from <= clock_timestamp(), true)
                )
              )
              order by m.place
            ) as items,
            least(j.created_at + interval '1 day', min(e.over_at)) as expires_at
       from private.message_items(j.data, s.person_id, r.is_admin) o
      cross join jsonb_array_elements(o.items) with ordinality m (item, place)
      cross join lateral (
        select coalesce(
                 (m.item -> 'data' ->> 'offered_until')::timestamptz,
                 (j.data ->> 'at')::timestamptz,
                 case when j.data ->> 'kind' = 'wish.fits' then (m.item -> 'data' ->> 'end_time')::timestamptz end,
                 'infinity'
               ) as over_at
      ) e
      where e.over_at > clock_timestamp()
   ) i
   where j.id = get_push.job_id
     and j.kind = 'push'
     and j.ended_at is null
     and i.items is not null
     and i.expires_at > clock_timestamp();
end;
$$;

comment on function private.get_push is
  'To which device the push of a job goes, what signs it, and what it may say on a lock screen; no row where there is nothing to be said any more.';
grant execute on function private.get_push to parking_api;
--! EndIncluded mails/get_push.sql
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

do $$
begin
  alter type private.parked add attribute phone_number text, add attribute made_by uuid;
exception
  when duplicate_column then null;
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
  security definer -- a concierge reads no profiles and claims of others; private.require_staff refuses who may not ask
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  perform private.require_staff();
  if parked.at < now() - interval '1 day' then
    perform private.require_administrator(); -- who stood where for years is no concierge's business
  end if;

  return query
    select s.id, s.spot_number, s.building_section,
           case when c.id is null then 'owner' else 'claimer' end,
           c.id, p.id, p.full_name, p.apartment_number, c.guest, here.vehicle,
           coalesce(c.end_time, following.start_time)::timestamptz,
           case when c.id is not null then p.phone_number end,
           c.made_by
      from parking.spots s
      -- Claims that hold their windows do not overlap: of a spot, only the last that has started can be open.
      left join lateral (
        select l.*
          from (
            select o.id, o.claimer_id, o.guest, o.vehicle, o.end_time, o.status, o.updated_at, o.made_by
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
     and (select private.key_id()) is null
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
      with messages as materialized (
        select private.rule_messages('{availabilities,claims}', preview_pattern.language) as of_rules
      ),
      days as materialized (
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
             case when p.rule is not null then (select m.of_rules ->> p.rule from messages m) end
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
--! Included preferences/reads.sql
create or replace function api.get_preferences()
  returns setof parking.preferences
  language sql
  stable
  rows 1
as $$
  -- Every registered person has some: at least those of the building.
  select own.id, p.mail, p.language, p.remind_minutes, p.push
    from parking.profiles own
    left join parking.preferences p on p.person_id = own.id
   where own.id = (select private.caller_id())
$$;

comment on function api.get_preferences is
  'What you want by mail, and at once on your devices; null: as the building has it. Also before approval';
grant execute on function api.get_preferences to parking_api;
--! EndIncluded preferences/reads.sql
--! Included preferences/update_preferences.sql
create or replace function api.update_preferences(
    mail text[] default null,
    language text default null,
    remind_minutes integer default null,
    push text[] default null
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
  insert into parking.preferences as p (mail, push, language, remind_minutes)
  values (
    nullif(update_preferences.mail, '{null}'),
    nullif(update_preferences.push, '{null}'),
    nullif(update_preferences.language, ''),
    nullif(update_preferences.remind_minutes, 0)
  )
  on conflict on constraint preferences_pkey do update
    set mail = nullif(coalesce(update_preferences.mail, p.mail), '{null}'),
        push = nullif(coalesce(update_preferences.push, p.push), '{null}'),
        language = nullif(coalesce(update_preferences.language, p.language), ''),
        remind_minutes = nullif(coalesce(update_preferences.remind_minutes, p.remind_minutes), 0)
  returning * into v_preferences;

  return v_preferences;
end;
$$;

comment on function api.update_preferences is
  'Choose what you want by mail, and at once on your devices; null: as the building has it. Also before approval';
grant execute on function api.update_preferences to parking_api;
--! EndIncluded preferences/update_preferences.sql
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

/*
 * Statements that may remove an administrator, invite, or accept an invitation run one after the other: two
 * administrators who remove each other do so before either locks a profile.
 */
create or replace function private.lock_administrators()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  perform private.take_turn('administrators');
  return null;
end;
$$;

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason
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

-- A suspended person does not wait for approval, and reads that.
create or replace trigger note_suspension
  before update on parking.profiles
  for each row
  when (old.is_approved and not new.is_approved)
  execute function private.set_columns('{"is_suspended": true}');

create or replace trigger note_approval
  before update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.set_columns('{"is_suspended": false}');
--! EndIncluded profiles/effects.sql
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
         is_admin = false,
         is_concierge = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  -- Also what the staff was answered about the person.
  delete from private.idempotency_keys k
   where k.person_id = erase_person.id
      or strpos(k.body, erase_person.id::text) > 0;

  -- With all that lets the person sign in by mail. Whoever has the mailbox may register anew.
  delete from identity.accounts a
   where a.id = erase_person.id;

  delete from parking.preferences p
   where p.person_id = erase_person.id;

  delete from parking.calendar_feeds f
   where f.person_id = erase_person.id;

  delete from parking.push_subscriptions s
   where s.person_id = erase_person.id;

  delete from parking.favorite_spots f
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

  delete from parking.passages p
   where p.vehicle = any (v_plates);

  -- The reasons why something of theirs was cancelled or removed before, but not the reason of this erasure.
  update parking.notifications n
     set data = n.data - 'reason',
         message = split_part(n.message, '. Reason: ', 1)
   where (n.spot_id = any (v_spots) or n.claim_id = any (v_made))
     and (n.data is null or n.data ?| '{reason, vehicle}')
     and (n.created_at >= v_began and n.data ->> 'reason' = v_reason) is not true;

  -- Notifications to the owners of the spots name who claimed.
  update parking.notifications n
     set data = n.data - 'claimer_name'
   where n.claim_id = any (v_made)
     and n.data ? 'claimer_name';

  -- Notifications about what the person did for others.
  update parking.notifications n
     set data = n.data - 'actor_name'
   where n.claim_id = any (array(
           select c.id from parking.claims c where c.made_by = erase_person.id
           union
           select e.subject_id
             from private.events e
            where e.actor_id = erase_person.id
              and e.reason is not null -- for the index
              and e.type = 'claim.submitted'
         ))
     and n.data ? 'actor_name';

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
  'Erases the personal data of the person with this id: from the profile, the sign-in data, the account of the sign-in by mail, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, what the gate saw of their vehicles, the invitations and the answers kept under idempotency keys, and the reasons that others gave for what was done to what is theirs. Cancels their claims that have not ended and those on their spots, and removes their spots. For the owner of the database (npm run erase).';

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
--! EndIncluded profiles/erase_person.sql
--! Included profiles/erase_profile.sql
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
       and (
         p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups,
         p.is_concierge, p.is_concierge_by_groups
       ) is distinct from (
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups,
         private.is_concierge_by_token(p), private.decided_by_groups('is_concierge') is not null
       )
  ) then
    -- The rows as they are once they are locked: an administrator may set the other flag at this
    -- moment, and a later token may come.
    perform private.lock_person(v_caller_id);
    update parking.profiles p
       set (is_approved, is_admin, is_approved_by_groups, is_admin_by_groups) =
             (select flags.* from private.flags_by_groups(p) flags),
           is_concierge = private.is_concierge_by_token(p),
           is_concierge_by_groups = private.decided_by_groups('is_concierge') is not null
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

  -- The address that was named before may be mistyped, and its mailbox a stranger's.
  delete from identity.expected_administrator;
  return v_profile;
end;
$$;

comment on function private.make_administrator is
  'Approves the account with this confirmed e-mail address or this id and makes it an administrator. For the owner of the database (npm run admin).';
--! EndIncluded profiles/make_administrator.sql
--! Included profiles/mentions.sql
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
--! EndIncluded profiles/mentions.sql
--! Included profiles/reads.sql
/* GET /profile reads this, beside other reads, once api.get_profile has kept what the caller's token says. */
create or replace function api.get_stored_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where p.id = (select private.caller_id())
$$;

comment on function api.get_stored_profile is
  'Your profile as it is stored; what your token says of you is not kept.';
grant execute on function api.get_stored_profile to parking_api;

/* It goes with the next release. A process of 1.1.0 reads it first, and then asks api.get_profile. */
create or replace function api.get_known_profile()
  returns setof parking.profiles
  language sql
  stable
  rows 1
as $$
  select p.*
    from parking.profiles p
   where false
$$;

comment on function api.get_known_profile is
  'Nothing, for processes of 1.1.0 during an upgrade.';
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

/* An answer has no more than the name at the door. */
create or replace function api.find_residents(search text)
  returns table (id uuid, full_name text, apartment_number text)
  language plpgsql
  stable
  security definer -- a concierge reads no profiles of others; private.require_staff refuses who may not ask
  set search_path = ''
as $$
declare
  v_search constant text := private.number_key(find_residents.search);
begin
  perform private.require_staff();

  return query
    select p.id, p.full_name, p.apartment_number
      from parking.profiles p
     where p.is_approved
       and (
         strpos(private.number_key(p.full_name), v_search) > 0
         or strpos(private.number_key(p.apartment_number), v_search) > 0
       )
     order by private.number_key(p.apartment_number) = v_search desc,
              p.apartment_number, p.full_name, p.id
     limit 20;
end;
$$;

comment on function api.find_residents is
  'The residents whose name or apartment has a text, twenty at most: for whom an administrator or concierge can claim';
grant execute on function api.find_residents to parking_api;
--! EndIncluded profiles/reads.sql
--! Included profiles/update_profile_flags.sql
create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null,
    rejection_reason text default null,
    is_suspended boolean default null,
    is_concierge boolean default null
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
         is_concierge = coalesce(update_profile_flags.is_concierge, p.is_concierge),
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
  'Approve an account, reject it with a reason, or make an administrator or a concierge; or take that back';
grant execute on function api.update_profile_flags to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
--! Included push_key/reads.sql
create or replace function private.push_public_key()
  returns text
  language sql
  stable
  security definer -- nobody reads the private key beside it
  set search_path = ''
begin atomic
  select k.public_key
    from private.push_key k
   where private.is_sent('push');
end;

comment on function private.push_public_key is
  'The public key of pushes; null where no process sends any.';
grant execute on function private.push_public_key to parking_api;

create or replace function api.get_push_key()
  returns table (public_key text)
  language sql
  stable
  rows 1
as $$
  select k.public_key
    from private.push_public_key() k (public_key)
   where k.public_key is not null
$$;

comment on function api.get_push_key is
  'The key for which a browser subscribes (VAPID); null where this building sends no pushes';
grant execute on function api.get_push_key to parking_api;
--! EndIncluded push_key/reads.sql
--! Included push_subscriptions/create_push_subscription.sql
/*
 * A browser has one endpoint for all who use it: its messages are for the person who signed in last. The profile
 * is locked first, as an erasure does it; two tabs of one person wait for each other.
 */
create or replace function private.free_endpoint(endpoint text)
  returns void
  language sql
  security definer -- the row may be of the person who used the browser before
  set search_path = ''
begin atomic
  select from parking.profiles p where p.id = (select private.caller_id()) for no key update;
  delete from parking.push_subscriptions s
   where s.endpoint = free_endpoint.endpoint
     and (select private.caller_id()) is not null;
end;

comment on function private.free_endpoint is
  'Ends what a browser gets by this endpoint, which only the browser knows.';
grant execute on function private.free_endpoint to parking_api;

create or replace function api.create_push_subscription(
    inout endpoint text,
    p256dh text,
    auth text,
    out id uuid,
    out created_at timestamptz
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.free_endpoint(create_push_subscription.endpoint);
  insert into parking.push_subscriptions as s (endpoint, p256dh, auth)
  values (
    create_push_subscription.endpoint, create_push_subscription.p256dh, create_push_subscription.auth
  )
  returning s.id, s.created_at
       into create_push_subscription.id, create_push_subscription.created_at;
end;
$$;

comment on function api.create_push_subscription is
  'Get messages at once on a device. Who had the same endpoint before gets none there any more';
grant execute on function api.create_push_subscription to parking_api;
--! EndIncluded push_subscriptions/create_push_subscription.sql
--! Included push_subscriptions/delete_push_subscription.sql
create or replace function api.delete_push_subscription(
    id uuid,
    out message text,
    out deleted_push_subscription_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.push_subscriptions s
   where s.id = delete_push_subscription.id;

  if not found then
    perform private.refuse_absent('push_subscriptions', requires_approval => false);
  end if;

  message := 'Push subscription deleted successfully';
  deleted_push_subscription_id := delete_push_subscription.id;
end;
$$;

comment on function api.delete_push_subscription is
  'Get no more messages on a device';
grant execute on function api.delete_push_subscription to parking_api;
--! EndIncluded push_subscriptions/delete_push_subscription.sql
--! Included push_subscriptions/drop_push_subscription.sql
create or replace function private.drop_push_subscription(job_id uuid)
  returns void
  language plpgsql
  security definer -- nobody but its person ends a subscription
  set search_path = ''
as $$
begin
  perform private.require_service();

  -- A device that somebody else signed in on since has another id.
  delete from parking.push_subscriptions s
   using private.jobs j
   where j.id = drop_push_subscription.job_id
     and s.id = (j.data ->> 'subscription_id')::uuid;
end;
$$;

comment on function private.drop_push_subscription is
  'Forgets the device of a push, which its push service does not know any more.';
grant execute on function private.drop_push_subscription to parking_api;
--! EndIncluded push_subscriptions/drop_push_subscription.sql
--! Included push_subscriptions/reads.sql
create or replace function api.get_push_subscription(
    inout id uuid,
    out endpoint text,
    out created_at timestamptz
)
  returns setof record
  language sql
  stable
  rows 1
as $$
  select s.id, s.endpoint, s.created_at
    from parking.push_subscriptions s
   where s.id = get_push_subscription.id
$$;

comment on function api.get_push_subscription is
  'One of your devices that get messages at once';
grant execute on function api.get_push_subscription to parking_api;

create or replace function api.list_push_subscriptions()
  returns table (id uuid, endpoint text, created_at timestamptz)
  language sql
  stable
as $$
  select s.id, s.endpoint, s.created_at
    from parking.push_subscriptions s
$$;

comment on function api.list_push_subscriptions is
  'Your devices that get messages at once, newest first';
grant execute on function api.list_push_subscriptions to parking_api;
--! EndIncluded push_subscriptions/reads.sql
--! Included reports/reported.sql
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
--! EndIncluded reports/reported.sql
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
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
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
/* See private.hour_use. Wishes of a resident for the same time, in several sections, count once. */
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
  security definer -- nobody sees the wishes of others, only these numbers; private.report_start refuses all others
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(unmet_wishes."from", unmet_wishes.until);
  -- A wish for a time to come may still be fulfilled.
  v_until constant timestamptz := greatest(v_from, least(private.midnight(unmet_wishes.until), now()));
  v_zone constant text := (private.building()).time_zone;
begin
  return query
    with residents as (
      select range_agg(w.during) as wished,
             coalesce(range_agg(w.during) filter (where w.claim_id is not null), '{}') as met
        from (
          select i.wisher_id, i.claim_id, tstzrange(i.start_time, i.end_time) * tstzrange(v_from, v_until) as during
            from parking.wishes i
            left join parking.spots s on s.id = i.spot_id
           where i.start_time < v_until
             and i.end_time > v_from
             and coalesce(i.building_section, s.building_section, '')
               = coalesce(unmet_wishes.section, i.building_section, s.building_section, '')
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
        from generate_series(v_from, v_until, interval '30 minutes') h (moment)
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
    ),
    hours as (
      select extract(isodow from s.moment) as weekday,
             extract(hour from s.moment) as hour,
             sum(s.wished * s.seconds) as wished,
             sum(s.unmet * s.seconds) as unmet
        from steps s
       group by 1, 2
    )
    select d.weekday,
           h.hour,
           coalesce(round(u.wished / 60), 0)::bigint,
           coalesce(round(u.unmet / 60), 0)::bigint,
           round(u.unmet / nullif(u.wished, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join hours u
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
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
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
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
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
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
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

  if tg_argv[0] = 'account' then
    if exists (
      select
        from parking.profiles p
       where p.id = (select private.caller_id())
         and p.email = p.id || '@erased.invalid' -- as profiles_erased_stay_erased knows it
    ) then
      perform private.refuse(tg_table_name || '_of_a_resident', '23503');
    end if;
  elsif tg_argv[0] = 'administrator' or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  elsif tg_argv[0] = 'staff' then
    perform private.require_staff();
  elsif not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
  return null;
end;
$$;

-- The last of them, after all the waiting: triggers run in the order of their names.
do $$
declare
  v record;
begin
  for v in
    select *
      from (
        values
          -- By residents.
          ('calendar_feeds', 'insert or delete or update', ''),
          ('claims', 'insert or delete or update', ''),
          ('exceptions', 'insert or delete', ''),
          ('favorite_spots', 'insert or delete', ''),
          ('notifications', 'update', ''),
          ('patterns', 'insert or delete or update', ''),
          ('spot_access', 'insert or update', ''),
          ('spot_reports', 'insert', ''),
          ('spots', 'insert or delete or update', ''),
          ('wishes', 'insert or delete', ''),
          -- By people before they are approved, too, but not after their erasure.
          ('preferences', 'insert or update', 'account'),
          ('push_subscriptions', 'insert', 'account'),
          -- By administrators.
          ('building', 'update', 'administrator'),
          ('invitations', 'insert or delete', 'administrator'),
          ('keys', 'insert or delete', 'administrator'),
          ('limits', 'insert or update', 'administrator'),
          ('webhooks', 'insert or delete or update', 'administrator')
      ) t (name, writes, who)
  loop
    execute format(
      'create or replace trigger z_check_rights after %s on parking.%I
         for each statement execute function private.check_rights(%s)',
      v.writes, v.name, quote_literal(nullif(v.who, ''))
    );
  end loop;
end;
$$;

create or replace trigger z_check_rights
  after insert or delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0) -- what private.reconcile writes in the name of the owner follows from that
  execute function private.check_rights();

create or replace trigger z_check_staff
  after update on parking.spot_reports
  for each statement
  execute function private.check_rights('staff');

-- Others may write these too. A person who was an administrator when the statement began must still be one.
create or replace trigger z_check_administrator
  after update of is_verified on parking.spots
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');

-- Before the change, which may be that administrators take back their own rights; private.lock_administrators
-- has let the statement go on.
create or replace trigger z_check_administrator
  before update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');
--! EndIncluded rights/check_rights.sql
--! Included sign_in/accounts.sql
create or replace function identity.find_account(
    id uuid,
    out email text,
    out signed_out_at timestamptz
)
  language plpgsql
  stable
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  perform private.require_service();

  select a.address, a.signed_out_at into find_account.email, find_account.signed_out_at
    from identity.accounts a
   where a.id = find_account.id;
end;
$$;

comment on function identity.find_account is
  'The confirmed address of an account, and when what was signed in elsewhere was ended; null where there is no such account.';
grant execute on function identity.find_account to parking_api;
--! EndIncluded sign_in/accounts.sql
--! Included sign_in/codes.sql
/*
 * Everything that may cause a mail is counted here, under the locks of the windows, so that the limits hold
 * for several processes. Known and unknown addresses run the same statements.
 */
create or replace function identity.request_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    address text,
    new_address text default null
)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  c_windows constant text[] := array['code-hour', 'code-day'];
  v_address text;
  v_wait integer;
begin
  perform private.require_service();

  if request_code.is_known is not true
    or identity.charge('known ' || identity.name_of(request_code.address), c_windows, '{5,10}') > 0
  then
    foreach v_address in array array_remove(array[request_code.address, request_code.new_address], null)
    loop
      v_wait := coalesce(
        v_wait,
        -- A building of sixty on its first evening; and no network has all that the building has.
        identity.charge('network ' || request_code.network, c_windows, '{150,400}'),
        identity.charge('address ' || identity.name_of(v_address), c_windows, '{5,10}'),
        identity.charge('building', c_windows, '{300,1000}')
      );
    end loop;
  end if;

  if v_wait is null then
    insert into identity.codes as c (interaction_hash, address, new_address, code_hash, expires_at)
    values (
      request_code.interaction_hash, request_code.address, request_code.new_address,
      request_code.code_hash, clock_timestamp() + interval '10 minutes'
    )
    on conflict on constraint codes_pkey do update
      set address = excluded.address,
          new_address = excluded.new_address,
          code_hash = excluded.code_hash,
          tries = 0,
          expires_at = excluded.expires_at;
  end if;

  return v_wait;
end;
$$;

comment on function identity.request_code is
  'Stores a code for an address, or for a change of it the codes for both. Returns null; where that is too often for the network, an address or the building, returns for how many seconds, and stores nothing.';
grant execute on function identity.request_code to parking_api;

create or replace function identity.try_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    out outcome text,
    out wait integer,
    out account_id uuid,
    out address text
)
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
begin
  perform private.require_service();

  select s.outcome, s.wait, s.address
    into try_code.outcome, try_code.wait, try_code.address
    from identity.spend_code(
      try_code.interaction_hash, try_code.code_hash, try_code.network, try_code.is_known
    ) s;

  if outcome = 'right' then
    select e.account_id, e.opens_in into try_code.account_id, try_code.wait
      from identity.enter_account(try_code.address) e;
    if account_id is null then
      outcome := 'early';
    end if;
  end if;
end;
$$;

comment on function identity.try_code is
  'Uses the code of a sign-in. outcome: right, and account_id is the person; wrong; ended, where there is no code any more; wait, and nothing is tried for so many seconds; early, where an administrator gave the address, and it can be used in so many.';
grant execute on function identity.try_code to parking_api;

/* Right codes are counted too: of requests at the same moment, none is compared before it is counted. */
create or replace function identity.spend_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    out outcome text,
    out wait integer,
    out address text,
    out new_address text
)
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  c_window constant text[] := array['guess-day'];
  v_code_hash bytea;
begin
  -- The row stays locked, so the tries of one sign-in come one after the other.
  update identity.codes c
     set tries = c.tries + 1
   where c.interaction_hash = spend_code.interaction_hash
     and c.tries < 5
     and identity.is_fresh(c.expires_at)
  returning c.address, c.new_address, c.code_hash
       into spend_code.address, spend_code.new_address, v_code_hash;

  if not found then
    outcome := 'ended';
    return;
  end if;

  if spend_code.is_known is not true
    or identity.charge('known ' || identity.name_of(spend_code.address), c_window, '{20}') > 0
  then
    wait := coalesce(
      identity.charge('network ' || spend_code.network, array['guess-hour'], '{200}'),
      identity.charge('address ' || identity.name_of(spend_code.address), c_window, '{20}'),
      case
        when spend_code.new_address is not null
          then identity.charge('address ' || identity.name_of(spend_code.new_address), c_window, '{20}')
      end
    );
  end if;

  if wait is not null then
    outcome := 'wait';
  elsif v_code_hash <> spend_code.code_hash then
    outcome := 'wrong';
  else
    outcome := 'right';
    delete from identity.codes c
     where c.interaction_hash = spend_code.interaction_hash;
  end if;
end;
$$;

comment on function identity.spend_code is
  'Counts an attempt at a code. outcome: right, which uses it up; wrong; ended; wait, and for how many seconds nothing is tried.';

/* A clock that ran ahead when it was made would make it last longer. */
create or replace function identity.is_fresh(expires_at timestamptz)
  returns boolean
  language sql
return is_fresh.expires_at > clock_timestamp()
  and is_fresh.expires_at <= clock_timestamp()::timestamptz(3) + interval '10 minutes';

comment on function identity.is_fresh is
  'Whether a code that ends then can still be used.';

create or replace function identity.pending_address(interaction_hash bytea)
  returns text
  language plpgsql
  stable
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
begin
  perform private.require_service();

  return (
    select coalesce(c.new_address, c.address)
      from identity.codes c
     where c.interaction_hash = pending_address.interaction_hash
       and identity.is_fresh(c.expires_at)
  );
end;
$$;

comment on function identity.pending_address is
  'The address that the code of a sign-in or of a change proves; null where there is no code.';
grant execute on function identity.pending_address to parking_api;

create or replace function identity.name_of(address text)
  returns text
  language sql
  immutable
  set search_path = ''
return encode(sha256(convert_to(name_of.address, 'UTF8')), 'base64');

comment on function identity.name_of is
  'The name under which an address is counted: the table of the counts has no addresses.';

/* The windows of an hour or a day, by their names. */
create or replace function identity.charge(caller text, windows text[], most integer[])
  returns integer
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select max(ceil(c.milliseconds / 1000.0)) filter (where c.charged > m.most)::integer
    from private.charge_rate_limits(
           charge.caller,
           1,
           charge.windows,
           charge.most,
           array(
             select case when w like '%-hour' then 3600 else 86400 end
               from unnest(charge.windows) with ordinality u (w, position)
              order by u.position
           )
         ) with ordinality c (charged, milliseconds, position)
    join unnest(charge.most) with ordinality m (most, position) using (position);
end;

comment on function identity.charge is
  'Charges one point in each window. Null, or for how many seconds one of them is full.';
--! EndIncluded sign_in/codes.sql
--! Included sign_in/documents.sql
create or replace function identity.keep_document(
    model text,
    id_hash bytea,
    uid_hash bytea,
    payload jsonb,
    seconds integer
)
  returns void
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  insert into identity.documents as d (
    model, id_hash, uid_hash, account_id, payload, signed_in_at, expires_at
  )
  values (
    keep_document.model,
    keep_document.id_hash,
    keep_document.uid_hash,
    -- A sign-in belongs to who typed its code, also before the browser goes on.
    coalesce(
      keep_document.payload ->> 'accountId',
      keep_document.payload #>> '{result,login,accountId}'
    )::uuid,
    keep_document.payload,
    to_timestamp((keep_document.payload ->> case keep_document.model
      when 'Session' then 'loginTs'
      when 'RefreshToken' then 'authTime'
      when 'Grant' then 'iat'
    end)::float8),
    clock_timestamp() + make_interval(secs => keep_document.seconds)
  )
  on conflict on constraint documents_pkey do update
    set uid_hash = excluded.uid_hash,
        account_id = excluded.account_id,
        payload = excluded.payload,
        signed_in_at = excluded.signed_in_at,
        expires_at = excluded.expires_at
    -- A request that began before its session was ended stores it afterwards.
    where d.expires_at > clock_timestamp();

  if keep_document.model = 'Interaction' then
    perform identity.prune(2);
  end if;
end;
$$;

comment on function identity.keep_document is
  'Stores a document of the provider, or its new content.';
grant execute on function identity.keep_document to parking_api;

/* It reads the days of the building each time, so a change holds for people who have signed in already. */
create or replace function identity.find_document(
    model text,
    id_hash bytea default null,
    uid_hash bytea default null
)
  returns jsonb
  language plpgsql
  stable
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_days constant integer := (private.building()).session_days;
begin
  perform private.require_service();

  return (
    select d.payload || jsonb_strip_nulls(
             jsonb_build_object('consumed', floor(extract(epoch from d.consumed_at)))
           )
      from identity.documents d
     where d.model = find_document.model
       and (d.id_hash = find_document.id_hash or d.uid_hash = find_document.uid_hash)
       and d.expires_at > clock_timestamp()
       and (
         d.signed_in_at is null
         or d.signed_in_at > clock_timestamp() - make_interval(days => v_days)
       )
     limit 1
  );
end;
$$;

comment on function identity.find_document is
  'The content of a document that has not ended, by the hash of its id or, of a session, of its name.';
grant execute on function identity.find_document to parking_api;

/* One of two requests that use it at once learns that it came second, and ends what came of the first. */
create or replace function identity.consume_document(model text, id_hash bytea)
  returns boolean
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  update identity.documents d
     set consumed_at = clock_timestamp()
   where d.model = consume_document.model
     and d.id_hash = consume_document.id_hash
     and d.consumed_at is null
     and d.expires_at > clock_timestamp();
  if found then
    return true;
  end if;

  perform identity.end_document(sha256(convert_to(d.payload ->> 'grantId', 'UTF8')))
     from identity.documents d
    where d.model = consume_document.model
      and d.id_hash = consume_document.id_hash;
  return false;
end;
$$;

comment on function identity.consume_document is
  'Marks a document as used; false where it has ended, or was used before, which ends its grant.';
grant execute on function identity.consume_document to parking_api;

/*
 * The row stays until it is pruned, so that no request at the same moment stores it anew. Codes and refresh tokens
 * are of no use without their grant.
 */
create or replace function identity.end_document(id_hash bytea)
  returns void
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  update identity.documents d
     set expires_at = clock_timestamp() - interval '1 second'
   where d.id_hash = end_document.id_hash
     and d.expires_at > clock_timestamp();
end;
$$;

comment on function identity.end_document is
  'Ends a document, and with a grant all that came of it.';
grant execute on function identity.end_document to parking_api;

create or replace function identity.end_elsewhere(account_id uuid, kept_hashes bytea[])
  returns integer
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_ended integer;
begin
  perform private.require_service();

  update identity.accounts a
     set signed_out_at = clock_timestamp()
   where a.id = end_elsewhere.account_id;

  -- Not the rows: tokens of a grant that has ended are of no use, although they have not expired.
  v_ended := (
    select count(*)
      from identity.signed_in_elsewhere(end_elsewhere.account_id, end_elsewhere.kept_hashes)
  );

  update identity.documents d
     set expires_at = clock_timestamp() - interval '1 second'
   where d.account_id = end_elsewhere.account_id
     and d.expires_at > clock_timestamp()
     and d.id_hash <> all (end_elsewhere.kept_hashes)
     and (sha256(convert_to(d.payload ->> 'grantId', 'UTF8')) = any (end_elsewhere.kept_hashes)) is not true;
  return v_ended;
end;
$$;

comment on function identity.end_elsewhere is
  'Ends what is signed in as a person, but for one session and its grant. Returns in how many other browsers the person was signed in.';
grant execute on function identity.end_elsewhere to parking_api;

/* Grants, not sessions: a browser may have ended its session, and still have a token of the grant. */
create or replace function identity.signed_in_elsewhere(account_id uuid, kept_hashes bytea[])
  returns setof date
  language plpgsql
  stable
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
begin
  perform private.require_service();

  return query
  select (d.signed_in_at at time zone v_building.time_zone)::date as day
    from identity.documents d
   where d.account_id = signed_in_elsewhere.account_id
     and d.model = 'Grant'
     and d.expires_at > clock_timestamp()
     and d.signed_in_at > clock_timestamp() - make_interval(days => v_building.session_days)
     and d.id_hash <> all (signed_in_elsewhere.kept_hashes)
   order by day desc;
end;
$$;

comment on function identity.signed_in_elsewhere is
  'The days on which a person signed in in other browsers, where they still are, newest first.';
grant execute on function identity.signed_in_elsewhere to parking_api;
--! EndIncluded sign_in/documents.sql
--! Included sign_in/move.sql
/*
 * People keep their ids when a building moves to another identity provider: receivers of webhooks, exports and the
 * log name people by them. So what changes is which sub of a token stands for a person.
 */
create or replace function private.people_by_subject()
  returns table (subject text, id uuid)
  language plpgsql
  stable
  security definer -- the API role has no access to private.users
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select u.subject, u.id
    from private.users u
   where u.subject is not null;
end;
$$;

comment on function private.people_by_subject is
  'The people whose tokens have a sub that is not their id.';
grant execute on function private.people_by_subject to parking_api;

create or replace function private.people_to_move()
  returns table (id uuid, address text, is_confirmed boolean)
  language sql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select u.id, private.address_key(u.email), u.email_confirmed_at is not null
    from private.users u
    join parking.profiles p on p.id = u.id
   where u.erased_at is null;
end;

comment on function private.people_to_move is
  'Everybody who has registered, with the address by which a move knows them.';

/* Two accounts with one address: nobody knows which of them the person of the other provider is. */
create or replace function private.refuse_unclear_move(addresses text[])
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_unclear constant text := (
    select string_agg(distinct a.address, ', ')
      from (
        select u.address
          from unnest(refuse_unclear_move.addresses) u (address)
         group by u.address
        having count(*) > 1
      ) a
  );
begin
  if v_unclear is not null then
    raise exception using
      errcode = 'cardinality_violation',
      message = format('Nobody is moved, because more than one account has the address: %s', v_unclear);
  end if;
end;
$$;

comment on function private.refuse_unclear_move is
  'Fails where an address is there twice.';

create or replace function private.move_to_provider(people jsonb)
  returns setof text
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_known constant text := (
    select string_agg(t.subject, ', ')
      from jsonb_to_recordset(move_to_provider.people) t (address text, subject text)
      join private.users u on u.id::text = lower(t.subject) or u.subject = t.subject
      join parking.profiles p on p.id = u.id
     where u.erased_at is not null
        or private.address_key(u.email) <> private.address_key(t.address)
  );
begin
  perform private.take_turn('administrators'); -- nobody registers meanwhile

  if v_known is not null then
    raise exception using
      errcode = 'unique_violation',
      message = format('Nobody is moved, because other people have registered with the sub: %s', v_known);
  end if;
  perform private.refuse_unclear_move(array(
    select m.address from private.people_to_move() m where m.is_confirmed
  ));
  perform private.refuse_unclear_move(array(
    select private.address_key(t.address)
      from jsonb_to_recordset(move_to_provider.people) t (address text)
  ));

  update private.users u
     set subject = t.subject
    from private.people_to_move() m
    join jsonb_to_recordset(move_to_provider.people) t (address text, subject text)
      on private.address_key(t.address) = m.address
   where u.id = m.id
     and m.is_confirmed;

  delete from identity.codes;
  delete from identity.documents;
  delete from identity.accounts;
  delete from identity.keys;

  return query
  select m.address
    from private.people_to_move() m
    join private.users u on u.id = m.id
   where u.subject is null
   order by m.address;
end;
$$;

comment on function private.move_to_provider is
  'From now on, people sign in with the tokens of another identity provider, by the sub that it has for their confirmed address: [{address, subject}]. Empties the sign-in by mail. Returns the addresses of those who are not moved. For the owner of the database (npm run identity).';

create or replace function private.move_to_mail()
  returns setof text
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  perform private.take_turn('administrators'); -- nobody registers meanwhile

  perform private.refuse_unclear_move(array(
    select m.address from private.people_to_move() m where m.is_confirmed
  ));

  -- Somebody has signed in with the address already, and not registered.
  delete from identity.accounts a
   using private.people_to_move() m
   where a.address = m.address
     and m.is_confirmed
     and a.id <> m.id;

  insert into identity.accounts as a (id, address)
  select m.id, m.address
    from private.people_to_move() m
   where m.is_confirmed
  on conflict on constraint accounts_pkey do update
    set address = excluded.address;

  update private.users u
     set subject = null
   where u.subject is not null;

  return query
  select m.address
    from private.people_to_move() m
   where not m.is_confirmed
   order by m.address;
end;
$$;

comment on function private.move_to_mail is
  'From now on, people sign in by mail, with their confirmed address. Returns the addresses of those who are not moved, because the provider never confirmed theirs. For the owner of the database (npm run identity).';

create or replace function identity.people_without_account()
  returns integer
  language plpgsql
  stable
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  perform private.require_service();

  return (
    select count(*)
      from parking.profiles p
      join private.users u on u.id = p.id
     where u.erased_at is null
       and not exists (select from identity.accounts a where a.id = p.id)
  );
end;
$$;

comment on function identity.people_without_account is
  'How many people have registered who cannot sign in by mail: with another identity provider.';
grant execute on function identity.people_without_account to parking_api;
--! EndIncluded sign_in/move.sql
--! Included sign_in/passkeys.sql
create or replace function identity.list_passkeys(account_id uuid)
  returns setof identity.passkeys
  language plpgsql
  stable
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select p.*
    from identity.passkeys p
   where p.account_id = list_passkeys.account_id
   order by p.created_at, p.id;
end;
$$;

comment on function identity.list_passkeys is
  'The passkeys of a person, oldest first.';
grant execute on function identity.list_passkeys to parking_api;

/*
 * The lock of the account lets two requests count one after the other. Signing out elsewhere comes first, or waits:
 * access tokens last up to an hour after their sign-in was ended, and a passkey would outlast them.
 */
create or replace function identity.add_passkey(
    account_id uuid,
    issued_at timestamptz,
    credential_id bytea,
    public_key bytea,
    counter bigint,
    transports text[],
    is_backed_up boolean,
    name text
)
  returns identity.passkeys
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_count integer;
  v_passkey identity.passkeys;
begin
  perform private.require_service();

  perform
     from identity.accounts a
    where a.id = add_passkey.account_id
      and (a.signed_out_at < add_passkey.issued_at) is not false -- it is in whole seconds, rounded down
      for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'Account not found';
  end if;

  select count(*) into v_count from identity.passkeys p where p.account_id = add_passkey.account_id;
  if v_count >= 10 then
    raise sqlstate 'PT409' using message = 'You have ten passkeys already; remove one of them first';
  end if;

  perform identity.charge_passkey(add_passkey.account_id);
  insert into identity.passkeys as p (
    account_id, credential_id, public_key, counter, transports, is_backed_up, name
  )
  values (
    add_passkey.account_id, add_passkey.credential_id, add_passkey.public_key, add_passkey.counter,
    add_passkey.transports, add_passkey.is_backed_up, add_passkey.name
  )
  on conflict on constraint passkeys_credential_id_key do nothing
  returning p.* into v_passkey;
  if not found then
    raise sqlstate 'PT409' using message = 'There is such a passkey already';
  end if;

  return v_passkey;
end;
$$;

comment on function identity.add_passkey is
  'Adds a passkey of a person, who may have ten.';
grant execute on function identity.add_passkey to parking_api;

create or replace function identity.remove_passkey(account_id uuid, id uuid)
  returns text
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_name text;
begin
  perform private.require_service();

  delete from identity.passkeys p
   where p.id = remove_passkey.id
     and p.account_id = remove_passkey.account_id
  returning p.name into v_name;
  if found then
    perform identity.charge_passkey(remove_passkey.account_id);
  end if;
  return v_name;
end;
$$;

comment on function identity.remove_passkey is
  'Removes a passkey of a person and returns its name; null where the person has no such one.';
grant execute on function identity.remove_passkey to parking_api;

create or replace function identity.find_passkey(credential_id bytea)
  returns setof identity.passkeys
  language plpgsql
  stable
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select p.*
    from identity.passkeys p
   where p.credential_id = find_passkey.credential_id;
end;
$$;

comment on function identity.find_passkey is
  'The passkey with this name, to check its signature.';
grant execute on function identity.find_passkey to parking_api;

/* The counter is compared again: two sign-ins may have read the same one. */
create or replace function identity.use_passkey(credential_id bytea, counter bigint, is_backed_up boolean)
  returns text
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_account_id uuid;
  v_address text;
begin
  perform private.require_service();

  update identity.passkeys p
     set counter = use_passkey.counter,
         is_backed_up = use_passkey.is_backed_up,
         last_used_at = clock_timestamp()
   where p.credential_id = use_passkey.credential_id
     and (p.counter < use_passkey.counter or (p.counter = 0 and use_passkey.counter = 0))
  returning p.account_id into v_account_id;

  update identity.accounts a
     set signed_in_at = now()
   where a.id = v_account_id
  returning a.address into v_address;
  return v_address;
end;
$$;

comment on function identity.use_passkey is
  'Notes that a passkey signed its person in, and returns the address of the account; null where the passkey is gone, or its counter is not higher.';
grant execute on function identity.use_passkey to parking_api;

create or replace function identity.charge_passkey(account_id uuid)
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
begin
  if identity.charge('account ' || charge_passkey.account_id, array['passkey-day'], '{30}') > 0 then
    raise sqlstate 'PT429' using message = 'You changed your passkeys too often today';
  end if;
end;
$$;

comment on function identity.charge_passkey is
  'Refuses a person whose passkeys change more than thirty times a day: each time is a mail.';
--! EndIncluded sign_in/passkeys.sql
--! Included sign_in/prune.sql
/*
 * Anybody who opens the page writes a sign-in, so each new one deletes two that have ended: the table does not
 * grow between two runs of the job.
 */
create or replace function identity.prune(most integer)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the tables
  set search_path = ''
as $body$
declare
  v_days constant integer := (private.building()).session_days;
  v_table text;
  v_condition text;
  v_rows integer;
  v_pruned integer := 0; -- of the table with the most
begin
  perform private.require_service();

  for v_table, v_condition in
    values -- A request that is under way would store a document anew whose row is gone, also one that was ended.
           ('documents', $$t.expires_at < clock_timestamp() - interval '1 minute'$$),
           ('documents', 't.signed_in_at < clock_timestamp() - make_interval(days => $2)'),
           ('codes', 't.expires_at < clock_timestamp()'),
           -- Nobody is signed in for longer than a year, and who never registered has nothing here but an address.
           (
             'accounts',
             $$t.signed_in_at < clock_timestamp() - interval '366 days'
               and not exists (select from private.users u where u.id = t.id)$$
           )
  loop
    execute format(
      $query$
        delete from identity.%1$I e
         where e.ctid = any (array(
           select t.ctid
             from identity.%1$I t
            where %2$s
            limit $1
              for update skip locked
         ))
      $query$,
      v_table, v_condition
    ) using prune.most, v_days;
    get diagnostics v_rows = row_count;
    v_pruned := greatest(v_pruned, v_rows);
  end loop;

  return v_pruned;
end;
$body$;

comment on function identity.prune is
  'Deletes what has ended, at most so many rows of each table, and returns how many of the table with the most.';
--! EndIncluded sign_in/prune.sql
--! Included sign_in/signing_keys.sql
create or replace function identity.list_keys()
  returns table (kid text, sealed bytea, is_due boolean)
  language plpgsql
  stable
  security definer -- the API role has no access to the keys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select k.kid, k.sealed, k.created_at < now() - interval '90 days'
    from identity.keys k
   order by k.created_at desc, k.kid;
end;
$$;

comment on function identity.list_keys is
  'The keys that sign tokens, newest first, and whether it is time for a newer one.';
grant execute on function identity.list_keys to parking_api;

/* The first of several processes that start at once adds its key. */
create or replace function identity.add_key(kid text, sealed bytea, newest text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the keys
  set search_path = ''
as $$
begin
  perform private.require_service();

  lock table identity.keys in share row exclusive mode;

  insert into identity.keys (kid, sealed, created_at)
  select add_key.kid, add_key.sealed, clock_timestamp()
   where add_key.newest is not distinct from (
     select k.kid
       from identity.keys k
      order by k.created_at desc, k.kid
      limit 1
   );

  delete from identity.keys k
   where k.kid not in (
     select n.kid
       from identity.keys n
      order by n.created_at desc, n.kid
      limit 2
   );
end;
$$;

comment on function identity.add_key is
  'Adds a key to sign tokens with, unless another came after the newest one that the caller knows. The two newest stay.';
grant execute on function identity.add_key to parking_api;
--! EndIncluded sign_in/signing_keys.sql
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
         b.counted || b.bound as counted,
         count(*) as number
    from (
      select k.day, n.counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       cross join lateral (
         values ('windows', not a.is_hidden), ('claimed', a.is_claimed)
       ) n (counted, is_counted)
       where n.is_counted
      union all
      select k.day, c.status, k.bound
        from parking.claims c
       cross join lateral (
         values (private.utc_day(c.start_time), '_started'), (private.utc_day(c.end_time), '_ended')
       ) k (day, bound)
    ) b
   group by b.day, b.counted, b.bound;

comment on view private.actual_counts is
  'The counts as the windows and claims give them. Slow: reads all of them.';
comment on column private.actual_counts.day is
  'The day in UTC.';
comment on column private.actual_counts.counted is
  'The column of private.day_counts.';
comment on column private.actual_counts.number is
  'How many there are.';

/* Counts can only differ from the rows where somebody wrote with triggers turned off, or truncated a table. */
create or replace view private.count_drifts
  with (security_invoker)
as
  select b.day, b.counted, sum(b.kept) as kept, sum(b.actual) as actual
    from (
      select a.day, a.counted, 0 as kept, a.number as actual
        from private.actual_counts a
      union all
      select d.day, n.key, n.value::integer, 0
        from private.day_counts d
       cross join lateral jsonb_each_text(to_jsonb(d) - '{id,day}'::text[]) n
    ) b
   group by b.day, b.counted
  having sum(b.kept) <> sum(b.actual);

comment on view private.count_drifts is
  'The counts that differ from the windows and claims: no row while all is well. Slow: reads all of them.';
comment on column private.count_drifts.day is
  'The day in UTC.';
comment on column private.count_drifts.counted is
  'The column of private.day_counts.';
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
  -- A writer of windows or claims writes this table after them. With this lock, those who have counted have
  -- committed; the others wait here, and add to the new counts. Windows and claims are not locked: writers take
  -- them in any order.
  lock table private.day_counts in share row exclusive mode;

  delete from private.day_counts;
  insert into private.day_counts overriding user value -- its id is generated
  select c.*
    from (
      select a.day, jsonb_object_agg(a.counted, a.number) as counts
        from private.actual_counts a
       group by a.day
    ) d
   cross join lateral jsonb_populate_record(
     row(null, d.day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::private.day_counts, d.counts
   ) c
   order by c.day;
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
  v_secret constant text := 'whsec_' || encode(private.new_secret(), 'base64');
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
--! Included mails/views.sql
/*
 * The people who can be reached, once for each channel. An address that the identity provider did not confirm
 * may belong to somebody else, who must not read it; a device belongs to the person who signed in there. A
 * person who is not approved reads only that they were rejected.
 */
create or replace view private.recipients
  with (security_invoker)
as
  select p.id,
         c.channel,
         u.email,
         p.is_admin,
         case
         when p.is_approved then c.kinds
         else array(select k.kind from unnest(c.kinds) k (kind) where k.kind = 'profile.rejected')
       end as kinds,
         coalesce(f.language, b.language) as language,
         coalesce(f.remind_minutes, b.remind_minutes) as remind_minutes
    from parking.profiles p
    join private.users u on u.id = p.id
   cross join parking.building b
    left join parking.preferences f on f.person_id = p.id
   cross join lateral (
     values ('mail', coalesce(f.mail, b.mail), u.email_confirmed_at is not null),
            (
              'push',
              coalesce(f.push, b.mail),
              exists (select from parking.push_subscriptions s where s.person_id = p.id)
            )
   ) c (channel, kinds, is_reached)
   where (p.is_approved or p.rejection_reason is not null)
     and u.erased_at is null
     and c.is_reached;

comment on view private.recipients is
  'People who are approved, or rejected, and what they want by mail, if their address is confirmed, and by push, if they have a device.';
comment on column private.recipients.id is
  'The person.';
comment on column private.recipients.channel is
  'mail or push.';
comment on column private.recipients.email is
  'The address.';
comment on column private.recipients.is_admin is
  'Whether the person is an administrator.';
comment on column private.recipients.kinds is
  'The kinds of messages that the person gets by this channel.';
comment on column private.recipients.language is
  'The language of the messages.';
comment on column private.recipients.remind_minutes is
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
--! Included address_changes/rules/address_changes_not_of_oneself.sql
/* A stolen session of an administrator would otherwise be enough to take the account over. */
alter table private.address_changes
  drop constraint if exists address_changes_not_of_oneself,
  add constraint address_changes_not_of_oneself
    check (given_by <> account_id);

comment on constraint address_changes_not_of_oneself on private.address_changes is
  E'@status 403\n@de Ihre eigene Adresse ändern Sie in Ihrem Profil, mit einem Code an beide Adressen.\nYou change your own address in your profile, with a code to both addresses';
--! EndIncluded address_changes/rules/address_changes_not_of_oneself.sql
--! Included address_changes/rules/address_changes_of_an_account.sql
alter table private.address_changes
  drop constraint if exists address_changes_of_an_account,
  add constraint address_changes_of_an_account
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade;

comment on constraint address_changes_of_an_account on private.address_changes is
  E'@status 409\n@de Diese Person meldet sich nicht per E-Mail an.\nThis person does not sign in by mail';
--! EndIncluded address_changes/rules/address_changes_of_an_account.sql
--! Included address_changes/rules/address_changes_to_a_mailbox.sql
alter table private.address_changes
  drop constraint if exists address_changes_to_a_mailbox,
  add constraint address_changes_to_a_mailbox
    check (private.is_one_line(new_address, 3, 320) and private.is_invited_email(new_address, 'open'));

comment on constraint address_changes_to_a_mailbox on private.address_changes is
  E'@field email\n@de Das ist keine E-Mail-Adresse mit höchstens 320 Zeichen.\nemail must be an address of at most 320 characters';
--! EndIncluded address_changes/rules/address_changes_to_a_mailbox.sql
--! Included address_changes/rules/address_changes_to_another.sql
alter table private.address_changes
  drop constraint if exists address_changes_to_another,
  add constraint address_changes_to_another
    check (new_address <> old_address);

comment on constraint address_changes_to_another on private.address_changes is
  E'@field email\n@de Mit dieser Adresse meldet sich die Person schon an.\nThe person signs in with this address already';
--! EndIncluded address_changes/rules/address_changes_to_another.sql
--! Included availabilities/rules/availabilities_no_longer_than_allowed.sql
create or replace trigger availabilities_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.enforce_limit('longest_window_days');

comment on trigger availabilities_no_longer_than_allowed on parking.availabilities is
  E'@field end_time\n@de So lange darf ein Stellplatz nicht auf einmal geteilt werden.\nThe window is longer than the building allows';
--! EndIncluded availabilities/rules/availabilities_no_longer_than_allowed.sql
--! Included availabilities/rules/availabilities_within_horizon.sql
create or replace trigger availabilities_within_horizon
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.enforce_limit('horizon_days');

comment on trigger availabilities_within_horizon on parking.availabilities is
  E'@field end_time\n@de So weit im Voraus darf nicht geteilt werden.\nThe window ends further ahead than the building allows';
--! EndIncluded availabilities/rules/availabilities_within_horizon.sql
--! Included claim_series/rules/claim_series_all_or_none.sql
alter domain private.claim_series drop constraint if exists claim_series_all_or_none;
alter domain private.claim_series add constraint claim_series_all_or_none
  check ((value).all_or_none is not true or (value).number_of_claims is null or (value).number_of_claims = (value).number_of_days);

comment on constraint claim_series_all_or_none on domain private.claim_series is
  E'@status 409\n@de Nicht alle diese Tage sind zu haben.\nNot all of these days can be claimed';
--! EndIncluded claim_series/rules/claim_series_all_or_none.sql
--! Included claim_series/rules/claim_series_claim_something.sql
alter domain private.claim_series drop constraint if exists claim_series_claim_something;
alter domain private.claim_series add constraint claim_series_claim_something
  check ((value).number_of_claims > 0);

comment on constraint claim_series_claim_something on domain private.claim_series is
  E'@status 409\n@de Keiner dieser Tage ist zu haben.\nNone of these days can be claimed';
--! EndIncluded claim_series/rules/claim_series_claim_something.sql
--! Included claim_series/rules/claim_series_days_are_calendar_dates.sql
-- Not in 9999: what ends a day later would be of a year that no answer can name.
alter domain private.claim_series drop constraint if exists claim_series_days_are_calendar_dates;
alter domain private.claim_series add constraint claim_series_days_are_calendar_dates
  check (((value).first_day >= '0001-01-01' and (value).last_day < '9999-01-01') is true);

comment on constraint claim_series_days_are_calendar_dates on domain private.claim_series is
  E'@de Das Jahr muss zwischen 1 und 9998 liegen.\nfirst_day and last_day must lie in the years 1 to 9998';
--! EndIncluded claim_series/rules/claim_series_days_are_calendar_dates.sql
--! Included claim_series/rules/claim_series_first_day_before_last.sql
alter domain private.claim_series drop constraint if exists claim_series_first_day_before_last;
alter domain private.claim_series add constraint claim_series_first_day_before_last
  check ((value).first_day <= (value).last_day);

comment on constraint claim_series_first_day_before_last on domain private.claim_series is
  E'@field last_day\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nlast_day must not be before first_day';
--! EndIncluded claim_series/rules/claim_series_first_day_before_last.sql
--! Included claim_series/rules/claim_series_of_60_days_at_most.sql
-- Each claim is a subtransaction of its own, and PostgreSQL keeps 64 of them at hand. A request holds what it claims until its end.
alter domain private.claim_series drop constraint if exists claim_series_of_60_days_at_most;
alter domain private.claim_series add constraint claim_series_of_60_days_at_most
  check ((value).number_of_days <= 60);

comment on constraint claim_series_of_60_days_at_most on domain private.claim_series is
  E'@field last_day\n@de Eine Serie kann höchstens 60 Tage umfassen. Wählen Sie einen früheren letzten Tag.\nA series must not have more than 60 days';
--! EndIncluded claim_series/rules/claim_series_of_60_days_at_most.sql
--! Included claim_series/rules/claim_series_of_half_a_year_at_most.sql
alter domain private.claim_series drop constraint if exists claim_series_of_half_a_year_at_most;
alter domain private.claim_series add constraint claim_series_of_half_a_year_at_most
  check ((value).last_day - (value).first_day < 184);

comment on constraint claim_series_of_half_a_year_at_most on domain private.claim_series is
  E'@field last_day\n@de Eine Serie kann höchstens 184 Tage lang sein.\nA series must not be longer than 184 days';
--! EndIncluded claim_series/rules/claim_series_of_half_a_year_at_most.sql
--! Included claim_series/rules/claim_series_times_are_of_a_day.sql
alter domain private.claim_series drop constraint if exists claim_series_times_are_of_a_day;
alter domain private.claim_series add constraint claim_series_times_are_of_a_day
  check (((value).starts_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and (value).ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$') is true);

comment on constraint claim_series_times_are_of_a_day on domain private.claim_series is
  E'@de Die Uhrzeiten müssen zwischen 00:00 und 23:59 liegen.\nstarts_at and ends_at must be times from 00:00 to 23:59';
--! EndIncluded claim_series/rules/claim_series_times_are_of_a_day.sql
--! Included claim_series/rules/claim_series_weekdays_are_known.sql
alter domain private.claim_series drop constraint if exists claim_series_weekdays_are_known;
alter domain private.claim_series add constraint claim_series_weekdays_are_known
  check (private.are_weekdays((value).weekdays) is true);

comment on constraint claim_series_weekdays_are_known on domain private.claim_series is
  E'@field weekdays\n@de Wählen Sie einen oder mehrere Wochentage.\nweekdays must be one or more different days of MO, TU, WE, TH, FR, SA and SU';
--! EndIncluded claim_series/rules/claim_series_weekdays_are_known.sql
--! Included favorite_spots/rules/favorite_spots_100_at_most.sql
-- After the insert: a second star for a spot, which is none, counts nothing. The page reads them in one request.
create or replace trigger favorite_spots_100_at_most
  after insert on parking.favorite_spots
  for each row
  execute function private.enforce_few('100', 'person_id');

comment on trigger favorite_spots_100_at_most on parking.favorite_spots is
  E'@status 409\n@de Sie haben hundert Lieblingsplätze. Nehmen Sie erst einen davon weg.\nYou have 100 favorite spots: remove one of them first';
--! EndIncluded favorite_spots/rules/favorite_spots_100_at_most.sql
--! Included favorite_spots/rules/favorite_spots_of_a_resident.sql
alter table parking.favorite_spots
  drop constraint if exists favorite_spots_of_a_resident,
  add constraint favorite_spots_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint favorite_spots_of_a_resident on parking.favorite_spots is
  E'@status 404\nUser profile not found';
--! EndIncluded favorite_spots/rules/favorite_spots_of_a_resident.sql
--! Included favorite_spots/rules/favorite_spots_of_a_spot.sql
alter table parking.favorite_spots
  drop constraint if exists favorite_spots_of_a_spot,
  add constraint favorite_spots_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint favorite_spots_of_a_spot on parking.favorite_spots is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
--! EndIncluded favorite_spots/rules/favorite_spots_of_a_spot.sql
--! Included passages/rules/passages_direction_is_known.sql
alter table parking.passages
  drop constraint if exists passages_direction_is_known,
  add constraint passages_direction_is_known
    check (direction in ('in', 'out'));

comment on constraint passages_direction_is_known on parking.passages is
  E'@field direction\n@de Ein Fahrzeug fährt hinein (in) oder hinaus (out).\ndirection must be in or out';
--! EndIncluded passages/rules/passages_direction_is_known.sql
--! Included passages/rules/passages_vehicle_is_a_plate.sql
alter table parking.passages
  drop constraint if exists passages_vehicle_is_a_plate,
  add constraint passages_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) = vehicle);

comment on constraint passages_vehicle_is_a_plate on parking.passages is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Buchstaben und Ziffern.\nvehicle must be the 1 to 16 letters and digits of a plate';
--! EndIncluded passages/rules/passages_vehicle_is_a_plate.sql
--! Included preferences/rules/preferences_push_is_of_known_kinds.sql
alter table parking.preferences
  drop constraint if exists preferences_push_is_of_known_kinds,
  add constraint preferences_push_is_of_known_kinds
    check (private.are_mail_kinds(push));

comment on constraint preferences_push_is_of_known_kinds on parking.preferences is
  E'@field push\n@de Wählen Sie jede Art von Mitteilung einmal.\npush must be different known kinds of messages';
--! EndIncluded preferences/rules/preferences_push_is_of_known_kinds.sql
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
    is_approved, is_admin, is_concierge, is_suspended, rejection_reason
  )
  on parking.profiles to parking_api;
--! EndIncluded profiles/policies.sql
--! Included profiles/rules/administrator_required.sql
create or replace trigger administrator_required
  before update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin, new.is_concierge, new.is_suspended, new.rejection_reason)
      is distinct from
        (old.is_approved, old.is_admin, old.is_concierge, old.is_suspended, old.rejection_reason)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  E'@de Das darf nur die Verwaltung.\nAdministrator privileges required';
--! EndIncluded profiles/rules/administrator_required.sql
--! Included profiles/rules/profiles_concierges_by_groups.sql
create or replace trigger profiles_concierges_by_groups
  before update of is_concierge on parking.profiles
  for each row
  when (
    new.is_concierge <> old.is_concierge
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and private.decided_by_groups('is_concierge') is not null
  )
  execute function private.enforce_rule();

comment on trigger profiles_concierges_by_groups on parking.profiles is
  E'@status 409\n@de Wer Concierge ist, entscheiden die Gruppen Ihres Anmeldedienstes.\nThe identity provider decides who is a concierge';
--! EndIncluded profiles/rules/profiles_concierges_by_groups.sql
--! Included profiles/rules/profiles_erased_stay_erased.sql
create or replace trigger profiles_erased_stay_erased
  before update of
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin,
    is_concierge, rejection_reason
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle,
      new.is_approved, new.is_admin, new.is_concierge, new.rejection_reason
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle,
      old.is_approved, old.is_admin, old.is_concierge, old.rejection_reason
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  E'@de Dieses Konto wurde gelöscht.\nThis account was erased';
--! EndIncluded profiles/rules/profiles_erased_stay_erased.sql
--! Included push_key/rules/push_key_is_a_pair.sql
alter table private.push_key
  drop constraint if exists push_key_is_a_pair,
  add constraint push_key_is_a_pair
    check (
      public_key ~ '^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$'
      and private_key ~ '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
    );

comment on constraint push_key_is_a_pair on private.push_key is
  'The key of pushes is a point of P-256 and 32 bytes, in base64url';
--! EndIncluded push_key/rules/push_key_is_a_pair.sql
--! Included push_key/rules/push_key_is_one.sql
create unique index if not exists push_key_is_one on private.push_key ((true));

comment on index private.push_key_is_one is
  'There is one key of pushes';
--! EndIncluded push_key/rules/push_key_is_one.sql
--! Included push_subscriptions/rules/push_subscriptions_auth_is_a_secret.sql
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_auth_is_a_secret,
  add constraint push_subscriptions_auth_is_a_secret
    check (auth ~ '^[A-Za-z0-9_-]{21}[AQgw]$');

comment on constraint push_subscriptions_auth_is_a_secret on parking.push_subscriptions is
  E'@field auth\n@de Das Geheimnis des Browsers ist keines für Mitteilungen.\nauth must be 16 bytes in base64url without padding';
--! EndIncluded push_subscriptions/rules/push_subscriptions_auth_is_a_secret.sql
--! Included push_subscriptions/rules/push_subscriptions_endpoint_is_https.sql
-- A first look only: where a name leads is checked when something is sent (src/webhooks/target.ts).
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_endpoint_is_https,
  add constraint push_subscriptions_endpoint_is_https
    check (endpoint ~ '^https://[^/?#@\\\s]+([/?#][^\s]*)?$');

comment on constraint push_subscriptions_endpoint_is_https on parking.push_subscriptions is
  E'@field endpoint\n@de Die Adresse für Mitteilungen muss mit https:// beginnen und darf weder Namen noch Passwort enthalten.\nendpoint must begin with https:// and have no name or password in it';
--! EndIncluded push_subscriptions/rules/push_subscriptions_endpoint_is_https.sql
--! Included push_subscriptions/rules/push_subscriptions_endpoint_is_one_line.sql
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_endpoint_is_one_line,
  add constraint push_subscriptions_endpoint_is_one_line
    check (private.is_one_line(endpoint, 1, 1000));

comment on constraint push_subscriptions_endpoint_is_one_line on parking.push_subscriptions is
  E'@field endpoint\n@de Die Adresse für Mitteilungen hat 1 bis 1000 Zeichen in einer Zeile.\nendpoint must be 1 to 1000 characters on one line';
--! EndIncluded push_subscriptions/rules/push_subscriptions_endpoint_is_one_line.sql
--! Included push_subscriptions/rules/push_subscriptions_endpoint_key.sql
comment on constraint push_subscriptions_endpoint_key on parking.push_subscriptions is
  E'@status 409\n@field endpoint\n@de Dieses Gerät wird gerade für jemand anderen angemeldet. Versuchen Sie es noch einmal.\nThis device is being subscribed by somebody else; try again';
--! EndIncluded push_subscriptions/rules/push_subscriptions_endpoint_key.sql
--! Included push_subscriptions/rules/push_subscriptions_of_a_resident.sql
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_of_a_resident,
  add constraint push_subscriptions_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint push_subscriptions_of_a_resident on parking.push_subscriptions is
  E'@status 404\n@de Dieses Profil gibt es nicht mehr.\nUser profile not found';
--! EndIncluded push_subscriptions/rules/push_subscriptions_of_a_resident.sql
--! Included push_subscriptions/rules/push_subscriptions_p256dh_is_a_point.sql
-- 65 bytes, the first of which is 4. Whether the point is on the curve is found out when something is sent.
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_p256dh_is_a_point,
  add constraint push_subscriptions_p256dh_is_a_point
    check (p256dh ~ '^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$');

comment on constraint push_subscriptions_p256dh_is_a_point on parking.push_subscriptions is
  E'@field p256dh\n@de Der Schlüssel des Browsers ist keiner für Mitteilungen.\np256dh must be an uncompressed point of P-256 in base64url without padding';
--! EndIncluded push_subscriptions/rules/push_subscriptions_p256dh_is_a_point.sql
--! Included push_subscriptions/rules/push_subscriptions_ten_at_most.sql
-- A message is sent to each of them. The lock of the profile has an erasure wait, or waits for it.
create or replace trigger push_subscriptions_ten_at_most
  before insert on parking.push_subscriptions
  for each row
  execute function private.enforce_few('10', 'person_id', 'true', 'profile');

comment on trigger push_subscriptions_ten_at_most on parking.push_subscriptions is
  E'@status 409\n@de Sie bekommen schon auf zehn Geräten Mitteilungen. Beenden Sie sie erst auf einem davon.\nYou get messages on ten devices already; end them on one of these first';
--! EndIncluded push_subscriptions/rules/push_subscriptions_ten_at_most.sql
--! Included rights/account_required.sql
/*
 * Two rules that many tables have: people who are not approved see and change nothing of what residents share, and
 * only administrators what is theirs. A table keeps the policy that it has, for a new one would lock it.
 */
do $$
declare
  v record;
begin
  for v in
    select r.name as rule, r.condition, r.comment, t.name as "table"
      from (
        values (
          'approved_account_required',
          '(select private.is_approved())',
          E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved',
          array[
            'availabilities', 'building', 'calendar_feeds', 'claims', 'exceptions', 'favorite_spots',
            'limits', 'notifications', 'patterns', 'spot_access', 'spot_reports', 'spots', 'wishes'
          ]
        ),
        (
          'administrator_required',
          '(select private.is_administrator())',
          E'@de Das darf nur die Verwaltung.\nAdministrator privileges required',
          array['invitations', 'keys', 'passages', 'webhooks']
        )
      ) r (name, condition, comment, tables)
     cross join unnest(r.tables) t (name)
  loop
    if not exists (
      select
        from pg_catalog.pg_policies p
       where (p.schemaname, p.tablename, p.policyname) = ('parking', v."table", v.rule)
    ) then
      execute format(
        'create policy %I on parking.%I as restrictive to parking_api using (%s)',
        v.rule, v."table", v.condition
      );
    end if;
    execute format('comment on policy %I on parking.%I is %L', v.rule, v."table", v.comment);
  end loop;
end;
$$;
--! EndIncluded rights/account_required.sql
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
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by, made_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by, made_by}'::text[] || jsonb_build_object(
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
  select 'favorite_spots', f.person_id, f.id, to_jsonb(f)
    from parking.favorite_spots f
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
  select 'keys', k.maker_id, k.id, to_jsonb(k) - 'secret_hash'
    from parking.keys k
  union all
  select 'passkeys', p.account_id, p.id, to_jsonb(p) - '{credential_id,public_key,counter}'::text[]
    from identity.passkeys p
  union all
  select 'calendar_feed', f.person_id, f.person_id, to_jsonb(f) - 'secret_hash'
    from parking.calendar_feeds f
  union all
  select 'push_subscriptions', s.person_id, s.person_id, to_jsonb(s) - '{p256dh,auth}'::text[]
    from parking.push_subscriptions s
  union all
  select 'sign_in_account', a.id, a.id, to_jsonb(a)
    from identity.accounts a
  union all
  select 'sign_ins', d.account_id, d.account_id, jsonb_build_object(
           'signed_in_at', d.signed_in_at, 'expires_at', d.expires_at
         )
    from identity.documents d
   where d.model = 'Session'
     and d.account_id is not null
     and d.expires_at > clock_timestamp()
  union all
  select 'address_changes', c.account_id, c.id, to_jsonb(c) - 'given_by'
    from private.address_changes c
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
    -- The log names only what an event is about. What is deleted is found by its deletion.
    from (
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
       where e.type in ('spot.deleted', 'claim.deleted')
    ) s
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
  select 'counts', c.claimer_id, c.claimer_id, jsonb_build_object(
           'person_id', c.claimer_id, 'counted', c.status, 'number', count(*)
         )
    from parking.claims c
   group by c.claimer_id, c.status;

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
