create unique index if not exists spots_spot_number_is_unique
  on parking.spots (private.number_key(spot_number))
  where retired_at is null;

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
