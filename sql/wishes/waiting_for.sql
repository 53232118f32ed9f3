/*
 * Not those who have an offer that they can take, or a message that they have not read; and who was told of a
 * window is told of another that became free since. Who asks while a window is free sees that it is.
 */
create or replace function private.waiting_for(offered parking.availabilities)
  returns setof parking.wishes
  language sql
  stable
  security invoker -- for private.tell_waiting: no grant to the API role
  set search_path = ''
as $$
  select w.*
    from parking.wishes w
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.spots s on s.id = (offered).spot_id
   where w.claim_id is null
     and w.start_time >= (offered).start_time
     and w.start_time < (offered).end_time
     and w.end_time <= (offered).end_time
     and w.start_time > clock_timestamp()
     and ((offered).free is null or private.has_free((offered).free, w.start_time, w.end_time))
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
     and w.wisher_id <> s.owner_id
     and w.availability_id is distinct from (offered).id
     and case
       when w.availability_id is null then w.created_at < (offered).free_since
       when w.updated_at > (offered).free_since then false
       when w.offered_until is not null then w.offered_until <= clock_timestamp()
       else not exists (select from parking.notifications n where n.id = w.id and not n.is_read)
     end
$$;

comment on function private.waiting_for is
  'The open wishes that fit a free window and are to be told of it.';
