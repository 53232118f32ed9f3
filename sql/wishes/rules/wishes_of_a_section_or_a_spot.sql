alter table parking.wishes
  drop constraint if exists wishes_of_a_section_or_a_spot,
  add constraint wishes_of_a_section_or_a_spot
    check (building_section is null or spot_id is null);

comment on constraint wishes_of_a_section_or_a_spot on parking.wishes is
  E'@field building_section\n@de Sie können auf einen Bereich oder auf einen Stellplatz warten, nicht auf beides.\nA wish is for a section or for a spot, not both';
