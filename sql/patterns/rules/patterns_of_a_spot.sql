alter table parking.patterns
  drop constraint if exists patterns_of_a_spot,
  add constraint patterns_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint patterns_of_a_spot on parking.patterns is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
