alter table parking.building
  drop constraint if exists building_mark_is_short,
  add constraint building_mark_is_short
    check (private.is_one_line(mark, 1, 2));

comment on constraint building_mark_is_short on parking.building is
  E'@field mark\n@de Das Zeichen hat einen oder zwei Buchstaben, etwa L5.\nmark must be one or two characters, such as L5 or an emoji';
