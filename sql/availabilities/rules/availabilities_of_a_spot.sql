alter table parking.availabilities
  drop constraint if exists availabilities_of_a_spot,
  add constraint availabilities_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint availabilities_of_a_spot on parking.availabilities is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
