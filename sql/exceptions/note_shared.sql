create or replace function private.note_shared(exception_id uuid, windows uuid[])
  returns void
  language sql
  volatile
  security definer -- the API role may not write what undoes an exception
  set search_path = ''
as $$
  insert into private.exception_changes (exception_id, window_id, start_time, end_time, spot_id)
  select e.id, a.id, a.start_time, a.end_time, a.spot_id
    from parking.exceptions e
    join parking.availabilities a on a.owner_id = e.owner_id and a.id = any (note_shared.windows)
   where e.id = note_shared.exception_id
     and e.owner_id = (select private.caller_id())
$$;

comment on function private.note_shared is
  'Notes windows that an exception of the caller published.';
grant execute on function private.note_shared to parking_api;
