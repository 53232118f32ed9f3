alter table parking.spot_reports
  drop constraint if exists spot_reports_to_a_resident,
  add constraint spot_reports_to_a_resident
    foreign key (holder_id)
    references parking.profiles (id);

comment on constraint spot_reports_to_a_resident on parking.spot_reports is
  E'@status 404\n@de Diese Person gibt es nicht mehr.\nUser profile not found';
