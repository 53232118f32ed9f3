alter table parking.limits
  drop constraint if exists limits_building_section_is_one_line,
  add constraint limits_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

comment on constraint limits_building_section_is_one_line on parking.limits is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
