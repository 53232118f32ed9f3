/* Not at each request, so that what a barrier asks writes nothing. */
create or replace function private.note_key()
  returns void
  language sql
  volatile
  security definer -- nobody changes a key
  set search_path = ''
begin atomic
  update parking.keys k
     set last_used_at = now()
   where k.id = (select private.key_id())
     and k.last_used_at > now() - interval '10 minutes' is not true;
end;

comment on function private.note_key is
  'Notes that the key that is the caller is used, unless that was noted in the last ten minutes.';
grant execute on function private.note_key to parking_api;
