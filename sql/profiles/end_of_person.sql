/* What the erasure of a person ends. Only what is not over changes, and only those concerned read of it. */
create or replace function private.end_of_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  perform
     from parking.spots s
    where s.owner_id = end_of_person.id
       or s.id in (
         select c.spot_id
           from parking.claims c
          where c.claimer_id = end_of_person.id
            and c.status = 'active'
       )
    order by s.id
      for no key update;
  v_now := date_trunc('milliseconds', clock_timestamp());

  delete from parking.exceptions e
   where e.owner_id = end_of_person.id;

  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it
  update parking.claims c
     set status = 'completed'
   where c.status = 'active'
     and c.end_time <= v_now
     and end_of_person.id in (c.claimer_id, c.owner_id);
  perform set_config('parking.tidying', 'off', true);

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and end_of_person.id in (c.claimer_id, c.owner_id);

  delete from parking.patterns p
   where p.owner_id = end_of_person.id;

  -- Windows with closed claims stay with these. Without an approved owner nobody can claim them.
  delete from parking.availabilities a
   where a.owner_id = end_of_person.id
     and a.start_time >= v_now
     and not exists (select from parking.claims c where c.availability_id = a.id);

  -- What was offered until now, was offered.
  update parking.availabilities a
     set end_time = v_now
   where a.owner_id = end_of_person.id
     and a.start_time < v_now
     and a.end_time > v_now
     and not a.is_claimed;
end;
$$;

comment on function private.end_of_person is
  'Cancels the claims of the person with this id that have not ended, and those on their spots; ends their patterns and free windows; completes what has ended; deletes their exceptions.';
