/* An exception that published a window published its rest too. */
create or replace function private.note_rest(window_id uuid, rest_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
begin
  insert into private.exception_changes (exception_id, window_id, start_time, end_time, spot_id)
  select t.exception_id, a.id, t.start_time, t.end_time, t.spot_id
    from parking.availabilities a
    join private.exception_changes t on t.spot_id = a.spot_id and t.window_id = note_rest.window_id
    join parking.exceptions e on e.id = t.exception_id
   where a.id = note_rest.rest_id
     and e.kind = 'share';
end;
$$;

comment on function private.note_rest is
  'Notes that what published a window published this rest of it.';
