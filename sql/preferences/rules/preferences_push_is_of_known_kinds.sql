alter table parking.preferences
  drop constraint if exists preferences_push_is_of_known_kinds,
  add constraint preferences_push_is_of_known_kinds
    check (private.are_mail_kinds(push));

comment on constraint preferences_push_is_of_known_kinds on parking.preferences is
  E'@field push\n@de Wählen Sie jede Art von Mitteilung einmal.\npush must be different known kinds of messages';
