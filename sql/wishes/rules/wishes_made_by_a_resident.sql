alter table parking.wishes
  drop constraint if exists wishes_made_by_a_resident,
  add constraint wishes_made_by_a_resident
    foreign key (wisher_id)
    references parking.profiles (id);

comment on constraint wishes_made_by_a_resident on parking.wishes is
  E'@status 403\nWho waits for a parking spot must be a resident';
