alter table parking.building
  drop constraint if exists building_name_is_one_line,
  add constraint building_name_is_one_line
    check (private.is_one_line(name, 1, 100));

comment on constraint building_name_is_one_line on parking.building is
  E'@field name\n@de Der Name des Gebäudes hat 1 bis 100 Zeichen in einer Zeile.\nname must be 1 to 100 characters on one line';
