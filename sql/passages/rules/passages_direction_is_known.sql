alter table parking.passages
  drop constraint if exists passages_direction_is_known,
  add constraint passages_direction_is_known
    check (direction in ('in', 'out'));

comment on constraint passages_direction_is_known on parking.passages is
  E'@field direction\n@de Ein Fahrzeug fährt hinein (in) oder hinaus (out).\ndirection must be in or out';
