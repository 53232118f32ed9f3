/* Who came to whom, and with which car, is nobody's business once the host has left. */
create or replace function private.erase_guests(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- The exception of claims_closed_stay_closed, and of events_are_only_added.
  perform set_config('parking.erasing', 'on', true);

  update parking.claims c
     set guest = null,
         vehicle = null
   where c.claimer_id = erase_guests.id
     and num_nonnulls(c.guest, c.vehicle) > 0;

  update private.events e
     set data = e.data - '{guest, vehicle}'::text[]
   where e.subject_id in (
     select s.subject_id from private.subjects s where s.person_id = erase_guests.id
   )
     and e.type like 'claim.%'
     and e.data ->> 'claimer_id' = erase_guests.id::text
     and e.data ?| '{guest, vehicle}';

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_guests is
  'Erases the guests and the vehicles of all claims by the person with this id, also from the event log.';
