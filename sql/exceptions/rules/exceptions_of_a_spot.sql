alter table parking.exceptions
  drop constraint if exists exceptions_of_a_spot,
  add constraint exceptions_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint exceptions_of_a_spot on parking.exceptions is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
