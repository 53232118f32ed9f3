alter table parking.spot_reports
  drop constraint if exists spot_reports_note_is_one_line,
  add constraint spot_reports_note_is_one_line
    check (private.is_one_line(note, 1, 300));

comment on constraint spot_reports_note_is_one_line on parking.spot_reports is
  E'@field note\n@de Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.\nnote must be 1 to 300 characters on one line';
