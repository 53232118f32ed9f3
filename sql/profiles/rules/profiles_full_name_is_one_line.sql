alter table parking.profiles
  drop constraint if exists profiles_full_name_is_one_line,
  add constraint profiles_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200));

comment on constraint profiles_full_name_is_one_line on parking.profiles is
  E'@field full_name\n@de Der Name hat 1 bis 200 Zeichen in einer Zeile.\nfull_name must be 1 to 200 characters on one line';
