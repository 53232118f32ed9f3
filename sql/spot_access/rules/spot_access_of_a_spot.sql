alter table parking.spot_access
  drop constraint if exists spot_access_of_a_spot,
  add constraint spot_access_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint spot_access_of_a_spot on parking.spot_access is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
