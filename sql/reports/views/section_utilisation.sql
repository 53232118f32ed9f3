create or replace view reporting.section_utilisation as
  select u.first_day as day,
         u.building_section,
         u.offered_spots,
         u.offered_hours,
         u.claimed_hours,
         u.utilisation
    from private.reported_section_use('day') u;

comment on view reporting.section_utilisation is
  'One row for each section and each day (of the building''s time zone) on which one of its spots was offered, up to a year from today.';
comment on column reporting.section_utilisation.day is
  'The day, from midnight to midnight in the time zone of the building.';
comment on column reporting.section_utilisation.building_section is
  'Section or location of the spots.';
comment on column reporting.section_utilisation.offered_spots is
  'Spots of the section that were offered on that day.';
comment on column reporting.section_utilisation.offered_hours is
  'Hours of that day in which they were published as available, added up.';
comment on column reporting.section_utilisation.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.section_utilisation.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.section_utilisation to parking_reporter, parking_analyst;
