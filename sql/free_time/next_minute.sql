/* Windows start in the future, and on full minutes. */
create or replace function private.next_minute()
  returns timestamptz
  language sql
  volatile
return date_trunc('minute', clock_timestamp() + interval '90 seconds');

comment on function private.next_minute is
  'The first full minute that is at least half a minute away.';
grant execute on function private.next_minute to parking_api;
