create or replace function private.without_names(value text, names text[])
  returns text
  language sql
  immutable
return coalesce(
  (
    select regexp_replace(
             without_names.value,
             -- The longest first; as whole words where words have spaces between them.
             string_agg(
               case
                 when private.is_of_script_without_spaces(n.name) then escaped.name
                 else '(?<!\w)' || escaped.name || '(?!\w)'
               end,
               '|' order by char_length(n.name) desc
             ),
             'erased',
             'gi'
           )
      from unnest(without_names.names) n (name)
     cross join lateral (values (regexp_replace(n.name, '([^\w\s])', '\\\1', 'g'))) escaped (name)
     -- A person may have had thousands of names, and PostgreSQL fails on an expression of so many.
     where position(upper(n.name) in upper(without_names.value)) > 0
  ),
  without_names.value
);

comment on function private.without_names is
  'The text with "erased" for each of these names.';
