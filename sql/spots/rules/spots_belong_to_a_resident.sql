alter table parking.spots
  drop constraint if exists spots_belong_to_a_resident,
  add constraint spots_belong_to_a_resident
    foreign key (owner_id)
    references parking.profiles (id);

comment on constraint spots_belong_to_a_resident on parking.spots is
  E'@status 403\nThe owner of a parking spot must be a resident';
