alter table parking.invitations
  drop constraint if exists invitations_full_name_is_one_line,
  add constraint invitations_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint invitations_full_name_is_one_line on parking.invitations is
  E'@field full_name\n@de Der Name hat 1 bis 200 Zeichen in einer Zeile.\nfull_name must be 1 to 200 characters on one line';
