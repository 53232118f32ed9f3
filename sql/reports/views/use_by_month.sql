create or replace view reporting.use_by_month as
  select u.first_day as month,
         u.building_section,
         u.offered_spots,
         u.offered_hours,
         u.claimed_hours,
         u.utilisation
    from private.reported_section_use('month') u;

comment on view reporting.use_by_month is
  'One row for each section and each month (of the building''s calendar) in which one of its spots was offered, up to a year from today.';
comment on column reporting.use_by_month.month is
  'Its first day.';
comment on column reporting.use_by_month.building_section is
  'Section or location of the spots.';
comment on column reporting.use_by_month.offered_spots is
  'Spots of the section that were offered in that month.';
comment on column reporting.use_by_month.offered_hours is
  'Hours of that month in which they were published as available, added up.';
comment on column reporting.use_by_month.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.use_by_month.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.use_by_month to parking_reporter, parking_analyst;
