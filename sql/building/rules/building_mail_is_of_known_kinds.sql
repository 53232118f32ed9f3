alter table parking.building
  drop constraint if exists building_mail_is_of_known_kinds,
  add constraint building_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint building_mail_is_of_known_kinds on parking.building is
  E'@field mail\n@de Wählen Sie jede Art von E-Mail einmal.\nmail must be different known kinds of mail';
