/* Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese: names stand in the middle of other letters. */
create or replace function private.is_of_script_without_spaces(name text)
  returns boolean
  language sql
  immutable
return name ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\U00020000-\U0003ffff]';

comment on function private.is_of_script_without_spaces is
  'Whether a name has letters of a script that puts no spaces between words, or none between a name and what follows.';
