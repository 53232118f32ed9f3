create or replace view reporting.spots as
  select s.id,
         s.spot_number,
         s.building_section,
         s.owner_id,
         s.is_verified,
         s.created_at,
         w.windows,
         w.claimed_windows,
         w.first_start_time,
         w.last_end_time,
         s.retired_at
    from parking.spots s
   cross join lateral (
     select count(*) as windows,
            count(*) filter (where a.is_claimed) as claimed_windows,
            min(a.start_time) as first_start_time,
            max(a.end_time) as last_end_time
       from parking.availabilities a
      where a.spot_id = s.id
        and a.offered is distinct from '{}'
   ) w;

comment on view reporting.spots is
  'One row for each spot, also for those that were never offered, and those that were removed after they had been.';
comment on column reporting.spots.id is
  'The spot.';
comment on column reporting.spots.spot_number is
  'The number on the ground.';
comment on column reporting.spots.building_section is
  'Section or location of the spot.';
comment on column reporting.spots.owner_id is
  'The owner; a key to count by, not a name.';
comment on column reporting.spots.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spots.created_at is
  'When it was registered.';
comment on column reporting.spots.windows is
  'How many windows it has, past and to come.';
comment on column reporting.spots.claimed_windows is
  'How many of them active or completed claims hold.';
comment on column reporting.spots.first_start_time is
  'When its first window starts; null if it was never offered.';
comment on column reporting.spots.last_end_time is
  'When its last window ends; null if it was never offered.';
comment on column reporting.spots.retired_at is
  'When it was removed; null while it is in use.';
grant select on reporting.spots to parking_reporter;
