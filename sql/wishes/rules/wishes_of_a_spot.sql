alter table parking.wishes
  drop constraint if exists wishes_of_a_spot,
  add constraint wishes_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint wishes_of_a_spot on parking.wishes is
  E'@status 404\n@de Diesen Stellplatz gibt es nicht mehr.\nParking spot not found';
