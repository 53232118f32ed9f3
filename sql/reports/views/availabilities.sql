create or replace view reporting.availabilities as
  select a.id,
         a.spot_id,
         s.spot_number,
         s.building_section,
         a.owner_id,
         a.is_claimed,
         a.start_time,
         a.end_time,
         a.created_at,
         private.hours(tstzrange(a.created_at, greatest(a.start_time, a.created_at))) as lead_hours,
         private.hours(a.during) as duration_hours,
         a.source_id is not null as is_from_plan
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where a.offered is distinct from '{}';

comment on view reporting.availabilities is
  'One row for each window that was not deleted or withdrawn.';
comment on column reporting.availabilities.id is
  'The window.';
comment on column reporting.availabilities.spot_id is
  'The spot that was offered.';
comment on column reporting.availabilities.spot_number is
  'The number on the ground.';
comment on column reporting.availabilities.building_section is
  'Section or location of the spot.';
comment on column reporting.availabilities.owner_id is
  'The owner of the spot; a key to count by, not a name.';
comment on column reporting.availabilities.is_claimed is
  'Whether claims leave nothing of what is offered.';
comment on column reporting.availabilities.start_time is
  'The first moment of the window.';
comment on column reporting.availabilities.end_time is
  'The first moment after the window.';
comment on column reporting.availabilities.created_at is
  'When it was published.';
comment on column reporting.availabilities.lead_hours is
  'How long before its start it was published.';
comment on column reporting.availabilities.duration_hours is
  'How long it lasts.';
comment on column reporting.availabilities.is_from_plan is
  'Whether a pattern or an absence of its owner published it.';
grant select on reporting.availabilities to parking_reporter;
