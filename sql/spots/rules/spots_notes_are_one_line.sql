alter table parking.spots
  drop constraint if exists spots_notes_are_one_line,
  add constraint spots_notes_are_one_line
    check (private.is_one_line(notes, 1, 300));

comment on constraint spots_notes_are_one_line on parking.spots is
  E'@field notes\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\nnotes must be 1 to 300 characters on one line';
