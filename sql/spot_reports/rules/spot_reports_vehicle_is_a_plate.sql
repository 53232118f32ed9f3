alter table parking.spot_reports
  drop constraint if exists spot_reports_vehicle_is_a_plate,
  add constraint spot_reports_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint spot_reports_vehicle_is_a_plate on parking.spot_reports is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
