alter table parking.invitations
  drop constraint if exists invitations_spots_can_be_registered,
  add constraint invitations_spots_can_be_registered
    check (private.are_invited_spots(spots));

comment on constraint invitations_spots_can_be_registered on parking.invitations is
  E'@field spots\n@de Höchstens 20 Stellplätze, jeder mit einer Nummer von 1 bis 32 und einem Bereich von 1 bis 100 Zeichen.\nspots must be at most 20, each with a spot_number of 1 to 32 and a building_section of 1 to 100 characters on one line';
