alter table private.exception_changes
  drop constraint if exists exception_changes_of_a_spot,
  add constraint exception_changes_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint exception_changes_of_a_spot on private.exception_changes is
  E'@status 404\nParking spot not found';
