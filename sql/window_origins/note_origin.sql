create or replace function private.note_origin(window_id uuid, origin_id uuid)
  returns void
  language sql
  volatile
  security definer -- the API role may not write the table
  set search_path = ''
as $$
  insert into private.window_origins (window_id, origin_id)
  select a.id, note_origin.origin_id
    from parking.availabilities a
   where a.id = note_origin.window_id
     and a.owner_id = (select private.caller_id())
      on conflict do nothing
$$;

comment on function private.note_origin is
  'Notes of which window a new one of the caller was a part.';
grant execute on function private.note_origin to parking_api;
