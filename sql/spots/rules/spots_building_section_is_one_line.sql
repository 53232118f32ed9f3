alter table parking.spots
  drop constraint if exists spots_building_section_is_one_line,
  add constraint spots_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint spots_building_section_is_one_line on parking.spots is
  E'@field building_section\n@de Der Bereich hat 1 bis 100 Zeichen in einer Zeile.\nbuilding_section must be 1 to 100 characters on one line';
