create unique index if not exists building_is_one on parking.building ((true));

comment on index parking.building_is_one is
  'A database is for one building';
