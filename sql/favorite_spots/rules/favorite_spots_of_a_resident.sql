alter table parking.favorite_spots
  drop constraint if exists favorite_spots_of_a_resident,
  add constraint favorite_spots_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint favorite_spots_of_a_resident on parking.favorite_spots is
  E'@status 404\nUser profile not found';
