alter table parking.spot_access
  drop constraint if exists spot_access_notes_are_one_line,
  add constraint spot_access_notes_are_one_line
    check (private.is_one_line(access_notes, 1, 300));

comment on constraint spot_access_notes_are_one_line on parking.spot_access is
  E'@field access_notes\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\naccess_notes must be 1 to 300 characters on one line';
