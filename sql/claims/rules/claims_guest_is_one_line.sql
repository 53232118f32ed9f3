alter table parking.claims
  drop constraint if exists claims_guest_is_one_line,
  add constraint claims_guest_is_one_line
    check (private.is_one_line(guest, 1, 200));

comment on constraint claims_guest_is_one_line on parking.claims is
  E'@field guest\n@de Der Name des Gastes hat 1 bis 200 Zeichen in einer Zeile.\nguest must be 1 to 200 characters on one line';
