alter table parking.invitations
  drop constraint if exists invitations_apartment_number_is_one_line,
  add constraint invitations_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint invitations_apartment_number_is_one_line on parking.invitations is
  E'@field apartment_number\n@de Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.\napartment_number must be 1 to 32 characters on one line';
