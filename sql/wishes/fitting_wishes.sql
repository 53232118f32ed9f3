/* The one place that says which wishes a window fits. */
create or replace function private.fitting_wishes(availability parking.availabilities)
  returns setof parking.wishes
  language sql
  stable
  security invoker
as $$
  select w.*
    from (select (fitting_wishes.availability).*) a
    join parking.profiles p on p.id = a.owner_id and p.is_approved
    join parking.spots s on s.id = a.spot_id
    join parking.wishes w
      on w.start_time >= a.start_time
     and w.start_time < a.end_time
     and w.end_time <= a.end_time
     and w.wisher_id <> a.owner_id
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
   where w.claim_id is null
     and w.start_time > now()
     and not a.is_claimed
     and not a.is_hidden
     and (a.free is null or private.has_free(a.free, w.start_time, w.end_time))
$$;

comment on function private.fitting_wishes is
  'The open wishes whose whole time is free in a window, of an approved owner.';
