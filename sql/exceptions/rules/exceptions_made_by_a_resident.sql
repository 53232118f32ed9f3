alter table parking.exceptions
  drop constraint if exists exceptions_made_by_a_resident,
  add constraint exceptions_made_by_a_resident
    foreign key (owner_id)
    references parking.profiles (id);

comment on constraint exceptions_made_by_a_resident on parking.exceptions is
  E'@status 403\n@de Ihr Konto ist nicht freigegeben.\nWho makes an exception must be a resident';
