alter table parking.spots
  drop constraint if exists spots_spot_number_is_one_line,
  add constraint spots_spot_number_is_one_line
    check (private.is_one_line(spot_number, 1, 32));

comment on constraint spots_spot_number_is_one_line on parking.spots is
  E'@field spot_number\nspot_number must be 1 to 32 characters on one line';
