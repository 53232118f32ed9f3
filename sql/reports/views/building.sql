/* Reporting tools log in with UTC, and the days of the building are others. */
create or replace view reporting.building as
  select b.name,
         b.time_zone
    from parking.building b;

comment on view reporting.building is
  'The building, one row: with its time zone a report counts in its days.';
comment on column reporting.building.name is
  'Its name.';
comment on column reporting.building.time_zone is
  'The time zone of its days and hours, such as Europe/Berlin.';
grant select on reporting.building to parking_reporter, parking_analyst;
