alter table parking.preferences
  drop constraint if exists preferences_mail_is_of_known_kinds,
  add constraint preferences_mail_is_of_known_kinds
    check (private.are_mail_kinds(mail));

comment on constraint preferences_mail_is_of_known_kinds on parking.preferences is
  E'@field mail\n@de Wählen Sie jede Art von E-Mail einmal.\nmail must be different known kinds of mail';
