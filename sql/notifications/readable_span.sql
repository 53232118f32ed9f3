/* Times as people read them in a notification. */
create or replace function private.readable_span(start_time timestamptz, end_time timestamptz)
  returns text
  language sql
  stable
  parallel safe
return format(
  'from %s to %s UTC',
  to_char(start_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
  to_char(end_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
);

comment on function private.readable_span is
  'From when to when, in UTC and to the minute.';
