/* Nobody offers a spot for one millisecond: of a window that is so short, the cancelled claims are kept. */
create or replace function private.is_put_away(start_time timestamptz, end_time timestamptz)
  returns boolean
  language sql
  immutable
  parallel safe
return end_time - start_time = interval '1 millisecond';

comment on function private.is_put_away is
  'Whether a window with these times was withdrawn (private.withdraw_window), and is no offer any more.';
grant execute on function private.is_put_away to parking_api, parking_reporter;
