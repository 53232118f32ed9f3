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
