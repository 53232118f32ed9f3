alter table parking.passages
  drop constraint if exists passages_vehicle_is_a_plate,
  add constraint passages_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) = vehicle);

comment on constraint passages_vehicle_is_a_plate on parking.passages is
  E'@field vehicle\n@de Ein Kennzeichen hat 1 bis 16 Buchstaben und Ziffern.\nvehicle must be the 1 to 16 letters and digits of a plate';
