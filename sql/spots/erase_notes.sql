/* What owners wrote about their spots may be about themselves, in words that no name of theirs finds. */
create or replace function private.erase_notes(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  delete from parking.spot_access a
   where a.owner_id = erase_notes.id;

  update parking.spots s
     set notes = null
   where s.owner_id = erase_notes.id
     and s.notes is not null;

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data - 'notes'
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_notes.id::text
     and e.data ? 'notes';

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_notes is
  'Erases what the person with this id wrote about their spots, for all and for claimers, also from the event log.';
