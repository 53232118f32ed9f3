/* The one format in which times leave the database. */
create or replace function private.iso8601(moment timestamptz)
  returns text
  language sql
  stable
  parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

comment on function private.iso8601 is
  'A time in UTC with milliseconds, as JavaScript''s toISOString() writes it.';
