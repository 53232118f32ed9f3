create unique index if not exists spots_spot_number_is_unique
  on parking.spots (private.number_key(spot_number))
  where retired_at is null;

comment on index parking.spots_spot_number_is_unique is
  E'@de Einen Stellplatz mit dieser Nummer gibt es schon.\nA parking spot with this number already exists';
