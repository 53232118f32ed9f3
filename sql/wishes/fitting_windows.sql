/*
 * Which free windows fit which open wishes: the whole time, the section or the spot, and an owner who may share.
 * The section is looked up last, for the few that fit by their times.
 */
create or replace view private.fitting_windows
  with (security_invoker)
as
  select w.id as wish_id,
         w.wisher_id,
         tstzrange(w.start_time, w.end_time) as during,
         a.id as availability_id,
         a.free_since
    from parking.wishes w
    join parking.availabilities a
      on a.end_time > now()
     and w.start_time >= a.start_time
     and w.start_time < a.end_time
     and w.end_time <= a.end_time
    join parking.profiles p on p.id = a.owner_id
   where w.claim_id is null
     and w.start_time > now()
     and not a.is_claimed
     and not a.is_hidden
     and (a.free is null or private.has_free(a.free, w.start_time, w.end_time))
     and p.is_approved
     and w.wisher_id <> a.owner_id
     and (w.spot_id is null or w.spot_id = a.spot_id)
     and (
       w.building_section is null
       or w.building_section = (
         select s.building_section from parking.spots s where s.id = a.spot_id
       )
     );

comment on view private.fitting_windows is
  'The open wishes, with each free window that fits them.';
comment on column private.fitting_windows.wish_id is
  'The wish.';
comment on column private.fitting_windows.wisher_id is
  'Who waits.';
comment on column private.fitting_windows.during is
  'For which time.';
comment on column private.fitting_windows.availability_id is
  'The window.';
comment on column private.fitting_windows.free_since is
  'When some of the window became free last.';
