alter table parking.keys
  drop constraint if exists keys_name_is_one_line,
  add constraint keys_name_is_one_line
    check (private.is_one_line(name, 1, 100));

comment on constraint keys_name_is_one_line on parking.keys is
  E'@field name\n@de Der Name hat 1 bis 100 Zeichen in einer Zeile.\nname must be 1 to 100 characters on one line';
