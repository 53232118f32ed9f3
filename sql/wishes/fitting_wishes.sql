/*
 * The one place that says which wishes a window fits: their whole time is free, at their spot or in their section,
 * and its owner may share. Without a setting, so that the planner puts it in the place of its call.
 */
create or replace function private.fitting_wishes(availability parking.availabilities)
  returns setof parking.wishes
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.wishes w
   where w.claim_id is null
     and w.start_time > now()
     and w.start_time >= (fitting_wishes.availability).start_time
     and w.start_time < (fitting_wishes.availability).end_time
     and w.end_time <= (fitting_wishes.availability).end_time
     and not (fitting_wishes.availability).is_claimed
     and not (fitting_wishes.availability).is_hidden
     and (
       (fitting_wishes.availability).free is null
       or private.has_free((fitting_wishes.availability).free, w.start_time, w.end_time)
     )
     and w.wisher_id <> (fitting_wishes.availability).owner_id
     and (w.spot_id is null or w.spot_id = (fitting_wishes.availability).spot_id)
     and (
       w.building_section is null
       or w.building_section = (
         select s.building_section from parking.spots s where s.id = (fitting_wishes.availability).spot_id
       )
     )
     and exists (
       select from parking.profiles p where p.id = (fitting_wishes.availability).owner_id and p.is_approved
     )
$$;

comment on function private.fitting_wishes is
  'The open wishes that a window fits.';
