alter table parking.spots
  drop constraint if exists spots_spot_number_is_one_line,
  add constraint spots_spot_number_is_one_line
    check (private.is_one_line(spot_number, 1, 32));

comment on constraint spots_spot_number_is_one_line on parking.spots is
  E'@field spot_number\n@de Die Nummer eines Stellplatzes hat 1 bis 32 Zeichen in einer Zeile.\nspot_number must be 1 to 32 characters on one line';
