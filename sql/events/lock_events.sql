/* A change of past events locks the order first. Otherwise it would miss an event that is moved meanwhile. */
create or replace function private.lock_events()
  returns void
  language sql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select from private.last_position for update;
end;

comment on function private.lock_events is
  'Keeps events where they are until the transaction ends.';
