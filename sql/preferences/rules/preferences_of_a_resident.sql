alter table parking.preferences
  drop constraint if exists preferences_of_a_resident,
  add constraint preferences_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint preferences_of_a_resident on parking.preferences is
  E'@status 404\nUser profile not found';
