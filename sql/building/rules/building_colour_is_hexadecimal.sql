alter table parking.building
  drop constraint if exists building_colour_is_hexadecimal,
  add constraint building_colour_is_hexadecimal
    check (colour ~ '^#[0-9A-Fa-f]{6}$');

comment on constraint building_colour_is_hexadecimal on parking.building is
  E'@field colour\n@de Das ist keine Farbe: Schreiben Sie # und sechs Ziffern, etwa #1d6f42.\ncolour must be # and six hexadecimal digits, such as #1d6f42';
