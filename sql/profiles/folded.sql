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
