alter table parking.keys
  drop constraint if exists keys_made_by_a_resident,
  add constraint keys_made_by_a_resident
    foreign key (maker_id)
    references parking.profiles (id);

comment on constraint keys_made_by_a_resident on parking.keys is
  E'@status 404\nUser profile not found';
