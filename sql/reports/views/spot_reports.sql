create or replace view reporting.spot_reports as
  select r.id,
         r.spot_id,
         s.spot_number,
         s.building_section,
         r.reporter_id,
         r.reporter_id = s.owner_id as is_by_owner,
         r.is_resolved,
         r.created_at
    from parking.spot_reports r
    join parking.spots s on s.id = r.spot_id;

comment on view reporting.spot_reports is
  'One row for each report of a stranger''s car, as long as the building keeps notifications.';
comment on column reporting.spot_reports.id is
  'The report.';
comment on column reporting.spot_reports.spot_id is
  'The spot on which the car stood.';
comment on column reporting.spot_reports.spot_number is
  'The number on the ground.';
comment on column reporting.spot_reports.building_section is
  'Section or location of the spot.';
comment on column reporting.spot_reports.reporter_id is
  'Who reported it; a key to count by, not a name.';
comment on column reporting.spot_reports.is_by_owner is
  'Whether that is the owner of the spot, not who had claimed it.';
comment on column reporting.spot_reports.is_resolved is
  'Whether an administrator has dealt with it.';
comment on column reporting.spot_reports.created_at is
  'When it was reported.';
grant select on reporting.spot_reports to parking_reporter;
