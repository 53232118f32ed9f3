alter table parking.spot_reports
  drop constraint if exists spot_reports_of_a_spot,
  add constraint spot_reports_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint spot_reports_of_a_spot on parking.spot_reports is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
