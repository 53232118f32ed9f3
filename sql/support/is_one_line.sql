/* What every text that people type has in common: some characters on one line, tidy at both ends. */
create or replace function private.is_one_line(value text, shortest integer, longest integer)
  returns boolean
  language sql
  immutable
  parallel safe
return char_length(value) between shortest and longest
  and value !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
  and value !~ '^[\s\u00a0\ufeff]|[\s\u00a0\ufeff]$';

comment on function private.is_one_line is
  'Whether a text has shortest to longest characters, no control characters and no white space around it. Null gives null.';
grant execute on function private.is_one_line to parking_api;
