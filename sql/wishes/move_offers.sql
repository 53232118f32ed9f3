/*
 * A window that is cut, or joined with another, was free all along: who was offered it has the same offer
 * of what their time is in now. One that is being fulfilled or withdrawn needs none.
 */
create or replace function private.move_offers(from_window uuid, to_window uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return;
  end if;

  with moved as (
    update parking.wishes w
       set availability_id = to_window
      from (
        select o.id
          from parking.wishes o
          join parking.availabilities a on a.id = to_window
         where o.availability_id = from_window
           and o.claim_id is null
           and o.start_time > clock_timestamp()
           and o.start_time >= a.start_time
           and o.start_time < a.end_time -- for the index
           and o.end_time <= a.end_time
         order by o.id
           for no key update of o skip locked
      ) o
     where w.id = o.id
    returning w.id
  )
  update parking.notifications n
     set availability_id = to_window
    from moved m
   where n.id = m.id;
end;
$$;

comment on function private.move_offers is
  'Makes what was offered of one window an offer of another, as far as that has the time of the wish.';
