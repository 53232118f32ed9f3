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
