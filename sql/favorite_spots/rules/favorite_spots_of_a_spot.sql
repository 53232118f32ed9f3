alter table parking.favorite_spots
  drop constraint if exists favorite_spots_of_a_spot,
  add constraint favorite_spots_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint favorite_spots_of_a_spot on parking.favorite_spots is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
