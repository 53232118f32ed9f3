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
