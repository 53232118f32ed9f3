create unique index if not exists building_is_one on parking.building ((true));

comment on index parking.building_is_one is
  E'@de Es gibt schon ein Gebäude.\nA database is for one building';
