alter table parking.profiles
  drop constraint if exists profiles_apartment_number_is_one_line,
  add constraint profiles_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32));

comment on constraint profiles_apartment_number_is_one_line on parking.profiles is
  E'@field apartment_number\n@de Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.\napartment_number must be 1 to 32 characters on one line';
