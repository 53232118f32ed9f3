/* For api.get_events: where a stream begins. */
create or replace function private.current_position()
  returns bigint
  language sql
  stable
  security definer -- the API role has no access to the log; a number says nothing of what is in it
  set search_path = ''
return (
  select l.position
    from private.last_position l
   where (select private.is_approved())
);

comment on function private.current_position is
  'The position of the last event; null, where the caller is not approved.';
grant execute on function private.current_position to parking_api;
