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
