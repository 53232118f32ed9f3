create or replace view reporting.occupancy_by_hour as
  select u.weekday,
         u.hour,
         round(u.offered / 3600, 3) as offered_hours,
         round(u.claimed / 3600, 3) as claimed_hours,
         round(u.claimed / u.offered, 4) as occupancy
    from private.reported_hour_use() u;

comment on view reporting.occupancy_by_hour is
  'One row for each hour of the week (in the time zone of the building) in which any spot was ever offered, up to a year from today.';
comment on column reporting.occupancy_by_hour.weekday is
  'Day of the week, 1 Monday to 7 Sunday.';
comment on column reporting.occupancy_by_hour.hour is
  'Hour of the day, 0 to 23.';
comment on column reporting.occupancy_by_hour.offered_hours is
  'Hours offered in that hour of the week, over all weeks and spots.';
comment on column reporting.occupancy_by_hour.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.occupancy_by_hour.occupancy is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.occupancy_by_hour to parking_reporter, parking_analyst;
